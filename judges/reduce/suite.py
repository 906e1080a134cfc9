"""From the cases of a suite to its verdict."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any

from judges.core.report import CaseReport, ModelSummary, Totals
from judges.core.usage import Usage
from judges.core.verdict import Verdict
from judges.files.prompt_meta import Thresholds
from judges.reduce.statistics import wilson_interval

_FIELDS = {
    Verdict.PASS: "passed",
    Verdict.WARN: "warned",
    Verdict.FAIL: "failed",
    Verdict.ERROR: "errored",
    Verdict.INCONCLUSIVE: "inconclusive",
    Verdict.SKIP: "skipped",
}


class Count:
    """Counts cases, as they come, by how they ended."""

    def __init__(self) -> None:
        self._ended: Counter[Verdict] = Counter()
        self._overridden = 0

    def add(self, case: CaseReport) -> None:
        """Count one more."""
        self._ended[case.verdict] += 1
        self._overridden += case.override is not None

    @property
    def totals(self) -> Totals:
        """How many cases ended how."""
        counts = {_FIELDS[verdict]: number for verdict, number in self._ended.items()}
        return Totals(cases=self._ended.total(), overridden=self._overridden, **counts)


def count(case: CaseReport) -> Totals:
    """Return the totals of one case; they add up."""
    return count_all((case,))


def count_all(cases: Iterable[CaseReport]) -> Totals:
    """Return the totals of several cases."""
    counted = Count()
    for case in cases:
        counted.add(case)
    return counted.totals


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Cases of one model on the way to their summary: how many of them have a score, and its sum."""

    totals: Totals = field(default_factory=Totals)
    output_usage: Usage = field(default_factory=Usage)
    scored: int = 0
    score_sum: Decimal = Decimal(0)

    def add(self, case: CaseReport) -> "Tally":
        """Return the tally with one case more."""
        return Tally(
            totals=self.totals + count(case),
            output_usage=self.output_usage + case.output_usage,
            scored=self.scored + (case.score is not None),
            score_sum=self.score_sum + (case.score or 0),
        )

    def summarize(self) -> ModelSummary:
        """Return the summary of all cases added."""
        return ModelSummary(
            totals=self.totals,
            mean_score=self.score_sum / self.scored if self.scored else None,
            output_usage=self.output_usage,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteDecision:
    """What was decided about a suite, and by which figures, as JSON values."""

    verdict: Verdict
    summary: Mapping[str, Any] = field(default_factory=dict)


def not_measured(totals: Totals) -> Verdict | None:
    """Return ERROR where a case could not be measured, SKIP where there is none to measure, else None."""
    if totals.errored:
        return Verdict.ERROR
    return None if totals.cases - totals.skipped else Verdict.SKIP


def percent_interval(successes: float, n: int) -> list[float] | None:
    """Return the ends, 0..100, of the 95 % interval of a rate; None for n = 0."""
    interval = wilson_interval(successes, n)
    return None if interval is None else [100 * interval.low, 100 * interval.high]


def decide_suite(totals: Totals, thresholds: Thresholds) -> Verdict:
    """Decide a multi_criteria suite: its worst case, or the share of cases that pass.

    A case that could not be measured makes the suite ERROR either way. Skipped cases are no part of the
    share; a suite of nothing else is SKIP.
    """
    verdict = not_measured(totals)
    if verdict is not None:
        return verdict
    measured = totals.cases - totals.skipped
    if thresholds.pass_rate is not None:
        rate = Fraction(100 * totals.passed, measured)
        return Verdict.PASS if rate >= Fraction(thresholds.pass_rate) else Verdict.FAIL
    return decide_worst(totals)


def decide_worst(totals: Totals) -> Verdict:
    """Return the verdict of the worst case; SKIP where there is none but skipped ones."""
    verdict = not_measured(totals)
    if verdict is not None:
        return verdict
    if totals.failed:
        return Verdict.FAIL
    if totals.inconclusive:
        return Verdict.INCONCLUSIVE
    return Verdict.WARN if totals.warned else Verdict.PASS
