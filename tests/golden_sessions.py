"""Sessions in the making, for tests: from a committed stream, or from events."""

import json
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

from judges.check.stream import parse_session, stream_lines
from judges.core.session import ProcessEnd, Session

STREAMS = Path(__file__).parent / "golden" / "streams"
ENDED = ProcessEnd(exit=0, elapsed_ms=7000)


def golden(name: str, end: ProcessEnd = ENDED) -> Session:
    """The session of a committed stream."""
    with (STREAMS / f"{name}.jsonl").open("rb") as file:
        return parse_session(stream_lines(file), end)


def read(data: bytes, end: ProcessEnd = ENDED) -> Session:
    """The session of these bytes."""
    return parse_session(stream_lines(BytesIO(data)), end)


def session(*blocks: Mapping[str, Any], **result: Any) -> Session:
    """A session of one reply with these blocks, the results of its tools among them, and a result event."""
    kinds = {"tool_result": "user"}
    events = [
        {"type": kinds.get(block["type"], "assistant"), "message": {"id": "m1", "content": [block]}}
        for block in blocks
    ]
    ended = {"type": "result", "subtype": "success", "is_error": False, "stop_reason": "end_turn", **result}
    return read(b"\n".join(json.dumps(event, ensure_ascii=False).encode() for event in (*events, ended)))


def text(words: str) -> dict[str, Any]:
    """A block of text."""
    return {"type": "text", "text": words}


def call(tool: str, tool_use_id: str = "t1", **given: Any) -> dict[str, Any]:
    """A call of a tool."""
    return {"type": "tool_use", "id": tool_use_id, "name": tool, "input": given}


def gave(content: Any, tool_use_id: str = "t1", **more: Any) -> dict[str, Any]:
    """The result of a call."""
    return {"type": "tool_result", "tool_use_id": tool_use_id, "content": content, **more}
