"""From the client's stream to a session: golden streams of every kind, damage, and bounds."""

import json
import tracemalloc
from decimal import Decimal
from io import BytesIO
from itertools import repeat

import pytest
from golden_sessions import call, gave, golden, read, session, text
from hypothesis import given
from hypothesis import strategies as st

from judges.check import stream
from judges.check.stream import parse_session, stream_lines
from judges.core.errors import RunError
from judges.core.session import ProcessEnd, Session, ToolCall, ToolResult, ViewName
from judges.core.usage import Usage

TOOLS = {
    ViewName.THINKING: "",
    ViewName.ASSISTANT_TEXT: "Looking.\nDone.\nSTATUS: OK",
    ViewName.TOOL_INPUTS: '{"command":"echo one","description":"Say it"}\n'
    '{"content":"żółw 🎉 \u2028\\t\\"x\\"","file_path":"/w/a.txt"}\n',
    ViewName.TOOL_OUTPUTS: "one\nFile created\nsuccessfully\n",
    ViewName.RESULT: "Done.\nSTATUS: OK",
    ViewName.EVERYTHING: '\nLooking.\nDone.\nSTATUS: OK\n{"command":"echo one","description":"Say it"}\n'
    '{"content":"żółw 🎉 \u2028\\t\\"x\\"","file_path":"/w/a.txt"}\n\none\nFile created\nsuccessfully\n'
    "\nDone.\nSTATUS: OK",
    ViewName.TRANSCRIPT: "[text]\nLooking.\n"
    '[call 1: Bash]\n{"command":"echo one","description":"Say it"}\n[result of call 1: Bash]\none\n'
    '[call 2: Write]\n{"content":"żółw 🎉 \u2028\\t\\"x\\"","file_path":"/w/a.txt"}\n'
    "[result of call 2: Write]\nFile created\nsuccessfully\n"
    "[text]\nDone.\nSTATUS: OK\n[result]\nDone.\nSTATUS: OK\n",
}

TRANSCRIPTS = {
    "thinking": "[thinking]\nFirst.\n[thinking]\nSecond.\n[text]\nAnswer.\n[result]\nAnswer.\n",
    "parallel": '[call 1: Bash, parallel group 1]\n{"command":"echo one"}\n'
    '[call 2: Bash, parallel group 1]\n{"command":"echo two"}\n'
    '[call 3: Read, parallel group 1]\n{"file_path":"/w/a"}\n'
    "[result of call 3: Read]\na\n[result of call 2: Bash]\ntwo\n[result of call 1: Bash]\none\n"
    '[call 4: Bash]\n{"command":"echo three"}\n[result of call 4: Bash]\nthree\n'
    "[text]\nFour calls.\n[result]\nFour calls.\n",
    "subagent": '[call 1: Agent]\n{"description":"part","prompt":"Do it"}\n'
    '[call 2: Bash, subagent of call 1]\n{"command":"echo child"}\n'
    "[result of call 2: Bash, subagent of call 1]\nchild\n"
    "[result of call 1: Agent]\nDone by the subagent.\n[text]\nIt is done.\n[result]\nIt is done.\n",
    "denied": '[call 1: Write]\n{"content":"a","file_path":"/w/a"}\n'
    "[result of call 1: Write, error]\n"
    "Claude requested permissions to write, but you haven't granted it yet.\n"
    "[text]\nI may not write.\n[result]\nI may not write.\n",
    "synthetic": "[text]\nHalf an ans\n[text]\nA whole answer.\n[result]\nA whole answer.\n",
    "refusal": "[text]\nI can't\n[result]\n\n",
    "api_error": "[result]\n\n",
    "several_results": '[call 1: Bash]\n{"command":"sleep 9","run_in_background":true}\n'
    "[result of call 1: Bash]\nCommand running in background\n"
    "[text]\nStarted.\n[text]\nFinished.\n[result]\nFinished.\n",
}


def test_views() -> None:
    """Blocks are joined with newlines; inputs and outputs end with one; escapes are those of JavaScript."""
    assert golden("tools").views == TOOLS


@pytest.mark.parametrize(("name", "expected"), TRANSCRIPTS.items(), ids=TRANSCRIPTS)
def test_transcript(name: str, expected: str) -> None:
    """The transcript has everything in its order, with tools, parallel groups, errors and subagents."""
    assert golden(name).view(ViewName.TRANSCRIPT) == expected


