"""From the stream of a headless `claude -p` (stream-json: an event a line) to a Session, in bounded memory.

Lines end at a newline byte and nowhere else. Events and keys that are not known are passed over: every
version of the client adds some. What the client itself says in place of the model is in no view.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, BinaryIO

from judges.check.canonical import canonical_input
from judges.check.event import (
    as_amount,
    as_count,
    as_list,
    as_mapping,
    as_text,
    as_text_or_none,
    content_blocks,
    joined_text,
    parse_event,
)
from judges.check.views import MAX_VIEW_BYTES, Views
from judges.core.session import ProcessEnd, RunFacts, Session, ToolCall, ToolResult, ViewName
from judges.core.usage import Usage

MAX_LINE_BYTES = MAX_VIEW_BYTES
MAX_CALLS = 100_000

_CLIENT = "<synthetic>"
_TOKENS_IN = ("inputTokens", "cacheReadInputTokens", "cacheCreationInputTokens")


def stream_lines(file: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a stream; of one that is too long, the first `MAX_LINE_BYTES` + 1 bytes."""
    while line := file.readline(MAX_LINE_BYTES + 1):
        yield line
        while len(line) > MAX_LINE_BYTES and not line.endswith(b"\n"):
            line = file.readline(MAX_LINE_BYTES + 1)


def parse_session(lines: Iterable[bytes], end: ProcessEnd) -> Session:
    """Return the session that a stream tells of. Nothing in the lines raises.

    A part that cannot be known whole is in `Session.lost`: a view of more than `MAX_VIEW_BYTES`, the calls
    where there are more than `MAX_CALLS`, and everything where a line is longer than `MAX_LINE_BYTES`.
    """
    reading = _Reading()
    for line in lines:
        reading.take(line)
    return reading.finish(end)


