"""Which corrections hold for a case now, and what they do to its results."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from fractions import Fraction
from typing import Any, TypeAlias

from judges.core.case import digest
from judges.core.question import Unanswered
from judges.core.row import Notice, Row
from judges.core.verdict import Verdict
from judges.files.case_meta import Bind
from judges.files.suite import Criterion, Override
from judges.reduce.percent import Results, Scored

Newest: TypeAlias = Mapping[str | None, Override]
"""The newest decision about each criterion of a case, and (None) about its total."""


@dataclass(frozen=True, slots=True)
class Corrections:
    """The corrections that hold for one case: of its total, of its criteria by name, and remarks."""

    total: Override | None = None
    criteria: Mapping[str, Override] = field(default_factory=dict)
    notices: tuple[Notice, ...] = ()


NO_CORRECTIONS = Corrections()


def newest_overrides(overrides: Iterable[Override]) -> Mapping[str, Newest]:
    """Return the newest decisions by case ref. A newer one wins also when it withdraws an older one."""
    by_case: dict[str, dict[str | None, Override]] = {}
    for override in overrides:
        case = by_case.setdefault(override.case_ref, {})
        known = case.get(override.criterion)
        if known is None or override.timestamp >= known.timestamp:
            case[override.criterion] = override
    return by_case


def select_overrides(
    newest: Newest, *, ref: str, output_sha256: str | None, criteria: tuple[Criterion, ...], now: datetime
) -> Corrections:
    """Return the corrections that are applied to a case whose output has this digest.

    An expired or stale one is remarked on and not applied, and no older one comes back in its place.
    """
    if not newest:
        return NO_CORRECTIONS
    digests: dict[str | None, str] = {each.name: each.rubric_sha256 for each in criteria}
    digests[None] = rubrics_sha256(criteria)
    applied: dict[str | None, Override] = {}
    notices = []
    for criterion, override in newest.items():
        if not override.active:
            continue
        if reason := _not_applied(override, output_sha256, digests.get(criterion), now):
            notices.append(Notice(f"override of {criterion or 'the total'} not applied: {reason}", ref))
        else:
            applied[criterion] = override
    by_criterion = {name: override for name, override in applied.items() if name is not None}
    return Corrections(applied.get(None), by_criterion, tuple(notices))


def rubrics_sha256(criteria: tuple[Criterion, ...]) -> str:
    """Return the digest of all rubrics and weights: what a correction of the total depends on."""
    return digest("\n".join(f"{each.name} {each.weight} {each.rubric_sha256}" for each in criteria))


def correct_result(result: Scored | Unanswered, override: Override | None) -> Scored | Unanswered:
    """Return the result as it was corrected, if it was, with what the judge had said beside it."""
    if override is None:
        return result
    judged = result if isinstance(result, Scored) else None
    return Scored(
        percent=Fraction(override.score), answer=None if judged is None else judged.answer, judged=judged
    )


def set_aside(row: Row) -> Row:
    """Return the row without its verdict, where the total was corrected.

    That stands on its own: what the judge said stays visible and decides nothing.
    """
    found = row.error or row.actual_excerpt
    return replace(row, verdict=Verdict.SKIP, error=f"the total was corrected; the judge: {found}")


def describe_corrections(
    corrections: Corrections, judged: Results, judged_score: Fraction | None
) -> dict[str, Any] | None:
    """Return who changed what, when and why, beside what the judge had said."""
    total = corrections.total
    described: dict[str, Any] = {}
    if total is not None:
        described = _describe_one(total, judged_score)
    criteria = {
        name: _describe_one(each, result.percent if isinstance(result := judged.get(name), Scored) else None)
        for name, each in corrections.criteria.items()
    }
    return {**described, **({"criteria": criteria} if criteria else {})} or None


def _not_applied(
    override: Override, output_sha256: str | None, rubric_sha256: str | None, now: datetime
) -> str | None:
    if rubric_sha256 is None:
        return "there is no such criterion"
    if override.expires is not None and now >= override.expires:
        return f"it expired on {override.expires.date().isoformat()}"
    if override.bind is Bind.OUTPUT and override.output_sha256 != output_sha256:
        return "it is stale, the output has changed since"
    if override.rubric_sha256 is not None and override.rubric_sha256 != rubric_sha256:
        return "it is stale, the rubric has changed since"
    return None


def _describe_one(override: Override, judged: Fraction | None) -> dict[str, Any]:
    return {
        "score": float(override.score),
        "judged_score": None if judged is None else float(judged),
        "author": override.author,
        "rater_kind": override.rater_kind.value,
        "timestamp": override.timestamp.isoformat(),
        "reason": override.reason,
        "expires": override.expires.isoformat() if override.expires else None,
    }