def test_calls_and_results() -> None:
    """Calls are in the order of their blocks; results, in that of their arrival, know their tool."""
    found = golden("subagent")
    assert found.tool_calls == (
        ToolCall(
            tool="Agent",
            canonical='{"description":"part","prompt":"Do it"}',
            tool_use_id="t1",
            message_id="m1",
        ),
        ToolCall(
            tool="Bash",
            canonical='{"command":"echo child"}',
            tool_use_id="t2",
            message_id="m2",
            parent_tool_use_id="t1",
        ),
    )
    assert found.tool_results == (
        ToolResult(tool="Bash", content="child", is_error=False, tool_use_id="t2", parent_tool_use_id="t1"),
        ToolResult(tool="Agent", content="Done by the subagent.", is_error=False, tool_use_id="t1"),
    )
    assert found.tool_calls[1].input == {"command": "echo child"}


def test_a_result_of_no_call_has_no_tool() -> None:
    """A result that belongs to no call in the stream is kept, without a tool."""
    found = session({"type": "tool_result", "tool_use_id": "gone", "content": None, "is_error": "yes"})
    assert found.tool_results == (ToolResult(tool=None, content="", is_error=False, tool_use_id="gone"),)
    assert found.view(ViewName.TRANSCRIPT) == "[result of an unknown call]\n\n[result]\n\n"


def test_the_last_result_counts() -> None:
    """A session that a background task wakes up has several results; totals are those of the last one."""
    run = golden("several_results").run
    assert run.results == 2
    assert run.usage == Usage(calls=1, input_tokens=300, output_tokens=60, cost_usd=Decimal("0.0006"))
    assert run.models == ("claude-haiku-4-5-20251001",)
    assert (run.session_id, run.client_version) == ("s-1", "2.1.332")


def test_what_was_denied_is_named() -> None:
    """The tools that were not allowed are known by name."""
    assert golden("denied").run.denials == ("Write",)


DAMAGED = (
    b'{"type":"system","subtype":"init"}\r\n\r\n   \n'
    b'{"type":"assistant","mess\r\n'
    b"[1,2]\n"
    b'{"type":"assistant","message":{"id":"m0","content":[{"type":"text","text":"caf\xe9 \xff"}]}}\n'
    b'{"type":"brand_new","x":NaN}\n{"type":"brand_new","x":[]}\n{"type":7}\n{"type":["a"]}\nnull\n'
    + b"["
    * 100_000
    + b'\n{"type":"assistant","message":{"content":"a whole text\xe2\x80\xa8in one \\ud83c"}}\n'
    b'{"type":"result","subtype":"success","is_error":false,"stop_reason":"end_turn","result":"ok"}'
)


def test_damage_is_counted_and_passed_over() -> None:
    """Lines that are no JSON object count; blank ones and unknown events do not; bad bytes are replaced."""
    found = read(DAMAGED)
    assert found.run.parse_errors == 5
    assert found.run.repaired_lines == 1
    assert found.view(ViewName.ASSISTANT_TEXT) == "caf\ufffd \ufffd\na whole text\u2028in one \ud83c"
    assert found.view(ViewName.RESULT) == "ok"
    assert found.run.succeeded


ODD = {
    "no values": b'{"type":"result"}',
    "wrong types": b'{"type":"result","subtype":1,"is_error":"no","result":[1],"errors":{"a":1},'
    b'"modelUsage":[],"total_cost_usd":true,"permission_denials":[1,{"tool_name":2}]}',
    "endless numbers": b'{"type":"result","total_cost_usd":1e999,"modelUsage":{"m":{"inputTokens":1e999}}}',
    "long numbers": b'{"type":"result","total_cost_usd":' + b"9" * 5000 + b"}",
    "text for a message": b'{"type":"assistant","message":"hi"}',
    "text for blocks": b'{"type":"assistant","message":{"content":["hi",{"type":["text"]},{"type":"text"}]}}',
    "a call without anything": b'{"type":"assistant","message":{"content":[{"type":"tool_use","name":"A"}]}}',
}


@pytest.mark.parametrize("line", ODD.values(), ids=ODD)
def test_odd_events_do_no_harm(line: bytes) -> None:
    """Values of the wrong type are taken for missing."""
    found = read(line + b"\n")
    assert found.run.parse_errors == 0
    assert found.run.cost_usd is None


KNOWN = st.sampled_from(
    ["type", "message", "content", "id", "result", "usage", "modelUsage", "errors", "name"]
)
WORDS = st.sampled_from(
    ["assistant", "user", "result", "system", "text", "tool_use", "tool_result", "<synthetic>"]
)
EVENTS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | WORDS | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KNOWN | st.text(), inner, max_size=6),
)
LINES = st.binary() | EVENTS.map(lambda event: json.dumps(event).encode())


@given(st.lists(LINES).map(b"\n".join))
def test_nothing_in_a_stream_raises(data: bytes) -> None:
    """Whatever the bytes, there is a session, whose views are known or said to be lost."""
    found = read(data)
    assert sorted([*found.views, *found.lost]) == sorted(ViewName)


