"""The views of a session: texts that grow with its stream, up to a limit.

Blocks are joined with newlines; tool inputs and outputs end with one. `everything` is thinking, text, tool
inputs, tool outputs and the result, joined with newlines. `transcript` has all of it in the order in which it
happened. A view that grows over its limit is dropped: to grade a part of it would give wrong answers.
"""

from collections import Counter
from collections.abc import Mapping

from judges.core.session import ToolCall, ToolResult, ViewName

MAX_VIEW_BYTES = 16_000_000

_PARTS = (
    ViewName.THINKING,
    ViewName.ASSISTANT_TEXT,
    ViewName.TOOL_INPUTS,
    ViewName.TOOL_OUTPUTS,
    ViewName.RESULT,
)


class BoundedText:
    """A text that grows until its UTF-8 is larger than `limit` bytes, and is dropped then."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._data = bytearray()
        self.dropped = False

    def __len__(self) -> int:
        return len(self._data)

    def add(self, text: str) -> None:
        """Append a text."""
        if self.dropped:
            return
        self._data += text.encode("utf-8", "surrogatepass")
        if len(self._data) > self._limit:
            self.dropped, self._data = True, bytearray()

    def text(self, start: int = 0, end: int | None = None) -> str:
        """Return what lies between two byte offsets."""
        return self._data[start:end].decode("utf-8", "surrogatepass")


class Views:
    """All views of one session in the making."""

    def __init__(self, limit: int = MAX_VIEW_BYTES) -> None:
        self._limit = limit
        self._parts = {name: BoundedText(limit) for name in _PARTS}
        self._begun: set[ViewName] = set()
        self._transcript = Transcript(limit)

    def holds(self, name: ViewName) -> bool:
        """Whether a view has not been dropped."""
        return not self._parts[name].dropped

    def say(self, name: ViewName, text: str, parent: str | None) -> None:
        """Append a block of thinking or text."""
        self._parts[name].add(f"\n{text}" if name in self._begun else text)
        self._begun.add(name)
        self._transcript.add("thinking" if name is ViewName.THINKING else "text", text, parent)

    def call(self, call: ToolCall) -> None:
        """Append a tool call."""
        self._parts[ViewName.TOOL_INPUTS].add(f"{call.canonical}\n")
        self._transcript.call(call)

    def result_of(self, result: ToolResult) -> None:
        """Append the result of a tool call."""
        self._parts[ViewName.TOOL_OUTPUTS].add(f"{result.content}\n")
        self._transcript.result_of(result)

    def conclude(self, text: str) -> None:
        """Set the result of the session; the last one counts."""
        self._parts[ViewName.RESULT] = BoundedText(self._limit)
        self._parts[ViewName.RESULT].add(text)

    def finish(self) -> Mapping[ViewName, str]:
        """Return the views that were not dropped."""
        views = {name: part.text() for name, part in self._parts.items() if not part.dropped}
        size = sum(map(len, self._parts.values())) + len(_PARTS) - 1
        if len(views) == len(_PARTS) and size <= self._limit:
            views[ViewName.EVERYTHING] = "\n".join(views[name] for name in _PARTS)
        transcript = self._transcript.finish(views.get(ViewName.RESULT))
        if transcript is not None:
            views[ViewName.TRANSCRIPT] = transcript
        return views


class Transcript:
    """The entries of a session in order, each below a line in brackets that says what it is.

    Calls are numbered; results name the number, since those of parallel calls arrive in any order. Which
    calls were parallel is known at the end only, so the places of that mark are kept until then.
    """

    def __init__(self, limit: int) -> None:
        self._text = BoundedText(limit)
        self._numbers: dict[str, int] = {}
        self._marks: list[tuple[int, str]] = []

    def add(self, title: str, text: str, parent: str | None) -> None:
        """Append an entry."""
        self._text.add(f"[{title}{self._origin(parent)}]\n{text}\n")

    def call(self, call: ToolCall) -> None:
        """Append a tool call."""
        number = self._numbers[call.tool_use_id] = len(self._marks) + 1
        self._text.add(f"[call {number}: {call.tool}")
        self._marks.append((len(self._text), call.message_id))
        self._text.add(f"{self._origin(call.parent_tool_use_id)}]\n{call.canonical}\n")

    def result_of(self, result: ToolResult) -> None:
        """Append the result of a tool call."""
        number = self._numbers.get(result.tool_use_id)
        of = f"result of call {number}: {result.tool}" if number else "result of an unknown call"
        self.add(of + (", error" if result.is_error else ""), result.content, result.parent_tool_use_id)

    def finish(self, result: str | None) -> str | None:
        """Return the whole text, or None where it, or the result of the session, was dropped."""
        self._text.add(f"[result]\n{result}\n")
        if self._text.dropped or result is None:
            return None
        sizes = Counter(message for _, message in self._marks)
        groups = {message: f", parallel group {number}" for number, message in enumerate(_several(sizes), 1)}
        pieces, start = [], 0
        for place, message in self._marks:
            pieces += [self._text.text(start, place), groups.get(message, "")]
            start = place
        return "".join((*pieces, self._text.text(start)))

    def _origin(self, parent: str | None) -> str:
        if parent is None:
            return ""
        number = self._numbers.get(parent)
        return f", subagent of call {number}" if number else ", subagent"


def _several(sizes: Mapping[str, int]) -> list[str]:
    return [message for message, size in sizes.items() if message and size > 1]
