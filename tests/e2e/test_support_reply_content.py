"""examples/support-reply: what its cases come to, and that prompt, correction and README agree with that."""

import re
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from judges.core.case import digest
from judges.core.report import CaseReport, Report
from judges.core.verdict import ExitCode, Verdict
from judges.files.load import load_suite
from judges.files.yaml import read_yaml
from judges.run.connections import Connections
from judges.run.execute import execute
from judges.run.options import RunOptions
from judges.run.prompt_plan import plan_prompt

PROJECT = Path(__file__).parents[2] / "examples" / "support-reply"
FOLDER = PROJECT / ".omniscitus" / "tests" / "prompts" / "support-reply"
SUITE = load_suite(FOLDER / "prompt-meta.yaml")
CASES = {case.ref: case for case in SUITE.cases}

EXPECTED: dict[str, tuple[Verdict, Decimal | None]] = {
    "return-in-window": (Verdict.PASS, Decimal(100)),
    "late-parcel": (Verdict.FAIL, Decimal(80)),
    "where-is-my-order": (Verdict.FAIL, Decimal("81.25")),
    "exchange-colour": (Verdict.WARN, Decimal(60)),
    "warranty-german": (Verdict.PASS, Decimal("93.75")),
    "address-change": (Verdict.PASS, Decimal(100)),
    "expired-code": (Verdict.PASS, Decimal("97.5")),
    "two-requests": (Verdict.PASS, Decimal(90)),
    "card-number": (Verdict.FAIL, None),
    "vague-complaint": (Verdict.PASS, Decimal("97.5")),
    "reviewer-note": (Verdict.FAIL, Decimal("23.75")),
    "school-essay": (Verdict.PASS, Decimal(100)),
}
"""Verdict and final score, 0..100, of each case by its ref, worked out by hand from the ratings."""

NOT_PASSED = {
    "late-parcel": ["checks.no_unsupported_promise"],
    "where-is-my-order": ["criteria.safety"],
    "exchange-colour": ["checks.at_most_150_words", "score"],
    "card-number": ["checks.no_card_number"],
    "reviewer-note": ["checks.no_unsupported_promise", "criteria.safety", "score"],
}
"""The rows that lower a verdict, by ref."""


def run(folder: Path, options: RunOptions) -> Report:
    """Run the suite as it was on the day it was written, so that its correction has not expired."""
    day = datetime(2026, 11, 30, 12, tzinfo=UTC)
    plans = [plan_prompt(SUITE, options)]
    return execute(plans, options, Connections(environ={}), root=folder, clock=lambda: day)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """The report of a run by the real engine."""
    return run(tmp_path_factory.mktemp("run"), RunOptions())


@pytest.fixture(scope="module")
def results(report: Report) -> dict[str, CaseReport]:
    """The results by ref."""
    return {case.ref: case for case in report.suites[0].cases}


def test_verdicts_follow_from_the_ratings(results: dict[str, CaseReport]) -> None:
    """The engine comes to the verdicts and exact scores that were worked out by hand."""
    assert {ref: (case.verdict, case.score) for ref, case in results.items()} == EXPECTED


def test_rows_say_what_lowered_a_verdict(results: dict[str, CaseReport]) -> None:
    """The rows that did not pass are the ones that the case is there to show."""
    rows = {
        ref: [row.id for row in case.rows if row.verdict in (Verdict.FAIL, Verdict.WARN)]
        for ref, case in results.items()
    }
    assert {ref: ids for ref, ids in rows.items() if ids} == NOT_PASSED


def test_failed_check_saves_the_judge_call(results: dict[str, CaseReport]) -> None:
    """After a failed deterministic check what the judge would say is skipped, with a reason."""
    rows = {row.id: row for row in results["card-number"].rows}
    judged = [row for id_, row in rows.items() if id_.startswith("criteria.") or id_ == "score"]
    assert len(judged) == 5
    assert {row.verdict for row in judged} == {Verdict.SKIP}
    assert all(row.error for row in judged)


def test_exit_code_gates(report: Report) -> None:
    """Four replies are bad on purpose, so the run fails."""
    assert report.exit_code is ExitCode.FAILED
    assert (report.totals.passed, report.totals.warned, report.totals.failed) == (7, 1, 4)


def test_better_than_expected_is_a_notice(results: dict[str, CaseReport]) -> None:
    """A score above its range is remarked on and changes nothing."""
    (notice,) = results["vague-complaint"].notices
    assert notice.text == "better than expected: scored 97.5, above the range's 85"


def test_correction_changes_a_verdict(results: dict[str, CaseReport]) -> None:
    """One case fails as it was judged, and passes because a person corrected it."""
    case = results["address-change"]
    assert (case.judged_score, case.score) == (Decimal("87.5"), Decimal(100))
    assert case.override is not None


def test_correction_is_bound_to_what_was_corrected() -> None:
    """The one correction holds for the output and the rubric as they are now."""
    (override,) = read_yaml(FOLDER / "overrides" / "overrides.yaml").value
    rubrics = {criterion.name: criterion.rubric_sha256 for criterion in SUITE.criteria}
    assert (override["case_ref"], override["bind"]) == ("address-change", "output")
    assert override["output_sha256"] == digest(CASES["address-change"].output or "")
    assert override["rubric_sha256"] == rubrics[override["criterion"]]


def test_judging_all_rates_what_a_check_failed(tmp_path: Path) -> None:
    """With `--judge-all` the failed reply is rated too, and stays failed."""
    report = run(tmp_path, RunOptions(judge_all=True))
    (case,) = (case for case in report.suites[0].cases if case.ref == "card-number")
    assert (case.verdict, case.score) == (Verdict.FAIL, Decimal("58.75"))


@pytest.mark.parametrize("ref", EXPECTED)
def test_case_sets_exactly_the_variables_of_the_prompt(ref: str) -> None:
    """The prompt can be sent as it is: no variable is left open, none is set for nothing."""
    prompt = (PROJECT / "prompts" / "support-reply.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\{(\w+)\}", prompt)) == set(CASES[ref].input)


def test_readme_tells_every_verdict() -> None:
    """The table of the README is the expected table."""
    readme = (PROJECT / "README.md").read_text(encoding="utf-8")
    told = re.findall(r"^\| `([a-z-]+)` \| ([A-Z]+) \|", readme, re.MULTILINE)
    assert told == [(ref, verdict.value) for ref, (verdict, _) in EXPECTED.items()]
