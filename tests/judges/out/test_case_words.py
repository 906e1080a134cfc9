"""What every readable format says of a case."""

from decimal import Decimal
from typing import Any

import pytest

from judges.core.report import CaseReport
from judges.core.row import Row
from judges.core.verdict import Verdict
from judges.out.case_words import describe_overrides, render_case_score, render_row_score


def case(score: str | None, spec: dict[str, Any], override: dict[str, Any] | None = None) -> CaseReport:
    """Return a case of one deciding row."""
    row = Row(id="score", kind="score", verdict=Verdict.FAIL, spec=spec)
    return CaseReport(
        ref="a",
        title="A",
        category=None,
        verdict=Verdict.FAIL,
        rows=(row,),
        score=None if score is None else Decimal(score),
        override=override,
    )


@pytest.mark.parametrize(
    ("score", "spec", "expected"),
    [
        pytest.param(None, {"pass": 70.0}, "", id="none"),
        pytest.param("66.666666", {"pass": 70.0, "warn": 50.0}, "66.7", id="rounded"),
        pytest.param("69.96", {"pass": 70.0, "warn": 50.0}, "69.96", id="below pass"),
        pytest.param("49.99", {"pass": 70.0, "warn": 50.0}, "49.99", id="below warn"),
        pytest.param("10.04", {"min": 0.0, "max": 10.0}, "10.04", id="above a range"),
        pytest.param("69.96", {}, "70", id="nothing to compare with"),
        pytest.param("69.96", {"prompt": "text"}, "70", id="a row of another kind"),
    ],
)
def test_a_score_is_shown_on_its_side_of_what_decided_it(
    score: str | None, spec: dict[str, Any], expected: str
) -> None:
    """The number in a table agrees with the verdict beside it."""
    assert render_case_score(case(score, spec)) == expected


@pytest.mark.parametrize(
    ("score", "spec", "expected"),
    [
        pytest.param(None, {}, "", id="none"),
        pytest.param("74.99", {"minimum": 75.0, "weight": 0.3}, "74.99", id="below a minimum"),
        pytest.param("66.666", {"weight": 0.3}, "66.7", id="no minimum"),
    ],
)
def test_a_rows_score_is_shown_on_its_side_too(
    score: str | None, spec: dict[str, Any], expected: str
) -> None:
    """A criterion just below its minimum does not look as if it had reached it."""
    value = None if score is None else Decimal(score)
    assert render_row_score(Row(id="r", kind="r", verdict=Verdict.FAIL, score=value, spec=spec)) == expected


@pytest.mark.parametrize(
    ("override", "expected"),
    [
        pytest.param(None, [], id="none"),
        pytest.param(
            {"score": 85.0, "judged_score": 60.04, "author": "jane", "reason": "ten runs agree"},
            ["Overridden by jane (to 85, judged 60): ten runs agree"],
            id="the total",
        ),
        pytest.param(
            {"score": 85.0, "judged_score": None, "author": None, "reason": "the judge was down"},
            ["Overridden (to 85): the judge was down"],
            id="no author, nothing judged",
        ),
        pytest.param(
            {
                "criteria": {
                    "safety": {"score": 100.0, "judged_score": 75.0, "author": "joe", "reason": "quoted"}
                }
            },
            ["safety overridden by joe (to 100, judged 75): quoted"],
            id="a criterion",
        ),
        pytest.param(
            {"score": 85.0, "judged_score": 60, "author": "gpt-4o", "rater_kind": "model", "reason": "read"},
            ["Overridden by gpt-4o (a model) (to 85, judged 60): read"],
            id="by a model",
        ),
        pytest.param(
            {"score": 85.0, "judged_score": 60, "author": None, "rater_kind": "model", "reason": "read"},
            ["Overridden by a model (to 85, judged 60): read"],
            id="by a model without a name",
        ),
        pytest.param(
            {"score": 85.0, "judged_score": 60, "author": "jane", "rater_kind": "person", "reason": "read"},
            ["Overridden by jane (to 85, judged 60): read"],
            id="by a person",
        ),
    ],
)
def test_corrections_are_told_with_their_reason(override: dict[str, Any] | None, expected: list[str]) -> None:
    """Who changed what, from what, and why."""
    assert list(describe_overrides(case("85", {}, override))) == expected