class _Reading:
    """What is known of a session so far."""

    def __init__(self) -> None:
        self._views = Views()
        self._calls: list[ToolCall] = []
        self._results: list[ToolResult] = []
        self._tools: dict[str, str] = {}
        self._long_lines = self._uncounted = 0
        self._parse_errors = self._repaired = self._result_events = 0
        self._facts: dict[str, Any] = {}
        self._result: Mapping[str, Any] = {}
        self._handlers = {
            "system": self._system,
            "assistant": self._assistant,
            "user": self._user,
            "result": self._end,
        }

    def take(self, line: bytes) -> None:
        """Read one line."""
        if len(line) - line.endswith(b"\n") > MAX_LINE_BYTES:
            self._long_lines += 1
            self._parse_errors += 1
        elif line.strip():
            try:
                event = parse_event(self._decode(line))
                handler = self._handlers.get(as_text(event.get("type")))
                if handler is not None:
                    handler(event)
            except (ValueError, RecursionError):
                self._parse_errors += 1

    def finish(self, end: ProcessEnd) -> Session:
        """Return the session."""
        views = self._views.finish()
        lost = self._lost(views)
        return Session(
            views={name: text for name, text in views.items() if name not in lost},
            tool_calls=tuple(self._calls),
            tool_results=tuple(self._results),
            run=self._run_facts(end),
            lost=lost,
        )

    def _decode(self, line: bytes) -> str:
        try:
            return line.decode()
        except UnicodeDecodeError:
            self._repaired += 1
            return line.decode(errors="replace")

    def _system(self, event: Mapping[str, Any]) -> None:
        if event.get("subtype") == "init":
            self._facts["session_id"] = as_text_or_none(event.get("session_id"))
            self._facts["client_version"] = as_text_or_none(event.get("claude_code_version"))

    def _assistant(self, event: Mapping[str, Any]) -> None:
        message = as_mapping(event.get("message"))
        blocks = content_blocks(message.get("content"))
        parent = as_text_or_none(event.get("parent_tool_use_id"))
        by_client = message.get("model") == _CLIENT
        if parent is None:
            self._facts["open_turn"] = True
            self._facts["client_text"] = joined_text(blocks) if by_client else None
            self._facts["refused"] = message.get("stop_reason") == "refusal"
        for block in () if by_client else blocks:
            self._block(block, as_text(message.get("id")), parent)

    def _block(self, block: Mapping[str, Any], message_id: str, parent: str | None) -> None:
        match block:
            case {"type": "text", "text": str(text)}:
                self._views.say(ViewName.ASSISTANT_TEXT, text, parent)
            case {"type": "thinking", "thinking": str(text)}:
                self._views.say(ViewName.THINKING, text, parent)
            case {"type": "tool_use", "name": str(tool)}:
                self._call(tool, block, message_id, parent)

    def _call(self, tool: str, block: Mapping[str, Any], message_id: str, parent: str | None) -> None:
        if len(self._calls) == MAX_CALLS:
            self._uncounted += 1
            return
        kept = self._views.holds(ViewName.TOOL_INPUTS)
        call = ToolCall(
            tool=tool,
            canonical=canonical_input(block.get("input")) if kept else "",
            tool_use_id=as_text(block.get("id")),
            message_id=message_id,
            parent_tool_use_id=parent,
        )
        self._views.call(call)
        self._tools[call.tool_use_id] = tool
        self._calls.append(call)

    def _user(self, event: Mapping[str, Any]) -> None:
        parent = as_text_or_none(event.get("parent_tool_use_id"))
        for block in content_blocks(as_mapping(event.get("message")).get("content")):
            if block.get("type") == "tool_result":
                self._tool_result(block, parent)

    def _tool_result(self, block: Mapping[str, Any], parent: str | None) -> None:
        if len(self._results) == MAX_CALLS:
            self._uncounted += 1
            return
        tool_use_id = as_text(block.get("tool_use_id"))
        kept = self._views.holds(ViewName.TOOL_OUTPUTS)
        result = ToolResult(
            tool=self._tools.get(tool_use_id),
            content=joined_text(content_blocks(block.get("content"))) if kept else "",
            is_error=block.get("is_error") is True,
            tool_use_id=tool_use_id,
            parent_tool_use_id=parent,
        )
        self._views.result_of(result)
        self._results.append(result)

    def _end(self, event: Mapping[str, Any]) -> None:
        self._result = event
        self._result_events += 1
        said, text = self._facts.get("client_text"), as_text(event.get("result"))
        by_client = said is not None and (event.get("is_error") is True or said == text)
        self._views.conclude("" if by_client else text)
        self._facts["open_turn"] = False
        if event.get("stop_reason") == "refusal":
            self._facts["refused"] = True

    def _run_facts(self, end: ProcessEnd) -> RunFacts:
        result = self._result
        denials = as_list(result.get("permission_denials"))
        return RunFacts(
            end=end,
            parse_errors=self._parse_errors,
            repaired_lines=self._repaired,
            results=self._result_events,
            subtype=as_text_or_none(result.get("subtype")),
            is_error=result.get("is_error") is True,
            stop_reason=as_text_or_none(result.get("stop_reason")),
            cut="stop_reason" in result and result["stop_reason"] is None,
            errors=tuple(each for each in as_list(result.get("errors")) if isinstance(each, str)),
            usage=_usage(result),
            models=tuple(as_mapping(result.get("modelUsage"))),
            denials=tuple(as_text(as_mapping(each).get("tool_name")) for each in denials),
            **self._facts,
        )

    def _lost(self, views: Mapping[ViewName, str]) -> dict[str, str]:
        parts = (*ViewName, "tool_calls", "tool_results")
        if self._long_lines:
            why = f"a line of the stream is longer than {MAX_LINE_BYTES / 1e6:g} MB and was not read"
            return dict.fromkeys(parts, why)
        if self._uncounted:
            return dict.fromkeys(parts, f"there are more than {MAX_CALLS:,} tool calls or results")
        large = f"is larger than {MAX_VIEW_BYTES / 1e6:g} MB"
        return {name: f"the view '{name}' {large}" for name in ViewName if name not in views}


def _usage(result: Mapping[str, Any]) -> Usage:
    """Return tokens and cost of the whole session: a result event's totals include the earlier ones'."""
    models = [as_mapping(usage) for usage in as_mapping(result.get("modelUsage")).values()]
    return Usage(
        calls=1,
        input_tokens=sum(as_count(usage.get(key)) for usage in models for key in _TOKENS_IN),
        output_tokens=sum(as_count(usage.get("outputTokens")) for usage in models),
        cost_usd=as_amount(result.get("total_cost_usd")),
    )
