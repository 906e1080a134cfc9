"""Rows of whole sessions: their order, and that nothing passes where there is nothing to grade."""

import json
from pathlib import Path
from typing import Any

import pytest
from golden_sessions import ENDED, golden, session

from judges.check.completed import why_incomplete
from judges.check.grade_session import grade_session
from judges.check.stream import parse_session, stream_lines
from judges.core.encode import encode_row
from judges.core.session import ProcessEnd, Session
from judges.core.verdict import Verdict
from judges.files.fixture import compose_front_matter
from judges.files.fixture_meta import FixtureMeta
from judges.files.pass_conditions import PassConditions
from judges.files.shape import parse_model

ABSENT = {"pattern": "no such text", "case_sensitive": True}
STATUS = {"pattern": r"status:\s*ok", "case_sensitive": False}

EVERY_FAMILY = PassConditions.model_validate(
    {
        "files": [{"path": "a.txt", "exists": False}],
        "result": {"must_not_match": ABSENT, "must_match": STATUS},
        "tool_results": {"per_tool": {"Write": {"must_succeed": True}}, "all_succeeded": True},
        "tool_calls": {
            "inputs": [{"tool": "Bash", "must_match": {"pattern": "echo", "case_sensitive": True}}],
            "order": ["Bash", "Write"],
            "counts": {"Bash": {"max": 1, "min": 1}},
            "forbidden": ["WebFetch"],
            "required": ["Bash"],
        },
        "views": {"transcript": {"must_include": [STATUS]}, "thinking": {"must_not_include": [ABSENT]}},
        "run": {"max_cost_usd": 0.5, "max_parse_errors": 0, "max_duration_ms": 7000, "must_succeed": True},
    }
)

IDS = (
    "run.completed",
    "run.must_succeed",
    "run.max_duration_ms",
    "run.max_parse_errors",
    "run.max_cost_usd",
    "views.thinking.must_not_include[0]",
    "views.transcript.must_include[0]",
    "tool_calls.required[0]",
    "tool_calls.forbidden[0]",
    "tool_calls.counts.Bash",
    "tool_calls.order",
    "tool_calls.inputs[0].Bash",
    "tool_results.all_succeeded",
    "tool_results.per_tool.Write",
    "result.must_match",
    "result.must_not_match",
    "files[0].exists",
)


def test_rows_of_every_family_in_order(tmp_path: Path) -> None:
    """The order is that of the families, whatever the order in the file; all of them can pass."""
    rows = grade_session(EVERY_FAMILY, golden("tools"), tmp_path)
    assert [(row.id, row.verdict, row.actual_excerpt) for row in rows] == [
        (name, Verdict.PASS, "") for name in IDS
    ]


@pytest.mark.parametrize("name", ["api_error", "cut", "killed", "interrupted", "several_results_cut"])
def test_nothing_passes_in_a_session_that_did_not_complete(name: str, tmp_path: Path) -> None:
    """Every row is ERROR with the reason: not PASS for want of text, not FAIL for what was never said."""
    found = golden(name)
    why = why_incomplete(found.run)
    rows = grade_session(EVERY_FAMILY, found, tmp_path)
    assert [(row.id, row.verdict, row.error) for row in rows] == [(name, Verdict.ERROR, why) for name in IDS]


def verdicts(found: Session, **asked: Any) -> dict[str, str]:
    """The verdict of each row."""
    rows = grade_session(PassConditions.model_validate(asked), found)
    return {row.id: row.verdict.value for row in rows}


@pytest.mark.parametrize(
    ("name", "word", "excerpt"),
    [
        ("max_turns", "nothing", "subtype=error_max_turns is_error=true"),
        ("refusal", "API Error", "subtype=success is_error=true stop_reason=refusal"),
    ],
)
def test_a_limit_and_a_refusal_fail_and_are_graded(name: str, word: str, excerpt: str) -> None:
    """They fail run.must_succeed; the other rows are graded, without what the client said."""
    asked = PassConditions.model_validate(
        {
            "run": {"must_succeed": True},
            "views": {"everything": {"must_not_include": [{"pattern": word, "case_sensitive": True}]}},
        }
    )
    completed, succeeded, view = grade_session(asked, golden(name, ProcessEnd(exit=1)))
    assert (completed.verdict, view.verdict) == (Verdict.PASS, Verdict.PASS)
    assert (succeeded.verdict, succeeded.actual_excerpt) == (Verdict.FAIL, excerpt)


