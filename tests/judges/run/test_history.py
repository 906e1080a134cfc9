"""How a suite ended in the runs before."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from stored_run import store_report

from judges.core.report import CaseReport, Report, SuiteKind, SuiteReport, Totals
from judges.core.verdict import ExitCode, Verdict
from judges.run.history import Point, read_history


def make_suite(scores: Sequence[str | None], name: str = "greeting", skipped: int = 0) -> SuiteReport:
    cases = tuple(
        CaseReport(
            ref=str(at),
            title='"score":99.0,"judged_score":99.0',
            category=None,
            verdict=Verdict.PASS,
            rows=(),
            score=None if score is None else Decimal(score),
        )
        for at, score in enumerate(scores)
    )
    return SuiteReport(
        name=name,
        kind=SuiteKind.PROMPT,
        path=Path("p"),
        verdict=Verdict.PASS,
        run_dir=Path("r") / name,
        cases=cases,
        totals=Totals(cases=len(cases), passed=1, skipped=skipped),
    )


def store(root: Path, day: int, *suites: SuiteReport) -> Path:
    name = f"202611{day:02}T131400Z-ab12"
    report = Report(
        verdict=Verdict.PASS, exit_code=ExitCode.PASSED, run_dir=Path("runs") / name, suites=suites
    )
    return store_report(root, report)


def test_runs_up_to_this_one(tmp_path: Path) -> None:
    """Earlier runs with the suite, oldest first, without later ones and those of other suites."""
    store(tmp_path, 1, make_suite(["50", "75.5"]))
    store(tmp_path, 2, make_suite(["0"], name="other"))
    this = store(tmp_path, 3, make_suite(["1E+2", None, None], skipped=1), make_suite(["0"], name="other"))
    store(tmp_path, 4, make_suite(["0"]))
    found = read_history(this, make_suite([]))
    assert [(point.run[:8], point.pass_rate, point.mean_score) for point in found] == [
        ("20261101", 50.0, 62.75),
        ("20261103", 50.0, 100.0),
    ]


def test_the_latest_are_enough(tmp_path: Path) -> None:
    """No more runs are read than are shown."""
    runs = [store(tmp_path, day, make_suite(["50"])) for day in range(1, 6)]
    assert [point.run for point in read_history(runs[4], make_suite([]), 2)] == [
        runs[3].name,
        runs[4].name,
    ]


@pytest.mark.parametrize(
    ("file", "text"),
    [("run.json", "{}"), ("greeting/grade.json", "[]"), ("greeting/grade.json", '{"name": "greeting"')],
)
def test_a_damaged_run_tells_nothing(tmp_path: Path, file: str, text: str) -> None:
    """It is passed over, as is one that has not finished."""
    first, damaged, cut = (store(tmp_path, day, make_suite(["50"])) for day in (1, 2, 3))
    (damaged / file).write_text(text)
    (cut / "run.json").unlink()
    this = store(tmp_path, 4, make_suite(["50"]))
    assert [point.run for point in read_history(this, make_suite([]))] == [first.name, this.name]


def test_a_run_outside_of_a_project(tmp_path: Path) -> None:
    """It has no history; neither has one that lies elsewhere in a project."""
    run = store(tmp_path, 1, make_suite(["50"]))
    elsewhere = tmp_path / "copied"
    run.rename(elsewhere)
    assert read_history(elsewhere, make_suite([])) == ()


def test_what_has_no_figure() -> None:
    """Where nothing was run there is no rate."""
    point = Point(run="r", totals=Totals(cases=2, skipped=2), mean_score=None)
    assert point.pass_rate is None
    assert replace(point, totals=Totals(cases=3, skipped=1, passed=1)).pass_rate == 50.0
