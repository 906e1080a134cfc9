"""The grades that the original harness gave, from the procedure that runs fixtures: whole files."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from judges.core.case import Trial
from judges.core.encode import decode_row
from judges.core.report import CaseReport, SuiteKind, SuiteReport, Totals
from judges.core.row import Row
from judges.core.verdict import worst
from judges.files.fixture import FixtureSuite, load_fixture, parse_fixture
from judges.providers import ScriptedProvider
from judges.run.connections import Connections
from judges.run.fixture.bench import replica_outcome
from judges.run.fixture.grade import build_grader
from judges.run.fixture.plan import fixture_case, plan_fixture
from judges.run.fixture.procedure import PROCEDURE, merge_replicas
from judges.run.fixture.replica import read_replica
from judges.run.options import RunOptions
from judges.run.progress import SuiteProgress

pytestmark = pytest.mark.reference

META = {"exit": 0, "signal": None, "timed_out": False, "elapsed_ms": 7000, "replica_id": 1}
SAID = {"judge_pass": "PASS", "judge_fail": "FAIL"}
OWN = ("judge_duration_ms",)
"""What differs from run to run."""


@pytest.fixture
def harness(reference_data: Path) -> Path:
    """The folder of what the original was given, and gave."""
    return reference_data.parent / "conformance/harness"


def grade(suite: FixtureSuite, folder: Path, said: str) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Return grade.json of a replica and of its fixture, with a judge that always says the same."""
    judge = ScriptedProvider(lambda _: {"verdict": said, "reasoning": "stub"})
    names = {name for each in suite.meta.pass_conditions.semantic for name in each.asked}
    grader = build_grader(suite, Connections(environ={}, own=dict.fromkeys(names, judge)))
    trial = Trial(fixture_case(suite), model=suite.meta.model)
    progress = SuiteProgress(plan_fixture(suite, RunOptions(live=True)), folder)
    for index in range(suite.meta.runs):
        progress.add([(index, replica_outcome(trial, grader.grade(read_replica(folder / "r1"))))])
    progress.finish()
    assert len(judge.requests) == len(suite.meta.pass_conditions.semantic) * suite.meta.runs
    one, whole = (json.loads((folder / name).read_text()) for name in ("r1/grade.json", "grade.json"))
    return one, whole


@pytest.mark.parametrize("said", SAID)
def test_whole_grade_files(harness: Path, tmp_path: Path, said: str) -> None:
    """Six fixtures on the real stream: every key and row of the original is there, with its value."""
    expected = json.loads((harness / "grades_on_golden.json").read_text())
    prompt = tmp_path / "plugins/planning-suite/agents/delivery-agent.md"
    prompt.parent.mkdir(parents=True)
    prompt.write_text("You are an agent.")
    for name, graded in expected.items():
        suite = load_fixture(harness / name, root=tmp_path)
        folder = tmp_path / suite.name
        (folder / "r1").mkdir(parents=True)
        (folder / "r1/stream.jsonl").write_bytes((harness / "golden-stream.jsonl").read_bytes())
        (folder / "r1/run.meta.json").write_text(json.dumps(META))
        one, whole = grade(suite, folder, SAID[said])
        _compare(one, graded[said])
        assert whole["fixture"] == graded[said]["fixture"]
        assert (whole["overall"], whole["runs"]) == (graded[said]["overall"], suite.meta.runs)
        if suite.meta.runs == 1:
            _compare(whole, graded[said])
        k = suite.meta.runs
        rates = {row["id"]: row["pass_rate"] for row in whole["rows"]}
        passed = {row["id"]: row["verdict"] == "PASS" for row in graded[said]["rows"]}
        assert {row: rates[row] for row in passed} == {
            row: f"{k if yes else 0}/{k}" for row, yes in passed.items()
        }
    assert len(expected) == 6


def _compare(found: Mapping[str, Any], original: Mapping[str, Any]) -> None:
    """All but the rows is equal; the row of our own comes first; the others have every key of theirs."""
    assert found.items() >= {key: value for key, value in original.items() if key != "rows"}.items()
    completed, *rows = found["rows"]
    assert (completed["id"], completed["verdict"]) == ("run.completed", "PASS")
    assert len(rows) == len(original["rows"])
    for row, theirs in zip(rows, original["rows"], strict=True):
        assert row.keys() >= theirs.keys()
        assert row.items() >= {key: value for key, value in theirs.items() if key not in OWN}.items()


TEXT = """\
---
runs: {runs}
quorum: {quorum}
pass_conditions: {{run: {{must_succeed: true}}}}
---
# Prompt body

Hi
"""


def test_aggregates(harness: Path, tmp_path: Path) -> None:
    """The rows of replicas come to what the original made of them."""
    cases = json.loads((harness / "aggregate.json").read_text())
    for case in cases:
        text = TEXT.format(runs=len(case["grades"]), quorum=case["quorum"])
        suite = parse_fixture(text, tmp_path / "a.fixture.md", root=tmp_path)
        merged = merge_replicas(suite, [_replica(suite, each["rows"]) for each in case["grades"]])
        rows = PROCEDURE.grade(plan_fixture(suite, RunOptions()), _report(merged, suite, tmp_path))["rows"]
        assert len(rows) == len(case["out"])
        for row, original in zip(rows, case["out"], strict=True):
            assert row.items() >= original.items()
    assert len(cases) > 3


def _replica(suite: FixtureSuite, rows: list[dict[str, Any]]) -> CaseReport:
    decoded: tuple[Row, ...] = tuple(decode_row({"score": None, "error": None, **row}) for row in rows)
    case = fixture_case(suite)
    verdict = worst(row.verdict for row in decoded)
    return CaseReport(ref=case.ref, title=case.title, category=None, verdict=verdict, rows=decoded)


def _report(case: CaseReport, suite: FixtureSuite, folder: Path) -> SuiteReport:
    return SuiteReport(
        name=suite.name,
        kind=SuiteKind.FIXTURE,
        path=suite.path,
        verdict=case.verdict,
        run_dir=folder,
        cases=[case],
        totals=Totals(cases=1),
    )
