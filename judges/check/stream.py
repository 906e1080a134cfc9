"""From the stream of a headless `claude -p` (stream-json: an event a line) to a Session, in bounded memory.

Lines end at a newline byte and nowhere else. Events and keys that are not known are passed over: every
version of the client adds some. What the client itself says in place of the model is in no view.
"""

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any, BinaryIO, NoReturn

from judges.check.canonical import canonical_input
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
                event = _parse_event(self._decode(line))
                handler = self._handlers.get(_text(event.get("type")))
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
            self._facts["session_id"] = _text_or_none(event.get("session_id"))
            self._facts["client_version"] = _text_or_none(event.get("claude_code_version"))

    def _assistant(self, event: Mapping[str, Any]) -> None:
        message = _mapping(event.get("message"))
        blocks = _blocks(message.get("content"))
        parent = _text_or_none(event.get("parent_tool_use_id"))
        by_client = message.get("model") == _CLIENT
        if parent is None:
            self._facts["open_turn"] = True
            self._facts["client_text"] = _joined_text(blocks) if by_client else None
            self._facts["refused"] = message.get("stop_reason") == "refusal"
        for block in () if by_client else blocks:
            self._block(block, _text(message.get("id")), parent)

    def _block(self, block: Mapping[str, Any], message_id: str, parent: str | None) -> None:
        match block:
            case {"type": "text", "text": str(text)}:
                self._views.say(ViewName.ASSISTANT_TEXT, text, parent)
            case {"type": "thinking", "thinking": str(text)}:
                self._views.say(ViewName.THINKING, text, parent)
            case {"type": "tool_use", "name": str(tool)}:
                self._call(tool, block, message_id, parent)

    def _call(self, tool: str, block: Mapping[str, Any], message_id: str, parent: str | None) -> None:
        canonical = canonical_input(block.get("input"))
        if len(self._calls) == MAX_CALLS:
            self._uncounted += 1
            return
        call = ToolCall(
            tool=tool,
            canonical=canonical,
            tool_use_id=_text(block.get("id")),
            message_id=message_id,
            parent_tool_use_id=parent,
        )
        self._views.call(call)
        self._tools[call.tool_use_id] = tool
        self._calls.append(call)

    def _user(self, event: Mapping[str, Any]) -> None:
        parent = _text_or_none(event.get("parent_tool_use_id"))
        for block in _blocks(_mapping(event.get("message")).get("content")):
            if block.get("type") == "tool_result":
                self._tool_result(block, parent)

    def _tool_result(self, block: Mapping[str, Any], parent: str | None) -> None:
        if len(self._results) == MAX_CALLS:
            self._uncounted += 1
            return
        tool_use_id = _text(block.get("tool_use_id"))
        result = ToolResult(
            tool=self._tools.get(tool_use_id),
            content=_joined_text(_blocks(block.get("content"))),
            is_error=block.get("is_error") is True,
            tool_use_id=tool_use_id,
            parent_tool_use_id=parent,
        )
        self._views.result_of(result)
        self._results.append(result)

    def _end(self, event: Mapping[str, Any]) -> None:
        self._result = event
        self._result_events += 1
        said, text = self._facts.get("client_text"), _text(event.get("result"))
        by_client = said is not None and (event.get("is_error") is True or said == text)
        self._views.conclude("" if by_client else text)
        self._facts["open_turn"] = False
        if event.get("stop_reason") == "refusal":
            self._facts["refused"] = True

    def _run_facts(self, end: ProcessEnd) -> RunFacts:
        result = self._result
        return RunFacts(
            end=end,
            parse_errors=self._parse_errors,
            repaired_lines=self._repaired,
            results=self._result_events,
            subtype=_text_or_none(result.get("subtype")),
            is_error=result.get("is_error") is True,
            stop_reason=_text_or_none(result.get("stop_reason")),
            cut="stop_reason" in result and result["stop_reason"] is None,
            errors=tuple(each for each in _list(result.get("errors")) if isinstance(each, str)),
            usage=_usage(result),
            models=tuple(_mapping(result.get("modelUsage"))),
            denials=tuple(_text(_mapping(each).get("tool_name")) for each in _denials(result)),
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


def _parse_event(text: str) -> Mapping[str, Any]:
    event = json.loads(text, parse_int=_integer, parse_constant=_refuse)
    if not isinstance(event, dict):
        raise ValueError("not an object")
    return event


def _integer(digits: str) -> float:
    return int(digits) if len(digits) < 20 else float(digits)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


def _usage(result: Mapping[str, Any]) -> Usage:
    """Return tokens and cost of the whole session: a result event's totals include the earlier ones'."""
    models = [_mapping(usage) for usage in _mapping(result.get("modelUsage")).values()]
    return Usage(
        calls=1,
        input_tokens=sum(_count(usage.get(key)) for usage in models for key in _TOKENS_IN),
        output_tokens=sum(_count(usage.get("outputTokens")) for usage in models),
        cost_usd=_amount(result.get("total_cost_usd")),
    )


def _amount(value: Any) -> Decimal | None:
    known = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return Decimal(str(value)) if known else None


def _denials(result: Mapping[str, Any]) -> list[Any]:
    return _list(result.get("permission_denials"))


def _joined_text(blocks: Iterable[Mapping[str, Any]]) -> str:
    return "\n".join(_text(block.get("text")) for block in blocks if block.get("type") == "text")


def _blocks(content: Any) -> list[Mapping[str, Any]]:
    """Return the blocks of a content, which may be a single text."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block for block in _list(content) if isinstance(block, dict)]


def _count(value: Any) -> int:
    return value if isinstance(value, int) else 0


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _text_or_none(value: Any) -> str | None:
    return value if isinstance(value, str) else None
