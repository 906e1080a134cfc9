"""The conditions of each family: what passes, and what is shown of what does not."""

from pathlib import Path
from typing import Any

import pytest
from golden_sessions import call, gave, golden, read, session, text

from judges.check.grade_session import build_conditions, grade_session
from judges.core.row import Row
from judges.core.session import ProcessEnd, Session
from judges.core.verdict import Verdict
from judges.files.pass_conditions import PassConditions, Pattern, ResultConditions


def pattern(source: str, case_sensitive: bool = True) -> dict[str, Any]:
    """A pattern as it stands in a file."""
    return {"pattern": source, "case_sensitive": case_sensitive}


def grade(found: Session, asked: dict[str, Any], workspace: Path | None = None) -> list[Row]:
    """The rows but the one of `run.completed`."""
    return list(grade_session(PassConditions.model_validate(asked), found, workspace)[1:])


def outcome(found: Session, asked: dict[str, Any], workspace: Path | None = None) -> str:
    """The verdict of the only row, and what is shown of it."""
    (row,) = grade(found, asked, workspace)
    assert row.error == (row.actual_excerpt if row.verdict is Verdict.ERROR else None)
    return f"{row.verdict} {row.actual_excerpt}".strip()


RUN = {
    "succeeded": ({"must_succeed": True}, "PASS"),
    "duration": ({"max_duration_ms": 7000}, "PASS"),
    "too long": ({"max_duration_ms": 6999}, "FAIL elapsed_ms=7000 limit=6999"),
    "parse errors": ({"max_parse_errors": 0}, "PASS"),
    "cost": ({"max_cost_usd": 0.0008}, "PASS"),
    "too dear": ({"max_cost_usd": 0.0005}, "FAIL cost_usd=0.0008 limit=0.0005"),
    "free": ({"max_cost_usd": 0}, "FAIL cost_usd=0.0008 limit=0"),
}


@pytest.mark.parametrize(("asked", "expected"), RUN.values(), ids=RUN)
def test_run(asked: dict[str, Any], expected: str) -> None:
    """A limit may be reached, not passed; what it was is shown."""
    assert outcome(golden("tools"), {"run": asked}) == expected


def test_what_is_not_known_of_a_run_is_an_error() -> None:
    """A duration or cost that nobody told is neither within a limit nor over it."""
    found = golden("tools", ProcessEnd())
    why = "ERROR elapsed_ms of this session is not known"
    assert outcome(found, {"run": {"max_duration_ms": 1}}) == why
    assert outcome(session(), {"run": {"max_cost_usd": 1}}) == "ERROR cost_usd of this session is not known"


def test_lines_that_are_no_json_are_counted() -> None:
    """A line that was cut is one parse error, which does not keep the rest from being graded."""
    ending = b'{"type":"result","subtype":"success","is_error":false,"stop_reason":"end_turn"}'
    found = read(b'{"type":"assistant","mess\n' + ending)
    assert outcome(found, {"run": {"max_parse_errors": 0}}) == "FAIL parse_errors=1 limit=0"
    assert outcome(found, {"run": {"max_parse_errors": 1}}) == "PASS"


LONG = "a" * 50 + "secret" + "b" * 200

VIEWS = {
    "included": ("must_include", pattern("^STATUS: OK$"), "STATUS: OK", "PASS"),
    "case": (
        "must_include",
        pattern("status"),
        "STATUS: OK",
        "FAIL absent: status (case_sensitive=true)",
    ),
    "any case": ("must_include", pattern("status", case_sensitive=False), "STATUS: OK", "PASS"),
    "absent in any case": (
        "must_include",
        pattern("none", case_sensitive=False),
        "STATUS: OK",
        "FAIL absent: none (case_sensitive=false)",
    ),
    "not included": ("must_not_include", pattern("secret"), "public", "PASS"),
    "a hit": ("must_not_include", pattern("se.ret"), "a secret!", "FAIL a secret!"),
    "a hit in a long text": (
        "must_not_include",
        pattern("secret"),
        LONG,
        f"FAIL …{'a' * 40}secret{'b' * 160}…",
    ),
    "an empty hit": ("must_not_include", pattern("$"), "", "FAIL"),
    "too slow": (
        "must_include",
        pattern("^(a|aa)+$"),
        "a" * 60 + "b",
        "ERROR the pattern took more than 1 s and was stopped",
    ),
    "too slow to miss": (
        "must_not_include",
        pattern("^(a|aa)+$"),
        "a" * 60 + "b",
        "ERROR the pattern took more than 1 s and was stopped",
    ),
    "no pattern": ("must_include", pattern("a("), "a", "ERROR INVALID_REGEX: expecting ')'"),
    "no pattern to miss": ("must_not_include", pattern("a("), "a", "ERROR INVALID_REGEX: expecting ')'"),
}