def test_calls_of_subagents_count() -> None:
    """A call of a subagent is one of the session, in its place."""
    asked = {"counts": {"Bash": {"exact": 1}}, "order": ["Agent", "Bash"], "forbidden": ["Bash"]}
    assert verdicts(golden("subagent"), tool_calls=asked) == {
        "run.completed": "PASS",
        "tool_calls.forbidden[0]": "FAIL",
        "tool_calls.counts.Bash": "PASS",
        "tool_calls.order": "PASS",
    }


def test_a_view_that_is_too_large_is_an_error() -> None:
    """Rows of a view over 16 MB are ERROR; the others are graded."""
    found = session({"type": "text", "text": "x" * 9_000_000}, {"type": "text", "text": "x" * 9_000_000})
    pattern = {"must_not_include": [ABSENT]}
    assert verdicts(found, views={"assistant_text": pattern, "everything": pattern, "result": pattern}) == {
        "run.completed": "PASS",
        "views.assistant_text.must_not_include[0]": "ERROR",
        "views.everything.must_not_include[0]": "ERROR",
        "views.result.must_not_include[0]": "PASS",
    }


@pytest.fixture
def conformance(reference_data: Path) -> Path:
    """The folder of what the original harness and the real client gave."""
    return reference_data.parent / "conformance"


def load(path: Path, end: ProcessEnd) -> Session:
    """The session of a stream."""
    with path.open("rb") as file:
        return parse_session(stream_lines(file), end)


@pytest.mark.reference
def test_rows_are_those_of_the_original(conformance: Path) -> None:
    """The six fixtures give the rows that the original gave: ids, kinds, verdicts, excerpts and specs."""
    harness = conformance / "harness"
    expected = json.loads((harness / "grades_on_golden.json").read_text())
    found = load(harness / "golden-stream.jsonl", ENDED)
    for name, graded in expected.items():
        meta = parse_model(FixtureMeta, compose_front_matter(harness / name))
        completed, *rows = grade_session(meta.pass_conditions, found)
        assert completed.verdict is Verdict.PASS
        theirs = [row for row in graded["judge_pass"]["rows"] if row["kind"] != "semantic"]
        assert len(rows) == len(theirs)
        for row, original in zip(rows, theirs, strict=True):
            assert encode_row(row).items() >= original.items()
    assert len(expected) == 6


@pytest.mark.reference
def test_views_are_those_of_the_original(conformance: Path) -> None:
    """The views, calls and results that the original made of its stream."""
    harness = conformance / "harness"
    expected = json.loads((harness / "views_on_golden.json").read_text())
    found = load(harness / "golden-stream.jsonl", ENDED)
    calls, results, run = (expected.pop(name) for name in ("tool_calls", "tool_results", "run"))
    assert {name: found.view(name) for name in expected} == expected
    assert [{key: getattr(each, key) for key in calls[0]} for each in found.tool_calls] == calls
    assert [{key: getattr(each, key) for key in results[0]} for each in found.tool_results] == results
    assert run == {
        "subtype": found.run.subtype,
        "is_error": found.run.is_error,
        "elapsed_ms": found.run.end.elapsed_ms,
        "parse_errors": found.run.parse_errors,
    }


FAILED = {"refusal", "max_turns", "max_budget"}
UNMEASURED = {
    *("api_400", "api_401", "api_403", "api_404", "api_429", "api_500", "api_529", "api_dropbefore"),
    *("no_api_key", "maxtok", "dropmid", "sseerr"),
    *("killed_hang_sigkill", "killed_longbash_sigterm", "killed_longbash_sigint"),
}


@pytest.mark.reference
@pytest.mark.parametrize("told", [True, False], ids=["timeouts are told", "timeouts are not told"])
def test_streams_of_the_real_client_are_told_apart(told: bool, conformance: Path) -> None:
    """Each capture of the real client is a success, a failure, or could not be measured."""
    folder = conformance / "claude-cli" / "2.1.332"
    graded: dict[str, set[str]] = {"PASS": set(), "FAIL": set(), "ERROR": set()}
    for name, run in json.loads((folder / "manifest.json").read_text()).items():
        if run["file"].endswith(".jsonl"):
            code = run["rc"]
            end = ProcessEnd(
                exit=code if code >= 0 else None,
                signal="SIGKILL" if code < 0 else None,
                timed_out=told and run["timed_out"],
            )
            graded[
                verdicts(load(folder / run["file"], end), run={"must_succeed": True})["run.must_succeed"]
            ].add(name)
    assert graded["FAIL"] == FAILED
    assert graded["ERROR"] == UNMEASURED
    assert len(graded["PASS"]) == 28