@given(st.binary())
def test_lines_end_at_newlines_only(data: bytes) -> None:
    """The lines are those of the bytes, and nothing else is taken for the end of one."""
    assert b"".join(stream_lines(BytesIO(data))) == data
    assert [line.removesuffix(b"\n") for line in stream_lines(BytesIO(data))] == (
        data.removesuffix(b"\n").split(b"\n") if data else []
    )


def lost(found: Session, part: str) -> str:
    """Why a part of a session is not known."""
    with pytest.raises(RunError) as caught:
        found.demand(part)
    return str(caught.value)


def test_a_view_that_is_too_large_is_lost() -> None:
    """A view of more than 16 MB is dropped, and so is all that would hold it; the others are whole."""
    found = session(*[text("é" * 3_000_000)] * 3, result="ok")
    assert set(found.views) == {
        ViewName.THINKING,
        ViewName.TOOL_INPUTS,
        ViewName.TOOL_OUTPUTS,
        ViewName.RESULT,
    }
    assert lost(found, "assistant_text") == "the view 'assistant_text' is larger than 16 MB"
    assert lost(found, "everything") == "the view 'everything' is larger than 16 MB"
    assert lost(found, "transcript") == "the view 'transcript' is larger than 16 MB"


def test_a_view_of_16_mb_is_whole() -> None:
    """The limit itself is allowed: a view is as large as 16 MB, everything and the transcript are larger."""
    found = session(*[text("x" * 7_999_999)] * 2, text(""))
    assert len(found.view(ViewName.ASSISTANT_TEXT)) == 16_000_000
    assert set(found.lost) == {"everything", "transcript"}


def test_no_more_is_kept_of_calls_than_of_their_view() -> None:
    """Calls and results still count, and errors among them, once their texts are too large to be kept."""
    text = "x" * 9_000_000
    blocks = [
        (call("Write", f"t{n}", content=text), gave(text, f"t{n}", is_error=n == 4)) for n in range(1, 5)
    ]
    found = session(*(block for pair in blocks for block in pair))
    assert [len(each.canonical) for each in found.tool_calls] == [9_000_014, 9_000_014, 0, 0]
    assert [len(each.content) for each in found.tool_results] == [9_000_000, 9_000_000, 0, 0]
    assert [(each.tool, each.is_error) for each in found.tool_results] == [
        ("Write", False),
        ("Write", False),
        ("Write", False),
        ("Write", True),
    ]
    assert set(found.lost) == {"tool_inputs", "tool_outputs", "everything", "transcript"}


def test_200_mb_of_stream_take_bounded_memory() -> None:
    """Of a stream of 200 MB, no more is held than a line and what the views may hold."""
    result = {"type": "user", "message": {"content": [gave("x" * 1_000_000)]}}
    line = json.dumps(result).encode()
    tracemalloc.start()
    try:
        found = parse_session(repeat(line, 200), ProcessEnd())
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(found.tool_results) == 200
    assert peak < 100_000_000


def test_a_line_that_is_too_long_is_not_read() -> None:
    """A line of 50 MB is passed over as malformed; as what it held is not known, no view is."""
    event = b'{"type":"assistant","message":{"content":"' + b"x" * 50_000_000 + b'"}}'
    ending = b'{"type":"result","subtype":"success","is_error":false,"result":"ok"}'
    found = read(b"\n".join((event, ending, event)))
    assert found.run.parse_errors == 2
    assert found.run.succeeded
    assert not set(ViewName) - set(found.lost)
    why = "a line of the stream is longer than 16 MB and was not read"
    assert lost(found, "result") == lost(found, "tool_calls") == lost(found, "tool_results") == why


def test_a_line_of_16_mb_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit of a line does not count its newline."""
    line = b'{"type":"result","result":"ok"}'
    monkeypatch.setattr(stream, "MAX_LINE_BYTES", len(line))
    assert list(stream_lines(BytesIO(line + b"\n" + line + b"!\n!"))) == [line + b"\n", line + b"!", b"!"]
    assert read(line + b"\n" + line).run.results == 2
    assert read(line + b" \n" + line).run.parse_errors == 1


def test_too_many_calls_are_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there are more calls than are kept, nothing about calls and texts is known."""
    monkeypatch.setattr(stream, "MAX_CALLS", 3)
    assert golden("tools").lost == {}
    why = "there are more than 3 tool calls or results"
    assert golden("parallel").lost == dict.fromkeys((*ViewName, "tool_calls", "tool_results"), why)


def test_lines_may_come_from_anywhere() -> None:
    """A stream that is being written is read line by line."""
    lines = iter([b'{"type":"result","subtype":"success",', b'{"type":"result","subtype":"success"}\n'])
    found = parse_session(lines, ProcessEnd())
    assert (found.run.parse_errors, found.run.subtype, found.run.end.exit) == (1, "success", None)
