"""The rows of a judged case: what each assertion found, in words for a person."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from judges.core.case import Case
from judges.core.question import Answer, Unanswered, Vote
from judges.core.row import Row, excerpt
from judges.core.score_text import render_exact, render_score, render_scored
from judges.core.verdict import Verdict
from judges.files.prompt_meta import JudgedCheck, Severity, Thresholds
from judges.files.suite import Criterion
from judges.reduce.percent import Scored, as_decimal, exact


def check_row(check: JudgedCheck, answer: Answer | Unanswered) -> Row:
    """Return the row of an `llm_judge` check."""
    row_id = f"checks.{check.name}"
    spec = {"prompt": check.prompt, "pass_condition": check.pass_condition, "severity": check.severity.value}
    if isinstance(answer, Unanswered):
        return Row(id=row_id, kind="checks", verdict=Verdict.ERROR, spec=spec, error=answer.reason)
    said = "YES" if answer.value else "NO"
    passed = said == check.pass_condition
    failing = Verdict.FAIL if check.severity is Severity.ERROR else Verdict.WARN
    found = f"{check.name}: the judge answered {said}"
    if not passed:
        found += f", expected {check.pass_condition}"
        if answer.reasoning:
            found += f": {excerpt(answer.reasoning)}"
    return Row(
        id=row_id,
        kind="checks",
        verdict=Verdict.PASS if passed else failing,
        actual_excerpt=found,
        spec=spec,
        extra=answer_facts(answer),
    )


def criterion_row(criterion: Criterion, result: Scored | Unanswered, *, minimum: Decimal | None) -> Row:
    """Return the row of a criterion. It fails only below its minimum."""
    if isinstance(result, Unanswered):
        return _criterion_row(criterion, None, minimum, result.reason)
    said = {**_levels(result), **(answer_facts(result.answer) if result.answer else {})}
    return replace(_criterion_row(criterion, result.percent, minimum), extra=said)


@lru_cache(maxsize=4096)
def _criterion_row(
    criterion: Criterion, exactly: Fraction | None, minimum: Decimal | None, error: str | None = None
) -> Row:
    """Return the row without what was said: levels are few, so that many cases have the same."""
    row_id = f"criteria.{criterion.name}"
    spec: dict[str, object] = {"weight": float(criterion.weight), "levels": len(criterion.levels)}
    if minimum is not None:
        spec["minimum"] = float(minimum)
    if exactly is None:
        return Row(id=row_id, kind="criteria", verdict=Verdict.ERROR, spec=spec, error=error)
    percent = as_decimal(exactly)
    below = minimum is not None and exactly < exact(minimum)
    if minimum is not None and below:
        found = render_scored(percent, minimum, criterion.name)
    else:
        found = f"Scored {render_score(percent)} on {criterion.name}"
    verdict = Verdict.FAIL if below else Verdict.PASS
    return Row(id=row_id, kind="criteria", verdict=verdict, score=percent, actual_excerpt=found, spec=spec)


def declines_row(answer: Answer | Unanswered) -> Row:
    """Return the row that says whether the output declined a zero_condition input."""
    if isinstance(answer, Unanswered):
        return Row(id="declines", kind="declines", verdict=Verdict.ERROR, error=answer.reason)
    if answer.value:
        return Row(
            id="declines",
            kind="declines",
            verdict=Verdict.PASS,
            actual_excerpt="the output declines the input",
            extra=answer_facts(answer),
        )
    return Row(
        id="declines",
        kind="declines",
        verdict=Verdict.SKIP,
        error="the output does not decline the input: the score decides",
        extra=answer_facts(answer),
    )


def score_row(
    thresholds: Thresholds,
    case: Case,
    score: Fraction,
    *,
    declined: bool | None = None,
    find_lowest: Callable[[], tuple[str, Fraction] | None] = lambda: None,
) -> Row:
    """Return the row of the total score: the decision.

    A range replaces pass and warn. A zero_condition case passes when the output declines; one that does not
    decline is decided by its range, and without a range fails. `declined` is None where that does not count.
    `find_lowest` gives the criterion, with its percent, to be named where the total is too low.
    """
    expected = case.expected_score_range
    shown = as_decimal(score)
    if declined:
        verdict, found = Verdict.PASS, f"Scored {render_score(shown)} in total, and declined the input"
    elif expected is not None:
        above_fails = case.declines_expected
        below, above = score < exact(expected.min), score > exact(expected.max)
        verdict = Verdict.FAIL if below or (above and above_fails) else Verdict.PASS
        edge = expected.min if below else expected.max
        bounds = f"{render_exact(expected.min)} to {render_exact(expected.max)}"
        found = f"Scored {render_score(shown, edge)} in total (expected: {bounds})"
        found += _blame(find_lowest()) if below else ""
    elif declined is False:
        verdict, found = Verdict.FAIL, "Answered an input that it should have declined"
    else:
        verdict, found = _by_thresholds(thresholds.pass_, thresholds.warn, score)
        found += "" if verdict is Verdict.PASS else _blame(find_lowest())
    spec = _score_spec(thresholds, case)
    return Row(id="score", kind="score", verdict=verdict, score=shown, actual_excerpt=found, spec=spec)


def unscored_row(thresholds: Thresholds, case: Case, reason: str) -> Row:
    """Return the row of a total that could not be computed."""
    spec = _score_spec(thresholds, case)
    return Row(id="score", kind="score", verdict=Verdict.ERROR, spec=spec, error=reason)


def skipped_row(row_id: str, reason: str) -> Row:
    """Return the row of something that was not asked, or does not count, for this reason."""
    return Row(id=row_id, kind=row_id.split(".", maxsplit=1)[0], verdict=Verdict.SKIP, error=reason)


def unjudge(row: Row, reason: str) -> Row:
    """Return the row of an answer that settles nothing: what was said stays visible, the verdict is none."""
    return row if row.verdict is Verdict.ERROR else replace(row, verdict=Verdict.ERROR, error=reason)


@lru_cache(maxsize=4096)
def _by_thresholds(passing: Decimal, warning: Decimal | None, score: Fraction) -> tuple[Verdict, str]:
    found = render_scored(as_decimal(score), passing, None)
    if score >= exact(passing):
        return Verdict.PASS, found
    if warning is None:
        return Verdict.FAIL, found
    return (Verdict.WARN, found) if score >= exact(warning) else (Verdict.FAIL, f"{found}, critical")


def _blame(lowest: tuple[str, Fraction] | None) -> str:
    if lowest is None:
        return ""
    name, percent = lowest
    return f"; lowest: {name} {render_score(as_decimal(percent))}"


def _score_spec(thresholds: Thresholds, case: Case) -> dict[str, object]:
    if (expected := case.expected_score_range) is not None:
        return {"min": float(expected.min), "max": float(expected.max)}
    warning = thresholds.pass_ if thresholds.warn is None else thresholds.warn
    return {"pass": float(thresholds.pass_), "warn": float(warning)}


def _levels(result: Scored) -> dict[str, object]:
    """Return the level that counts, and what the judge had said where a person corrected it."""
    levels: dict[str, object] = {} if result.level is None else {"level": result.level}
    if result.judged is not None:
        levels["judged_level"] = result.judged.level
        levels["judged_percent"] = float(result.judged.percent)
    return levels


def answer_facts(answer: Answer) -> dict[str, object]:
    """Return the further keys of a row: what the judge said besides its answer."""
    said: dict[str, object] = {}
    if answer.reasoning is not None:
        said["reasoning"] = answer.reasoning
    if answer.quotes:
        said["quotes"] = list(answer.quotes)
    if answer.confidence is not None:
        said["confidence"] = answer.confidence
    if answer.probabilities is not None:
        said["probabilities"] = dict(answer.probabilities)
    if answer.supported is not None:
        said["supported"] = answer.supported
    if answer.votes:
        said["votes"] = [_vote(vote) for vote in answer.votes]
    return said


def _vote(vote: Vote) -> dict[str, object]:
    answer = vote.answer
    said = {"error": answer.reason} if isinstance(answer, Unanswered) else {"answer": answer.value}
    return {"judge": vote.judge, "replica": vote.replica, **said}
