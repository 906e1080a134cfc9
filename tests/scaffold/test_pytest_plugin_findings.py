"""What a row comes to in pytest, and in which words."""

from dataclasses import replace
from decimal import Decimal

import pytest

from judges.core.case import Case, Category
from judges.core.report import CaseReport, CriterionResult
from judges.core.row import Row
from judges.core.verdict import Verdict, worst
from scaffold.pytest_plugin.findings import Finding, describe_case_row

CASE = Case(ref="a b", title="A case", category=Category.ELEMENT, input={}, expected_behavior="Greets.\n")


def row(row_id: str, verdict: Verdict, error: str | None = None, kind: str = "checks") -> Row:
    return Row(id=row_id, kind=kind, verdict=verdict, error=error, actual_excerpt=None if error else "found")


def report(*rows: Row) -> CaseReport:
    verdict = worst(each.verdict for each in rows)
    return CaseReport(ref=CASE.ref, title=CASE.title, category=CASE.category, verdict=verdict, rows=rows)


@pytest.mark.parametrize(
    ("rows", "verdict", "said"),
    [
        pytest.param([row("score", Verdict.PASS)], Verdict.PASS, "found", id="itself"),
        pytest.param(
            [row("score", Verdict.SKIP, "why")], Verdict.SKIP, "why", id="skipped for its own reason"
        ),
        pytest.param(
            [row("output", Verdict.ERROR, "crashed", "output"), row("score", Verdict.SKIP, "no output")],
            Verdict.ERROR,
            "crashed",
            id="skipped since there is no output",
        ),
        pytest.param(
            [row("judge", Verdict.ERROR, "canary", "judge"), row("score", Verdict.FAIL)],
            Verdict.FAIL,
            "found",
            id="decided all the same",
        ),
        pytest.param([row("a.output", Verdict.ERROR, "gone", "output")], Verdict.ERROR, "gone", id="absent"),
        pytest.param([], Verdict.ERROR, "the report has no such row", id="unknown"),
    ],
)
def test_which_row_stands_for_an_item(rows: list[Row], verdict: Verdict, said: str) -> None:
    """Its own, or that which kept it from being measured."""
    found = describe_case_row("score", CASE, report(*rows), "run-1")
    assert (found.verdict, found.said) == (verdict, said)


def test_a_case_that_was_not_run() -> None:
    """It is an error, and says so."""
    found = describe_case_row("score", CASE, None, "run-1")
    assert found.headline == "could not be measured: the case was not run"


def test_what_is_said() -> None:
    """What was found, why, in which case, what was expected, how to see more; the score is a property."""
    failed = Row(
        id="score",
        kind="score",
        verdict=Verdict.FAIL,
        score=Decimal("12.50"),
        actual_excerpt="Scored 12.5",
        spec={"pass": 70.0},
    )
    criteria = {
        "tone": CriterionResult(level=1, percent=Decimal("12.5"), reasoning="Rude."),
        "safety": CriterionResult(level=5, percent=Decimal(100), reasoning="Safe."),
    }
    whole = replace(report(failed), criteria=criteria, output="Go away.")
    found = describe_case_row("score", CASE, whole, "run-1")
    assert found.text.splitlines() == [
        "Scored 12.5",
        "pass 70",
        "tone 12.5: Rude.",
        "case: A case",
        "expected: Greets.",
        "output: Go away.",
        "more: scaffold show run-1 'a b'",
    ]
    assert found.properties == {"verdict": "FAIL", "score": "12.5", "run": "run-1"}


@pytest.mark.parametrize(
    ("verdict", "headline"),
    [
        (Verdict.FAIL, "too \\x1bbad"),
        (Verdict.SKIP, "too \\x1bbad"),
        (Verdict.WARN, "WARN: too \\x1bbad"),
        (Verdict.ERROR, "could not be measured: too \\x1bbad"),
    ],
)
def test_headlines(verdict: Verdict, headline: str) -> None:
    """They say what is no plain failure, on one line that is safe to print."""
    assert Finding(verdict, "too\n\x1bbad").headline == headline
