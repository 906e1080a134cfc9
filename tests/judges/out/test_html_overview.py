"""What the page says of all cases together."""

from array import array
from decimal import Decimal

import pytest

from judges.core.report import CaseReport, CriterionResult
from judges.core.verdict import Verdict
from judges.out.html.overview import Overview, survey


def make_case(verdict: Verdict, score: str | None, **percents: str) -> CaseReport:
    return CaseReport(
        ref="r",
        title="t",
        category=None,
        verdict=verdict,
        rows=(),
        score=None if score is None else Decimal(score),
        criteria={
            name: CriterionResult(level=1, percent=Decimal(percent)) for name, percent in percents.items()
        },
    )


def test_one_pass_over_the_cases() -> None:
    """Scores by tenth and verdict, criteria by tenth, and the order, worst first."""
    found = survey(
        iter(
            [
                make_case(Verdict.PASS, "100", tone="75"),
                make_case(Verdict.FAIL, "9.99", tone="0"),
                make_case(Verdict.ERROR, None),
                make_case(Verdict.PASS, "90", tone="75"),
                make_case(Verdict.WARN, "10"),
            ]
        )
    )
    assert found.scores == [
        {Verdict.FAIL: 1},
        {Verdict.WARN: 1},
        {},
        {},
        {},
        {},
        {},
        {},
        {},
        {Verdict.PASS: 2},
    ]
    assert found.criteria == {"tone": [1, 0, 0, 0, 0, 0, 0, 2, 0, 0]}
    assert list(found.order) == [2, 1, 4, 0, 3]
    assert found.analysis.spreads["score"].mean == Decimal("52.4975")


def overview(failed: int, passed: int) -> Overview:
    numbers = {Verdict.FAIL: array("q", range(failed)), Verdict.PASS: array("q", range(passed))}
    return Overview(survey(()).analysis, [], {}, numbers)


def test_the_best_are_left_out_first() -> None:
    """Of more cases than a browser opens those that passed are not shown."""
    order = list(overview(4, 10_002).order)
    assert (len(order), order[:4], order[-1]) == (10_000, [0, 1, 2, 3], 9_995)


@pytest.mark.parametrize(("cases", "room"), [(0, 20_000), (500, 20_000), (5_000, 2_000), (1_000_000, 1_000)])
def test_room_for_each_text(cases: int, room: int) -> None:
    """The more cases there are the shorter their texts are, but none is cut below 1,000 characters."""
    assert overview(0, cases).room == room
