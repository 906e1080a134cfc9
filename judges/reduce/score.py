"""multi_criteria: from a judge's answers to the verdict of a case."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, TypeAlias

from judges.core.case import Case
from judges.core.question import Answer, Unanswered
from judges.core.report import CriterionResult
from judges.core.row import Notice, Row
from judges.core.score_text import render_exact, render_score
from judges.core.verdict import Verdict, worst
from judges.files.prompt_meta import JudgedCheck, Thresholds
from judges.files.suite import Criterion, Override
from judges.reduce.overrides import Corrections
from judges.reduce.percent import Scored, as_decimal, find_lowest, score_criterion, weigh
from judges.reduce.rows import check_row, criterion_row, declines_row, score_row, unscored_row

Answers: TypeAlias = Mapping[str, Answer | Unanswered]
Results: TypeAlias = Mapping[str, Scored | Unanswered]

UNJUDGED = "unjudged (smoke judge)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What decides a case: the criteria with their minimums, the judged checks, and the thresholds.

    With `expected` a criterion's percent comes from the judge's probabilities, where it gives them. What a
    `smoke` judge says is shown and settles nothing.
    """

    criteria: tuple[Criterion, ...]
    checks: tuple[JudgedCheck, ...]
    thresholds: Thresholds
    expected: bool = False
    smoke: bool = False

    @property
    def good_answers(self) -> Mapping[str, bool]:
        """The answers that make judged checks pass, by question name."""
        return {f"checks.{check.name}": check.pass_condition == "YES" for check in self.checks}


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What was decided about one case. Scores are exact and 0..100; None where there is none."""

    verdict: Verdict
    rows: tuple[Row, ...]
    score: Fraction | None = None
    judged_score: Fraction | None = None
    criteria: Mapping[str, CriterionResult] = field(default_factory=dict)
    override: Mapping[str, Any] | None = None
    notices: tuple[Notice, ...] = ()


def decide_case(
    rules: Rules, case: Case, checked: tuple[Row, ...], answers: Answers, corrections: Corrections
) -> Decision:
    """Decide a case from its deterministic rows, the judge's answers, and people's corrections."""
    judged = {
        each.name: score_criterion(each, answers[f"criteria.{each.name}"], expected=rules.expected)
        for each in rules.criteria
    }
    results = {name: _correct(result, corrections.criteria.get(name)) for name, result in judged.items()}
    judged_score = score = _weigh(rules, judged, ())
    if corrections.criteria:
        score = _weigh(rules, results, corrections.criteria)
    judged_rows = _judged_rows(rules, case, answers, results)
    if rules.smoke:
        settled = {f"criteria.{name}" for name in corrections.criteria}
        judged_rows = tuple(row if row.id in settled else _unjudge(row) for row in judged_rows)
    if corrections.total is None:
        lowest = find_lowest(rules.criteria, results)
        total = _total_row(rules, case, score, declined=_declined(case, answers), lowest=lowest)
    else:
        score = Fraction(corrections.total.score)
        judged_rows = tuple(_set_aside(row) for row in judged_rows)
        total = score_row(rules.thresholds, case, score)
    rows = (*checked, *judged_rows, total)
    return Decision(
        verdict=worst(row.verdict for row in rows),
        rows=rows,
        score=score,
        judged_score=judged_score,
        criteria=_report_criteria(results),
        override=_describe(corrections, judged, judged_score),
        notices=(*corrections.notices, *_above_range(case, score)),
    )


def decide_unjudged(rules: Rules, case: Case, checked: tuple[Row, ...], reason: str) -> Decision:
    """Decide a case that the judge is not asked about; the judge's rows are skipped for this reason."""
    ids = [f"checks.{check.name}" for check in rules.checks]
    ids += [f"criteria.{each.name}" for each in rules.criteria]
    ids += ["declines", "score"] if case.declines_expected else ["score"]
    skipped = (
        Row(id=row_id, kind=row_id.split(".")[0], verdict=Verdict.SKIP, error=reason) for row_id in ids
    )
    rows = (*checked, *skipped)
    return Decision(verdict=worst(row.verdict for row in rows), rows=rows)


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


def _unjudge(row: Row) -> Row:
    """Return the row of a smoke judge's answer: level and percent stay visible, the verdict is none."""
    return row if row.verdict is Verdict.ERROR else replace(row, verdict=Verdict.ERROR, error=UNJUDGED)


def _declined(case: Case, answers: Answers) -> bool | None:
    if not case.declines_expected:
        return None
    answer = answers["declines"]
    return isinstance(answer, Answer) and bool(answer.value)


def _total_row(
    rules: Rules,
    case: Case,
    score: Fraction | None,
    *,
    declined: bool | None,
    lowest: tuple[str, Fraction] | None,
) -> Row:
    if rules.smoke and (score is None or case.declines_expected):
        return unscored_row(rules.thresholds, case, UNJUDGED)
    if score is None:
        return unscored_row(rules.thresholds, case, "no total score, since a criterion was not judged")
    return score_row(rules.thresholds, case, score, declined=declined, lowest=lowest)


def _correct(result: Scored | Unanswered, override: Override | None) -> Scored | Unanswered:
    if override is None:
        return result
    judged = result if isinstance(result, Scored) else None
    return Scored(
        percent=Fraction(override.score), answer=None if judged is None else judged.answer, judged=judged
    )


def _set_aside(row: Row) -> Row:
    """A total set by a person stands on its own: what the judge said stays visible and decides nothing."""
    found = row.error or row.actual_excerpt
    return replace(row, verdict=Verdict.SKIP, error=f"the total was set by a person; the judge: {found}")


def _above_range(case: Case, score: Fraction | None) -> tuple[Notice, ...]:
    expected = case.expected_score_range
    if expected is None or score is None or case.declines_expected or score <= Fraction(expected.max):
        return ()
    scored = render_score(as_decimal(score), expected.max)
    text = f"better than expected: scored {scored}, above the range's {render_exact(expected.max)}"
    return (Notice(text, case.ref),)


def _report_criteria(results: Results) -> dict[str, CriterionResult]:
    return {
        name: CriterionResult(
            level=result.level,
            percent=as_decimal(result.percent),
            reasoning=result.answer.reasoning if result.answer else None,
            confidence=result.answer.confidence if result.answer else None,
        )
        for name, result in results.items()
        if isinstance(result, Scored)
    }


def _describe(
    corrections: Corrections, judged: Results, judged_score: Fraction | None
) -> dict[str, Any] | None:
    """Return who changed what, when and why, beside what the judge had said."""
    total = corrections.total
    described: dict[str, Any] = {}
    if total is not None:
        described = _describe_one(total, judged_score)
    criteria = {
        name: _describe_one(each, result.percent if isinstance(result := judged[name], Scored) else None)
        for name, each in corrections.criteria.items()
    }
    return {**described, **({"criteria": criteria} if criteria else {})} or None


def _describe_one(override: Override, judged: Fraction | None) -> dict[str, Any]:
    return {
        "score": float(override.score),
        "judged_score": None if judged is None else float(judged),
        "author": override.author,
        "timestamp": override.timestamp.isoformat(),
        "reason": override.reason,
        "expires": override.expires.isoformat() if override.expires else None,
    }