@pytest.mark.parametrize(("mode", "asked", "said", "expected"), VIEWS.values(), ids=VIEWS)
def test_views(mode: str, asked: dict[str, Any], said: str, expected: str) -> None:
    """A pattern that is absent is named; of one that must not be there the first match is shown."""
    assert outcome(session(text(said)), {"views": {"assistant_text": {mode: [asked]}}}) == expected


def test_rows_of_views_are_in_the_order_of_the_views() -> None:
    """Views have one order, and so have the two lists of each; rows carry their pattern."""
    asked = {
        "transcript": {"must_include": [pattern("a")]},
        "result": {"must_not_include": [pattern("b"), pattern("c", False)]},
        "thinking": {"must_not_include": [pattern("d")], "must_include": [pattern("e")]},
    }
    rows = grade(session(), {"views": asked})
    assert [(row.id, row.kind, row.spec["pattern"]) for row in rows] == [
        ("views.thinking.must_include[0]", "views.thinking.must_include", "e"),
        ("views.thinking.must_not_include[0]", "views.thinking.must_not_include", "d"),
        ("views.result.must_not_include[0]", "views.result.must_not_include", "b"),
        ("views.result.must_not_include[1]", "views.result.must_not_include", "c"),
        ("views.transcript.must_include[0]", "views.transcript.must_include", "a"),
    ]
    assert rows[3].spec == {"pattern": "c", "case_sensitive": False}


RESULT = {
    "match": ({"must_match": pattern(r"STATUS:\s*OK")}, "STATUS: OK", "PASS"),
    "no match": (
        {"must_match": pattern("STATUS")},
        'He said "no"\n' + "x" * 300,
        'FAIL result="He said \\"no\\"\\n' + "x" * 187 + '"',
    ),
    "no result": ({"must_match": pattern("STATUS")}, "", 'FAIL result=""'),
    "no hit": ({"must_not_match": pattern("FAIL")}, "OK", "PASS"),
    "hit": ({"must_not_match": pattern("FAIL")}, "STATUS: FAIL", "FAIL STATUS: FAIL"),
}


@pytest.mark.parametrize(("asked", "said", "expected"), RESULT.values(), ids=RESULT)
def test_result(asked: dict[str, Any], said: str, expected: str) -> None:
    """Of a result that does not match the start is shown."""
    assert outcome(session(result=said), {"result": asked}) == expected


CALLED = session(
    call("Bash", "t1", command="echo 1"),
    call("Read", "t2", file_path="/etc/a"),
    gave("1", "t1"),
    gave("no such file", "t2", is_error=True),
    call("Bash", "t3", command="make"),
    gave("failed", "t3", is_error=True),
    call("Write", "t4", content="x", file_path="/w/a"),
)
OBSERVED = "observed=[Bash×2,Read×1,Write×1]"  # noqa: RUF001  (the sign that the original prints)

