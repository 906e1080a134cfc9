"""Why the result of a case is worth a person's minute: what makes it doubtful, found in the result itself."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any

from judges.core.case import Category
from judges.core.report import CaseReport
from judges.core.row import Row, excerpt
from judges.core.score_text import render_exact, render_score
from judges.core.verdict import Verdict
from judges.reduce.fragile import Flip
from judges.reduce.votes import NO_MAJORITY

LOW_CONFIDENCE = 0.7
"""A judge that is less sure of an answer, 0..1, is worth a second look."""


class ReasonKind(StrEnum):
    """Why a result is worth a person's minute; what comes first counts for more."""

    WARN = "warn"
    FRAGILE = "fragile"
    UNSURE = "unsure"
    DISAGREEMENT = "disagreement"
    AT_ODDS = "at_odds"
    ABOVE_RANGE = "above_range"
    OVERRIDE = "override"
    SAMPLE = "sample"


ORDER = {kind: place for place, kind in enumerate(ReasonKind)}
"""The place of each kind, from 0."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason in words, and the criterion that it is about, if it is about one."""

    kind: ReasonKind
    text: str
    criterion: str | None = None


@dataclass(frozen=True, slots=True)
class Lapsed:
    """A correction of a criterion, or (None) of the total, that is not applied any more, and why."""

    criterion: str | None
    why: str


def find_reasons(
    case: CaseReport, flips: Iterable[Flip] = (), lapsed: Iterable[Lapsed] = ()
) -> tuple[Reason, ...]:
    """Return why a result is worth a person's minute, what counts for most first.

    `flips` are the changes by one level that would change its verdict. What a person has settled is no reason
    any more: nothing is where the total was corrected, and no row of a criterion that was.
    """
    overdue = [Reason(ReasonKind.OVERRIDE, each.why, each.criterion) for each in lapsed]
    override = case.override or {}
    if case.verdict is Verdict.SKIP or "score" in override:
        return tuple(overdue)
    settled = override.get("criteria", {})
    found = [
        *_warned(case),
        *_fragile(flips, settled),
        *(reason for row in case.rows for reason in _about_row(row) if reason.criterion not in settled),
        *_unsteady(case),
        *_repeats(case.rows),
        *_at_odds(case.rows),
        *_above_range(case),
        *overdue,
    ]
    return tuple(sorted(found, key=lambda reason: ORDER[reason.kind]))


def find_confidence(case: CaseReport) -> float:
    """Return the lowest confidence, 0..1, of a result's answers; 1 where none is known."""
    return min((each for row in case.rows for each in _said(row, "confidence")), default=1.0)


def _warned(case: CaseReport) -> Iterator[Reason]:
    if case.verdict is Verdict.WARN:
        yield Reason(ReasonKind.WARN, "; ".join(case.reasons))


def _fragile(flips: Iterable[Flip], settled: Collection[str]) -> Iterator[Reason]:
    by_criterion: dict[str, list[Flip]] = defaultdict(list)
    for flip in flips:
        by_criterion[flip.question.removeprefix("criteria.")].append(flip)
    for name, each in by_criterion.items():
        if name not in settled:
            changes = " and ".join(f"{flip.verdict} at {flip.level}" for flip in each)
            yield Reason(ReasonKind.FRAGILE, f"one level of {name} decides: {changes}", name)


def _about_row(row: Row) -> Iterator[Reason]:
    """A confidence that is only low since others disagree says nothing more."""
    criterion = row.id.removeprefix("criteria.") if row.kind == "criteria" else None
    confidence = min(_said(row, "confidence"), default=1.0)
    if contrary := _contrary(row):
        yield Reason(ReasonKind.DISAGREEMENT, f"{row.id}: {contrary}", criterion)
    elif confidence < LOW_CONFIDENCE:
        yield Reason(ReasonKind.UNSURE, f"{row.id}: confidence {confidence:.2f}", criterion)


def _contrary(row: Row) -> str | None:
    """Return how several answers to the same question differ, if they do."""
    for votes in _said(row, "votes"):
        if len({str(vote["answer"]) for vote in votes if "answer" in vote}) > 1:
            return f"the votes are {', '.join(str(vote.get('answer', 'none')) for vote in votes)}"
    if row.error and row.error.startswith(NO_MAJORITY):
        return excerpt(row.error)
    if row.extra.get("orders_agree") is False:
        return "which output comes first sways the judge"
    if False in _said(row, "supported"):
        return "the meta-judge does not find the answer supported"
    passed, runs = row.extra.get("pass_count", 0), row.extra.get("runs", 0)
    return f"{passed} of {runs} replicas pass" if 0 < passed < runs else None


def _said(row: Row, key: str) -> list[Any]:
    """Return what was said under a key: in a comparison once for each order."""
    return [row.extra[each] for each in (key, f"{key}_ba") if row.extra.get(each) is not None]


def _unsteady(case: CaseReport) -> Iterator[Reason]:
    flips = (case.stability or {}).get("flips")
    if case.stability and flips:
        asked = case.stability["asked"]
        yield Reason(
            ReasonKind.DISAGREEMENT, f"of {asked} times that the judge was asked, {flips} decide otherwise"
        )


def _repeats(rows: Iterable[Row]) -> Iterator[Reason]:
    """A cell of a grid has a row for each time that its task was repeated."""
    scores = [row.score for row in rows if row.kind == "measure" and row.score is not None]
    if len(set(scores)) > 1:
        yield Reason(
            ReasonKind.DISAGREEMENT, f"the repeats score {', '.join(render_score(each) for each in scores)}"
        )


def _at_odds(rows: Sequence[Row]) -> Iterator[Reason]:
    """What the judge likes fails a check that needs no judge, or what it does not like passes all of them."""
    checks = [row for row in rows if row.kind == "checks" and "pass_condition" not in row.spec]
    failed = [row.id for row in checks if row.verdict in (Verdict.FAIL, Verdict.WARN)]
    likes = _judge_likes(rows, failed)
    if failed and likes:
        yield Reason(ReasonKind.AT_ODDS, f"{failed[0]} failed, and the judge is content")
    if checks and likes is False and all(row.verdict is Verdict.PASS for row in checks):
        yield Reason(ReasonKind.AT_ODDS, "all deterministic checks pass, and the judge is not content")


def _judge_likes(rows: Sequence[Row], failed: Sequence[str]) -> bool | None:
    """Return whether the judge alone would let the output pass; None where it was not asked.

    In a comparison it would where it prefers the output that failed; in a regression where nothing dropped.
    """
    by_id = {row.id: row for row in rows}
    if overall := by_id.get("overall"):
        preferred = overall.extra.get("ab") if overall.extra.get("orders_agree") else None
        return any(row_id.startswith(f"{preferred}.") for row_id in failed) or None
    score = by_id.get("score")
    if score is None:
        return None
    if failed and "difference" in score.extra:
        return bool(score.extra["difference"] >= 0)
    return {Verdict.PASS: True, Verdict.FAIL: False}.get(score.verdict)


def _above_range(case: CaseReport) -> Iterator[Reason]:
    for row in case.rows:
        if row.id != "score" or row.score is None or "max" not in row.spec:
            continue
        highest = Decimal(str(row.spec["max"]))
        declined = row.verdict is Verdict.PASS and case.category is Category.ZERO_CONDITION
        if row.score > highest and not declined:
            scored = f"scored {render_score(row.score, highest)}, expected {render_exact(highest)} at most"
            yield Reason(ReasonKind.ABOVE_RANGE, scored)
