"""From cases to the verdict of a suite, and to the summaries of its models."""

from decimal import Decimal

import pytest

from judges.core.report import CaseReport, ModelSummary, Totals
from judges.core.usage import Usage
from judges.core.verdict import Verdict
from judges.files.prompt_meta import Thresholds
from judges.reduce.suite import Tally, decide_suite

RATE = {"pass_rate": 90}


@pytest.mark.parametrize(
    ("counts", "thresholds", "expected"),
    [
        pytest.param({}, {}, Verdict.SKIP, id="nothing"),
        pytest.param({"skipped": 3}, {}, Verdict.SKIP, id="all skipped"),
        pytest.param({"passed": 3, "skipped": 1}, {}, Verdict.PASS, id="all that ran passed"),
        pytest.param({"passed": 3, "warned": 1}, {}, Verdict.WARN, id="one warned"),
        pytest.param({"warned": 1, "failed": 1}, {}, Verdict.FAIL, id="one failed"),
        pytest.param({"failed": 1, "errored": 1}, {}, Verdict.ERROR, id="one could not be measured"),
        pytest.param({"passed": 9, "failed": 1}, RATE, Verdict.PASS, id="the rate is reached"),
        pytest.param({"passed": 8, "failed": 1}, RATE, Verdict.FAIL, id="the rate is missed"),
        pytest.param({"passed": 8, "warned": 2}, RATE, Verdict.FAIL, id="a warning is no pass"),
        pytest.param({"passed": 9, "failed": 1, "skipped": 5}, RATE, Verdict.PASS, id="skips do not count"),
        pytest.param({"passed": 99, "errored": 1}, RATE, Verdict.ERROR, id="an error is never outvoted"),
    ],
)
def test_decide_suite(counts: dict[str, int], thresholds: dict[str, int], expected: Verdict) -> None:
    """The worst case decides, or the share of cases that pass."""
    totals = Totals(cases=sum(counts.values()), **counts)
    assert decide_suite(totals, Thresholds.model_validate(thresholds)) is expected


def case(verdict: Verdict, score: str | None, cost: str | None) -> CaseReport:
    spent = Usage(calls=1, cost_usd=None if cost is None else Decimal(cost))
    return CaseReport(
        ref="a",
        title="A",
        category=None,
        verdict=verdict,
        rows=(),
        score=None if score is None else Decimal(score),
        usage=spent + Usage(calls=3, cost_usd=Decimal(9)),
        output_usage=spent,
    )


def test_a_model_is_summed_up() -> None:
    """Outcomes, the mean of the scores there are, and the usage of the outputs alone, not of the judge."""
    tally = Tally()
    for each in (
        case(Verdict.PASS, "90", "0.01"),
        case(Verdict.FAIL, "45", "0.02"),
        case(Verdict.ERROR, None, "0"),
    ):
        tally = tally.add(each)
    assert tally.summarize() == ModelSummary(
        totals=Totals(cases=3, passed=1, failed=1, errored=1),
        mean_score=Decimal("67.5"),
        output_usage=Usage(calls=3, cost_usd=Decimal("0.03")),
    )


@pytest.mark.parametrize("cases", [[], [case(Verdict.ERROR, None, None)]], ids=["no case", "no score"])
def test_no_score_has_no_mean(cases: list[CaseReport]) -> None:
    """The mean of nothing is not 0."""
    tally = Tally()
    for each in cases:
        tally = tally.add(each)
    assert tally.summarize().mean_score is None


def test_an_unknown_cost_stays_unknown() -> None:
    """One output without a price makes the sum unknown."""
    tally = Tally().add(case(Verdict.PASS, "1", None)).add(case(Verdict.PASS, "1", "0.1"))
    assert tally.summarize().output_usage.cost_usd is None