CALLS = {
    "required": ({"required": ["Bash"]}, "PASS"),
    "missing": ({"required": ["Edit"]}, f"FAIL missing tool: Edit; {OBSERVED}"),
    "not forbidden": ({"forbidden": ["Edit"]}, "PASS"),
    "forbidden": ({"forbidden": ["Read"]}, f"FAIL forbidden tool invoked: Read (invocation #2); {OBSERVED}"),
    "exactly": ({"counts": {"Bash": {"exact": 2}}}, "PASS"),
    "not exactly": ({"counts": {"Bash": {"exact": 1}}}, "FAIL Bash count=2 exact=1"),
    "at least": ({"counts": {"Bash": {"min": 2}}}, "PASS"),
    "fewer": ({"counts": {"Edit": {"min": 1}}}, "FAIL Edit count=0 min=1"),
    "at most": ({"counts": {"Bash": {"max": 2}}}, "PASS"),
    "more": ({"counts": {"Bash": {"min": 0, "max": 1}}}, "FAIL Bash count=2 min=0 max=1"),
    "none": ({"counts": {"Edit": {"exact": 0}}}, "PASS"),
    "in order": ({"order": ["Bash", "Bash", "Write"]}, "PASS"),
    "out of order": (
        {"order": ["Write", "Read"]},
        "FAIL expected subsequence=[Write,Read] observed=[Bash,Read,Bash,Write]",
    ),
    "more often in order": (
        {"order": ["Read", "Read"]},
        "FAIL expected subsequence=[Read,Read] observed=[Bash,Read,Bash,Write]",
    ),
    "input": ({"inputs": [{"tool": "Bash", "must_match": pattern('^{"command":"make')}]}, "PASS"),
    "sorted input": (
        {"inputs": [{"tool": "Write", "must_match": pattern('^{"content":"x","file_path":"/w/a"}$')}]},
        "PASS",
    ),
    "input of another tool": (
        {"inputs": [{"tool": "Read", "must_match": pattern("make")}]},
        "FAIL no invocation of Read matched /make/ (invocations=1)",
    ),
    "input of no call": (
        {"inputs": [{"tool": "Edit", "must_match": pattern(".")}]},
        "FAIL no invocation of Edit matched /./ (invocations=0)",
    ),
    "no such input": ({"inputs": [{"tool": "Bash", "must_not_match": pattern("rm -rf")}]}, "PASS"),
    "such an input": (
        {"inputs": [{"tool": "Bash", "must_not_match": pattern("MAKE", case_sensitive=False)}]},
        "FAIL invocation #2 of Bash matched forbidden /MAKE/",
    ),
    "no pattern, no call": (
        {"inputs": [{"tool": "Edit", "must_not_match": pattern("[")}]},
        "ERROR INVALID_REGEX: unexpected end",
    ),
}


@pytest.mark.parametrize(("asked", "expected"), CALLS.values(), ids=CALLS)
def test_tool_calls(asked: dict[str, Any], expected: str) -> None:
    """Tools that were called are counted and named, in the order in which they were called."""
    assert outcome(CALLED, {"tool_calls": asked}) == expected


def test_rows_of_tool_calls() -> None:
    """Ids, kinds and specs; where an entry has both patterns, the second one's id says so."""
    asked = {
        "counts": {"Bash": {"min": 1, "max": 3}},
        "order": ["Bash"],
        "inputs": [
            {"tool": "Read", "must_not_match": pattern("a", False)},
            {"tool": "Bash", "must_match": pattern("b"), "must_not_match": pattern("c")},
        ],
    }
    rows = grade(CALLED, {"tool_calls": asked})
    inputs = {"mode": "must_not_match", "case_sensitive": True}
    assert [(row.id, row.kind, row.spec) for row in rows] == [
        ("tool_calls.counts.Bash", "tool_calls.counts", {"tool": "Bash", "min": 1, "max": 3}),
        ("tool_calls.order", "tool_calls.order", {"order": ["Bash"]}),
        (
            "tool_calls.inputs[0].Read",
            "tool_calls.inputs",
            {**inputs, "tool": "Read", "pattern": "a", "case_sensitive": False},
        ),
        (
            "tool_calls.inputs[1].Bash",
            "tool_calls.inputs",
            {**inputs, "tool": "Bash", "pattern": "b", "mode": "must_match"},
        ),
        (
            "tool_calls.inputs[1].Bash.must_not_match",
            "tool_calls.inputs",
            {**inputs, "tool": "Bash", "pattern": "c"},
        ),
    ]


RESULTS = {
    "errors": ({"all_succeeded": True}, "FAIL errored=[Read,Bash]"),
    "none errored": (
        {"per_tool": {"Write": {"must_succeed": True}}},
        "FAIL no tool_result observed for Write",
    ),
    "one of two": ({"per_tool": {"Bash": {"must_succeed": True}}}, "FAIL Bash errors=1/2"),
}


@pytest.mark.parametrize(("asked", "expected"), RESULTS.values(), ids=RESULTS)
def test_tool_results(asked: dict[str, Any], expected: str) -> None:
    """Tools that gave an error are named; a call without a result is not one that succeeded."""
    assert outcome(CALLED, {"tool_results": asked}) == expected


