"""binary: from yes or no to the verdict of a case, and from the share of cases that pass to the suite's.

A case passes when all that is asked holds. Its score is 100 then, and 0 otherwise. A zero_condition case of a
suite with criteria is decided by whether the output declines, and by nothing else.
"""

from collections.abc import Collection, Sequence
from fractions import Fraction

from judges.core.case import Case
from judges.core.question import Answer, Unanswered
from judges.core.rating import RaterKind
from judges.core.report import Totals
from judges.core.row import Row, excerpt
from judges.core.score_text import render_score
from judges.core.verdict import Verdict, worst
from judges.reduce.decision import UNJUDGED, Decision, Rules
from judges.reduce.facts import Answers, Facts
from judges.reduce.overrides import NO_CORRECTIONS, correct_result, describe_corrections, set_aside
from judges.reduce.percent import Results, Scored, as_decimal, report_criteria
from judges.reduce.rows import answer_facts, check_row, skipped_row, unjudge
from judges.reduce.suite import SuiteDecision, not_measured, percent_interval

EXPECTED = "expected_behavior"
DECLINES = "declines"
NOT_ASKED = "not asked: a zero_condition case is decided by whether the output declines"

_YES, _NO, _HALF = Fraction(100), Fraction(0), Fraction(50)
_HOLDS = {EXPECTED: "the output does what is expected", DECLINES: "the output declines the input"}
_FAILS = {
    EXPECTED: "the output does not do what is expected",
    DECLINES: "the output answers an input that it should decline",
}


def decide_case(rules: Rules, case: Case, facts: Facts) -> Decision:
    """Decide whether all that was asked about a case holds; checks only lower its verdict."""
    checked, answers = facts.checked.get(None, ()), facts.answers.get(None)
    names = _names(rules, case)
    if answers is None:
        ids = [*(f"checks.{check.name}" for check in rules.checks), *names, "score"]
        rows = (*checked, *(skipped_row(each, facts.why_unasked()) for each in ids))
        return Decision(verdict=worst(row.verdict for row in rows), rows=rows)
    corrections = facts.corrections.get(None, NO_CORRECTIONS)
    set_by_people = {f"criteria.{name}": override for name, override in corrections.criteria.items()}
    judged = {name: _score(answers[name]) for name in names}
    results = {name: correct_result(each, set_by_people.get(name)) for name, each in judged.items()}
    others = [*_check_rows(rules, answers), *_not_asked(rules, names)]
    rows_of_results = [
        _unless_smoke(rules, _result_row(name, each), settled=name in set_by_people)
        for name, each in results.items()
    ]
    judged_score, score = _total(rules, judged, ()), _total(rules, results, set_by_people)
    total = _total_row(rules, score, rows_of_results)
    if corrections.total is not None:
        others, rows_of_results = [*map(set_aside, others)], [*map(set_aside, rows_of_results)]
        score = Fraction(corrections.total.score)
        total = _set_row(score, corrections.total.rater_kind)
    rows = (*checked, *others, *rows_of_results, total)
    return Decision(
        verdict=worst(row.verdict for row in rows),
        rows=rows,
        score=score,
        judged_score=judged_score,
        criteria=report_criteria(_by_criterion(results)),
        override=describe_corrections(corrections, _by_criterion(judged), judged_score),
        notices=corrections.notices,
    )


def decide_suite(rules: Rules, totals: Totals) -> SuiteDecision:
    """Decide by the share of cases that pass.

    Where it is reached only with the cases that pass but for a warning, the suite is WARN.
    """
    measured = totals.cases - totals.skipped - totals.errored
    needed = Fraction(rules.thresholds.pass_) * measured
    verdict = not_measured(totals)
    if verdict is None and 100 * totals.passed >= needed:
        verdict = Verdict.PASS
    elif verdict is None:
        verdict = Verdict.WARN if 100 * (totals.passed + totals.warned) >= needed else Verdict.FAIL
    summary = {
        "pass_rate": 100 * totals.passed / measured if measured else None,
        "warn_rate": 100 * totals.warned / measured if measured else None,
        "interval": percent_interval(totals.passed, measured),
        "threshold": float(rules.thresholds.pass_),
    }
    return SuiteDecision(verdict=verdict, summary=summary)


