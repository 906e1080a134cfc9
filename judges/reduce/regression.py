"""regression: did an output become worse than the accepted one of the same case?

Both are scored as in multi_criteria, by the same judge. A zero_condition case scores 100 when its output
declines, else 0. A check that fails, and did not for the baseline, is a drop whatever the scores.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from statistics import fmean, stdev

from judges.core.case import Case
from judges.core.question import Answer
from judges.core.report import CaseReport, Totals
from judges.core.row import Row
from judges.core.score_text import render_exact, render_score
from judges.core.verdict import Verdict, worst
from judges.reduce.binary import NOT_ASKED
from judges.reduce.decision import UNJUDGED, Decision, Rules
from judges.reduce.facts import Arm, Facts
from judges.reduce.overrides import NO_CORRECTIONS, Corrections, describe_corrections, set_aside
from judges.reduce.percent import as_decimal, report_criteria
from judges.reduce.rows import skipped_row
from judges.reduce.score import Measured, declined, judged_ids, measure
from judges.reduce.statistics import Interval, paired_t, smallest_detectable_effect
from judges.reduce.suite import SuiteDecision, not_measured

BASELINE = "baseline"
"""The arm of the accepted output."""

NOTHING = Measured(rows=(), judged={}, results={}, judged_score=None, score=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One of the two outputs of a case, checked and scored: the one of now, or the accepted one."""

    checked: tuple[Row, ...]
    measured: Measured
    corrections: Corrections

    @property
    def rows(self) -> tuple[Row, ...]:
        """All rows but the decision."""
        return (*self.checked, *self.measured.rows)

    @property
    def score(self) -> Fraction | None:
        """The total, as a person set it or as it was judged."""
        total = self.corrections.total
        return self.measured.score if total is None else Fraction(total.score)

    @property
    def absent(self) -> str | None:
        """Why there is no output."""
        return next((row.error for row in self.checked if row.kind == "output"), None)

    @property
    def failed(self) -> list[str]:
        """The checks that failed."""
        return [row.id for row in self.rows if row.kind == "checks" and row.verdict is Verdict.FAIL]


def decide_case(rules: Rules, case: Case, facts: Facts) -> Decision:
    """Decide whether a case dropped. The verdict is SKIP where there is nothing to compare it with."""
    now, before = (_build_side(rules, case, facts, arm) for arm in (None, BASELINE))
    total = _total_row(rules, now, before)
    rows = (*now.rows, total)
    verdict = worst(row.verdict for row in rows)
    measured, corrections = now.measured, now.corrections
    return Decision(
        verdict=total.verdict if verdict is Verdict.PASS else verdict,
        rows=rows,
        score=now.score,
        judged_score=measured.judged_score,
        criteria=report_criteria(measured.results),
        override=describe_corrections(corrections, measured.judged, measured.judged_score),
        notices=corrections.notices,
    )


def decide_suite(rules: Rules, totals: Totals, cases: Iterable[CaseReport]) -> SuiteDecision:
    """Decide by the cases that dropped, and by the mean difference over all that could be compared."""
    drops = 0
    by_ref: dict[str, list[float]] = {}
    for case in cases:
        for row in case.rows:
            if row.id == "score":
                drops += row.verdict is Verdict.FAIL
                if "difference" in row.extra:
                    by_ref.setdefault(case.ref, []).append(row.extra["difference"])
    differences = [fmean(each) for each in by_ref.values()]
    interval = _interval(differences)
    verdict = not_measured(totals)
    if verdict is None:
        verdict = Verdict.FAIL if drops else _decide_mean(rules, differences, interval)
    if rules.baseline is None:
        return SuiteDecision(verdict=verdict, summary={"baseline": None})
    summary = {
        "baseline": rules.baseline,
        "compared": len(differences),
        "drops": drops,
        "max_drop": float(rules.max_drop),
        "mean_difference": fmean(differences) if differences else None,
        "interval": [interval.low, interval.high] if interval else None,
        "margin": None if rules.margin is None else float(rules.margin),
        "detectable": _detectable(differences),
    }
    return SuiteDecision(verdict=verdict, summary=summary)


