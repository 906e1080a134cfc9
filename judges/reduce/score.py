"""multi_criteria: from a judge's answers to the verdict of a case."""

from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction

from judges.core.case import Case
from judges.core.question import Answer
from judges.core.row import Notice, Row
from judges.core.score_text import render_exact, render_score
from judges.core.verdict import worst
from judges.reduce.decision import UNJUDGED, Decision, Rules
from judges.reduce.facts import Answers
from judges.reduce.overrides import Corrections, correct_result, describe_corrections, set_aside
from judges.reduce.percent import (
    Results,
    as_decimal,
    find_lowest,
    report_criteria,
    score_criterion,
    weigh,
)
from judges.reduce.rows import (
    check_row,
    criterion_row,
    declines_row,
    score_row,
    skipped_row,
    unjudge,
    unscored_row,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What the judge's answers about one output come to: as judged, and as people corrected it.

    The scores are None where a criterion was not judged.
    """

    rows: tuple[Row, ...]
    judged: Results
    results: Results
    judged_score: Fraction | None
    score: Fraction | None


def decide_case(
    rules: Rules, case: Case, checked: tuple[Row, ...], answers: Answers, corrections: Corrections
) -> Decision:
    """Decide a case from its deterministic rows, the judge's answers, and people's corrections."""
    measured = measure(rules, case, answers, corrections)
    score, judged_rows = measured.score, measured.rows
    if corrections.total is None:
        total = _total_row(rules, case, measured, declined=declined(case, answers))
    else:
        score = Fraction(corrections.total.score)
        judged_rows = tuple(set_aside(row) for row in judged_rows)
        total = score_row(rules.thresholds, case, score)
    rows = (*checked, *judged_rows, total)
    return Decision(
        verdict=worst(row.verdict for row in rows),
        rows=rows,
        score=score,
        judged_score=measured.judged_score,
        criteria=report_criteria(measured.results),
        override=describe_corrections(corrections, measured.judged, measured.judged_score),
        notices=(*corrections.notices, *_above_range(case, score)),
    )


def measure(rules: Rules, case: Case, answers: Answers, corrections: Corrections) -> Measured:
    """Return what the answers come to. A correction of the total is not applied here."""
    judged = {
        each.name: score_criterion(each, answers[f"criteria.{each.name}"], expected=rules.expected)
        for each in rules.criteria
    }
    results = {
        name: correct_result(result, corrections.criteria.get(name)) for name, result in judged.items()
    }
    judged_score = score = _weigh(rules, judged, ())
    if corrections.criteria:
        score = _weigh(rules, results, corrections.criteria)
    rows = _judged_rows(rules, case, answers, results)
    if rules.smoke:
        settled = {f"criteria.{name}" for name in corrections.criteria}
        rows = tuple(row if row.id in settled else unjudge(row, UNJUDGED) for row in rows)
    return Measured(rows=rows, judged=judged, results=results, judged_score=judged_score, score=score)


def decide_unjudged(rules: Rules, case: Case, checked: tuple[Row, ...], reason: str) -> Decision:
    """Decide a case that the judge is not asked about; the judge's rows are skipped for this reason."""
    rows = (*checked, *(skipped_row(each, reason) for each in (*judged_ids(rules, case), "score")))
    return Decision(verdict=worst(row.verdict for row in rows), rows=rows)


def judged_ids(rules: Rules, case: Case) -> tuple[str, ...]:
    """Return the ids of the rows that `measure` gives for a case."""
    checks = (f"checks.{check.name}" for check in rules.checks)
    criteria = (f"criteria.{each.name}" for each in rules.criteria)
    return (*checks, *criteria, *(["declines"] if case.declines_expected else []))


def _judged_rows(rules: Rules, case: Case, answers: Answers, results: Results) -> tuple[Row, ...]:
    rows = [check_row(check, answers[f"checks.{check.name}"]) for check in rules.checks]
    for criterion in rules.criteria:
        minimum = None if case.declines_expected else criterion.minimum
        rows.append(criterion_row(criterion, results[criterion.name], minimum=minimum))
    if case.declines_expected:
        rows.append(declines_row(answers["declines"]))
    return tuple(rows)


def _weigh(rules: Rules, results: Results, corrected: Collection[str]) -> Fraction | None:
    """Return the total; what only a smoke judge says of a criterion adds up to nothing."""
    if rules.smoke and not results.keys() <= set(corrected):
        return None
    return weigh(rules.criteria, results)


def declined(case: Case, answers: Answers) -> bool | None:
    """Whether the output declines the input; None where that does not count. Unanswered is no yes."""
    if not case.declines_expected:
        return None
    answer = answers["declines"]
    return isinstance(answer, Answer) and bool(answer.value)


def _total_row(rules: Rules, case: Case, measured: Measured, *, declined: bool | None) -> Row:
    if rules.smoke and (measured.score is None or case.declines_expected):
        return unscored_row(rules.thresholds, case, UNJUDGED)
    if measured.score is None:
        return unscored_row(rules.thresholds, case, "no total score, since a criterion was not judged")
    return score_row(
        rules.thresholds,
        case,
        measured.score,
        declined=declined,
        find_lowest=lambda: find_lowest(rules.criteria, measured.results),
    )


def _above_range(case: Case, score: Fraction | None) -> tuple[Notice, ...]:
    expected = case.expected_score_range
    if expected is None or score is None or case.declines_expected or score <= Fraction(expected.max):
        return ()
    scored = render_score(as_decimal(score), expected.max)
    text = f"better than expected: scored {scored}, above the range's {render_exact(expected.max)}"
    return (Notice(text, case.ref),)
