"""From the cases of a suite to its verdict."""

from collections.abc import Iterable
from fractions import Fraction

from judges.core.report import CaseReport, Totals
from judges.core.verdict import Verdict
from judges.files.prompt_meta import Thresholds

_FIELDS = {
    Verdict.PASS: "passed",
    Verdict.WARN: "warned",
    Verdict.FAIL: "failed",
    Verdict.ERROR: "errored",
    Verdict.INCONCLUSIVE: "inconclusive",
    Verdict.SKIP: "skipped",
}


def count(case: CaseReport) -> Totals:
    """Return the totals of one case; they add up."""
    return Totals(**{"cases": 1, _FIELDS[case.verdict]: 1, "overridden": int(case.override is not None)})


def count_all(cases: Iterable[CaseReport]) -> Totals:
    """Return the totals of several cases."""
    return sum((count(case) for case in cases), Totals())


def decide_suite(totals: Totals, thresholds: Thresholds) -> Verdict:
    """Decide a multi_criteria suite: its worst case, or the share of cases that pass.

    A case that could not be measured makes the suite ERROR either way. Skipped cases are no part of the
    share; a suite of nothing else is SKIP.
    """
    if totals.errored:
        return Verdict.ERROR
    measured = totals.cases - totals.skipped
    if not measured:
        return Verdict.SKIP
    if thresholds.pass_rate is not None:
        rate = Fraction(100 * totals.passed, measured)
        return Verdict.PASS if rate >= Fraction(thresholds.pass_rate) else Verdict.FAIL
    if totals.failed:
        return Verdict.FAIL
    if totals.inconclusive:
        return Verdict.INCONCLUSIVE
    return Verdict.WARN if totals.warned else Verdict.PASS