def test_what_succeeded_passes() -> None:
    """A result that says nothing of an error is none; one of no known call still counts."""
    asked = {"tool_results": {"all_succeeded": True, "per_tool": {"Bash": {"must_succeed": True}}}}
    fine = session(call("Bash"), gave("ok"))
    assert [row.verdict for row in grade(fine, asked)] == [Verdict.PASS, Verdict.PASS]
    unknown = session(call("Bash"), gave("ok"), gave("bad", "gone", is_error=True))
    assert [row.actual_excerpt for row in grade(unknown, asked)] == ["errored=[unknown]", ""]


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A folder with a file in it, one beside it, and a link to that."""
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "a.txt").write_text("Done.\nSTATUS: OK\n", encoding="utf-8")
    (tmp_path / "secret").write_text("STATUS: OK", encoding="utf-8")
    (folder / "link").symlink_to("../secret")
    return folder


FILES = {
    "exists": ({"path": "a.txt", "exists": True}, "PASS"),
    "does not exist": ({"path": "b.txt", "exists": True}, "FAIL there is no b.txt"),
    "must not exist": ({"path": "a.txt", "exists": False}, "FAIL there is a.txt"),
    "does not, must not": ({"path": "b.txt", "exists": False}, "PASS"),
    "matches": ({"path": "a.txt", "must_match": pattern("STATUS: OK")}, "PASS"),
    "no match": (
        {"path": "a.txt", "must_match": pattern("FAIL")},
        "FAIL absent: FAIL (case_sensitive=true)",
    ),
    "no hit": ({"path": "a.txt", "must_not_match": pattern("FAIL")}, "PASS"),
    "hit": ({"path": "a.txt", "must_not_match": pattern("STATUS")}, "FAIL Done.\nSTATUS: OK"),
    "nothing to match": ({"path": "b.txt", "must_not_match": pattern("FAIL")}, "FAIL there is no b.txt"),
    "a link that leads out": (
        {"path": "link", "must_match": pattern("STATUS")},
        "FAIL link leads out of the workspace",
    ),
    "a link that must not exist": ({"path": "link", "exists": False}, "FAIL there is link"),
}


@pytest.mark.parametrize(("asked", "expected"), FILES.values(), ids=FILES)
def test_files(asked: dict[str, Any], expected: str, workspace: Path) -> None:
    """A file is looked at in the workspace alone; a pattern needs one, whichever way it is meant."""
    assert outcome(session(), {"files": [asked]}, workspace) == expected


def test_rows_of_files(workspace: Path) -> None:
    """One entry has a row for each thing that it asks, with the path in its spec."""
    asked = {"path": "a.txt", "exists": True, "must_match": pattern("a"), "must_not_match": pattern("b")}
    rows = grade(session(), {"files": [asked]}, workspace)
    assert [(row.id, row.kind, row.spec) for row in rows] == [
        ("files[0].exists", "files.exists", {"path": "a.txt", "exists": True}),
        ("files[0].must_match", "files.must_match", {"path": "a.txt", **pattern("a")}),
        ("files[0].must_not_match", "files.must_not_match", {"path": "a.txt", **pattern("b")}),
    ]


def test_files_of_a_workspace_that_is_gone() -> None:
    """Where no workspace was kept, nothing can be told of its files."""
    asked = {"files": [{"path": "a.txt", "exists": False}]}
    assert outcome(session(), asked) == "ERROR the workspace of this session was not kept"


def test_a_file_that_is_too_large(workspace: Path) -> None:
    """A file of more than 16 MB is not matched against in part."""
    with (workspace / "a.txt").open("r+b") as file:
        file.truncate(16_000_001)
    asked = {"files": [{"path": "a.txt", "must_not_match": pattern("FAIL")}]}
    assert outcome(session(), asked, workspace) == "ERROR a.txt is larger than 16 MB"


def test_an_excerpt_has_an_end() -> None:
    """Neither a long pattern nor a long match fills the report."""
    asked = ResultConditions(must_match=Pattern(pattern="x" * 5000, case_sensitive=True))
    (row,) = grade(session(result=""), {"views": {"result": {"must_include": [asked.must_match]}}})
    assert len(row.actual_excerpt or "") == 1200
    (row,) = grade(session(result="y" * 5000), {"result": {"must_not_match": pattern("y+")}})
    assert row.actual_excerpt == "y" * 1160 + "…"


def test_conditions_are_known_before_there_is_a_session() -> None:
    """The rows of a fixture can be named before anything is run."""
    conditions = build_conditions(PassConditions.model_validate({"run": {"must_succeed": True}}))
    assert [condition.id for condition in conditions] == ["run.completed", "run.must_succeed"]