def _build_side(rules: Rules, case: Case, facts: Facts, arm: Arm) -> Side:
    checked, answers = facts.checked.get(arm, ()), facts.answers.get(arm)
    corrections = facts.corrections.get(arm, NO_CORRECTIONS)
    asked = replace(rules, criteria=()) if case.declines_expected else rules
    if answers is None:
        reason = facts.why_unasked()
        rows = tuple(skipped_row(each, reason) for each in judged_ids(asked, case))
        return Side(checked=checked, measured=replace(NOTHING, rows=rows), corrections=NO_CORRECTIONS)
    measured = measure(asked, case, answers, corrections)
    if case.declines_expected:
        score = None
        if isinstance(answers["declines"], Answer) and not rules.smoke:
            score = Fraction(100 if declined(case, answers) else 0)
        skipped = (skipped_row(f"criteria.{each.name}", NOT_ASKED) for each in rules.criteria)
        rows = (*skipped, *measured.rows)
        measured = replace(measured, rows=rows, score=score, judged_score=score)
    if corrections.total is not None:
        measured = replace(measured, rows=tuple(set_aside(row) for row in measured.rows))
    return Side(checked=checked, measured=measured, corrections=corrections)


def _total_row(rules: Rules, now: Side, before: Side) -> Row:
    """Return the row of the decision. Nothing that was not measured on both sides is taken for a drop."""
    row = _decide(rules, now, before)
    if now.score is None:
        return row
    row = replace(row, score=as_decimal(now.score))
    if before.score is None:
        return row
    spec = {"baseline": float(before.score), "max_drop": float(rules.max_drop)}
    return replace(row, spec=spec, extra={"difference": float(now.score - before.score)})


def _decide(rules: Rules, now: Side, before: Side) -> Row:
    new = [check for check in now.failed if check not in before.failed]
    if now.score is None and not now.failed:
        return _unmeasured(rules, now)
    if before.absent is not None:
        return skipped_row("score", f"not compared: {before.absent}")
    if new:
        return _row(Verdict.FAIL, f"dropped: {', '.join(new)} failed, and did not for the baseline")
    if now.score is None:
        return skipped_row("score", f"not compared: {now.failed[0]} failed for the baseline, too")
    if before.score is None:
        return _gained(now.score, before)
    return _difference_row(rules, now.score, before.score)


def _gained(score: Fraction, before: Side) -> Row:
    if before.failed:
        return _row(Verdict.PASS, f"Scored {_shown(score)}; {before.failed[0]} failed for the baseline")
    errors = (row.error for row in before.rows if row.verdict is Verdict.ERROR)
    reason = f"the baseline's output could not be scored: {next(errors, 'no reason is known')}"
    return Row(id="score", kind="score", verdict=Verdict.ERROR, error=reason)


def _unmeasured(rules: Rules, now: Side) -> Row:
    broken = next((row for row in now.checked if row.verdict is Verdict.ERROR), None)
    if broken is not None:
        return skipped_row("score", f"not compared, since {broken.id} could not be measured")
    reason = UNJUDGED if rules.smoke else "no total score, since a question was not answered"
    return Row(id="score", kind="score", verdict=Verdict.ERROR, error=reason)


def _difference_row(rules: Rules, now: Fraction, before: Fraction) -> Row:
    drop = before - now
    scored, at = f"Scored {_shown(now)}", f"the baseline's {_shown(before)}"
    if drop <= 0:
        return _row(
            Verdict.PASS, f"{scored}, {_shown(-drop)} above {at}" if drop else f"{scored}, as the baseline"
        )
    most = as_decimal(rules.max_drop)
    found = (
        f"{scored}, {render_score(as_decimal(drop), most)} below {at} (most: {render_exact(round(most, 2))})"
    )
    return _row(Verdict.FAIL if drop > rules.max_drop else Verdict.PASS, found)


def _row(verdict: Verdict, found: str) -> Row:
    return Row(id="score", kind="score", verdict=verdict, actual_excerpt=found)


def _shown(score: Fraction) -> str:
    return render_score(as_decimal(score))


def _decide_mean(rules: Rules, differences: list[float], interval: Interval | None) -> Verdict:
    """Without a margin only a loss that is certain fails; with one, a pass must be certain, too."""
    if not differences:
        return Verdict.SKIP
    if rules.margin is None:
        return Verdict.FAIL if interval and interval.high < 0 else Verdict.PASS
    worst_allowed = -float(rules.margin)
    if interval is None or interval.low <= worst_allowed < interval.high:
        return Verdict.INCONCLUSIVE
    return Verdict.PASS if interval.low > worst_allowed else Verdict.FAIL


def _interval(differences: list[float]) -> Interval | None:
    """Return the 95 % interval of the mean: a point where all are equal, None for fewer than two."""
    if len(differences) < 2:
        return None
    found = paired_t(differences)
    return found.interval if found else Interval(differences[0], differences[0])


def _detectable(differences: list[float]) -> float | None:
    spread = stdev(differences) if len(differences) > 1 else 0.0
    return smallest_detectable_effect(spread, len(differences))