def _names(rules: Rules, case: Case) -> list[str]:
    """Return the questions that decide a case."""
    if not rules.criteria:
        return [EXPECTED]
    return [DECLINES] if case.declines_expected else [f"criteria.{each.name}" for each in rules.criteria]


def _by_criterion(results: Results) -> Results:
    return {
        name.removeprefix("criteria."): each for name, each in results.items() if name.startswith("criteria.")
    }


def _score(answer: Answer | Unanswered) -> Scored | Unanswered:
    if isinstance(answer, Unanswered):
        return answer
    return Scored(percent=_YES if answer.value else _NO, answer=answer)


def _total(rules: Rules, results: Results, set_by_people: Collection[str]) -> Fraction | None:
    """Return 100 where all holds, else 0; None where the judge gave no answer, or none to rely on."""
    scored = [each for each in results.values() if isinstance(each, Scored)]
    if len(scored) < len(results) or (rules.smoke and not results.keys() <= set(set_by_people)):
        return None
    return _YES if all(each.percent >= _HALF for each in scored) else _NO


def _check_rows(rules: Rules, answers: Answers) -> list[Row]:
    rows = (check_row(check, answers[f"checks.{check.name}"]) for check in rules.checks)
    return [_unless_smoke(rules, row) for row in rows]


def _not_asked(rules: Rules, names: Collection[str]) -> list[Row]:
    ids = (f"criteria.{each.name}" for each in rules.criteria)
    return [skipped_row(each, NOT_ASKED) for each in ids if each not in names]


def _unless_smoke(rules: Rules, row: Row, *, settled: bool = False) -> Row:
    return unjudge(row, UNJUDGED) if rules.smoke and not settled else row


def _result_row(name: str, result: Scored | Unanswered) -> Row:
    kind, _, criterion = name.partition(".")
    if isinstance(result, Unanswered):
        return Row(id=name, kind=kind, verdict=Verdict.ERROR, error=result.reason)
    holds = result.percent >= _HALF
    found = (
        _HOLDS.get(name, f"{criterion} holds") if holds else _FAILS.get(name, f"{criterion} does not hold")
    )
    if not holds and result.judged is None and result.answer and result.answer.reasoning:
        found += f": {excerpt(result.answer.reasoning)}"
    return Row(
        id=name,
        kind=kind,
        verdict=Verdict.PASS if holds else Verdict.FAIL,
        score=as_decimal(result.percent),
        actual_excerpt=found,
        extra=answer_facts(result.answer) if result.answer else {},
    )


def _total_row(rules: Rules, score: Fraction | None, rows: Sequence[Row]) -> Row:
    """Return the row of the decision; where one question was asked it says what that row says."""
    if score is None:
        reason = UNJUDGED if rules.smoke else "nothing was decided, since a question was not answered"
        return Row(id="score", kind="score", verdict=Verdict.ERROR, error=reason)
    failed = [row.id.removeprefix("criteria.") for row in rows if row.verdict is Verdict.FAIL]
    if len(rows) == 1:
        found = rows[0].actual_excerpt
    elif failed:
        found = f"{len(failed)} of {len(rows)} criteria do not hold: {', '.join(failed)}"
    else:
        found = f"all {len(rows)} criteria hold"
    return _decided(score, found)


def _set_row(score: Fraction, by: RaterKind) -> Row:
    holds = "holds" if score >= _HALF else "does not hold"
    return _decided(score, f"{holds}, as a {by} set it ({render_score(as_decimal(score))} of 100)")


def _decided(score: Fraction, found: str | None) -> Row:
    verdict = Verdict.PASS if score >= _HALF else Verdict.FAIL
    return Row(id="score", kind="score", verdict=verdict, score=as_decimal(score), actual_excerpt=found)
