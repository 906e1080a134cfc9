"""A person's decisions about scores: a correction, its withdrawal, its renewal, and what takes one back.

A decision is never changed: each of these is a further one, later than those that it stands in the place of.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from judges.core.rating import RaterKind
from judges.files.case_meta import Bind
from judges.files.dates import later
from judges.files.overrides import LIFETIME_DAYS
from judges.files.suite import Criterion, Override
from judges.reduce.overrides import rubrics_sha256

_DAY = timedelta(days=1)
_SECOND = timedelta(seconds=1)
_MOMENT = timedelta(microseconds=1)
_LAST = datetime.max.replace(tzinfo=UTC) - _SECOND


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """What a person wants the score, 0..100, of a criterion or (None) the total to be, and why.

    With `for_case` it holds whatever the output. Without `expires` it ends after 180 days.
    """

    score: Decimal
    reason: str
    criterion: str | None = None
    for_case: bool = False
    expires: datetime | None = None


@dataclass(frozen=True, slots=True)
class Signature:
    """Who decides, and when."""

    author: str
    time: datetime

    def after(self, known: Override | None) -> "Signature":
        """Return the signature at a time that makes it the newest, whatever clock the one before went by."""
        time = self.time.astimezone(UTC).replace(microsecond=0)
        if known is None or known.timestamp < time:
            return replace(self, time=time)
        return replace(self, time=min(known.timestamp, _LAST) + _SECOND)


def correct(
    wish: Correction,
    ref: str,
    output_sha256: str | None,
    criteria: Sequence[Criterion],
    signature: Signature,
) -> Override:
    """Return the decision, bound to the rubric and, unless it is for the case, to the output."""
    bound = None if wish.for_case else output_sha256
    return Override(
        case_ref=ref,
        criterion=wish.criterion,
        score=wish.score,
        timestamp=signature.time,
        reason=_sendable(wish.reason),
        author=signature.author,
        bind=Bind.OUTPUT if bound else Bind.CASE,
        output_sha256=bound,
        rubric_sha256=rubric_digest(criteria, wish.criterion),
        expires=wish.expires or default_end(signature.time),
        active=True,
    )


def withdraw(held: Override, reason: str, signature: Signature) -> Override:
    """Return the decision that the judge's score counts again."""
    return replace(
        held,
        timestamp=signature.time,
        reason=_sendable(reason),
        author=signature.author,
        rater_kind=RaterKind.PERSON,
        expires=None,
        active=False,
    )


def renew(
    held: Override,
    output_sha256: str | None,
    criteria: Sequence[Criterion],
    expires: datetime | None,
    signature: Signature,
) -> Override:
    """Return the same decision again, bound to the rubric of now, and to this output if it is to one."""
    return replace(
        held,
        timestamp=signature.time,
        author=signature.author,
        rater_kind=RaterKind.PERSON,
        output_sha256=(output_sha256 or held.output_sha256) if held.bind is Bind.OUTPUT else None,
        rubric_sha256=rubric_digest(criteria, held.criterion),
        expires=expires or default_end(signature.time),
        active=True,
    )


def take_back(made: Override, before: Override | None, signature: Signature) -> Override:
    """Return the decision after which things are as they were before one was made."""
    if before is not None and before.active:
        ends = before.expires or default_end(signature.time)
        return replace(
            before, timestamp=signature.time, author=before.author or signature.author, expires=ends
        )
    return withdraw(made, "taken back", signature)


def default_end(time: datetime) -> datetime:
    """Return the end of the day on which a decision of this time ends by default."""
    return later(time, LIFETIME_DAYS).replace(hour=0, minute=0, second=0, microsecond=0) + _DAY


def last_day(expires: datetime) -> str:
    """Return the last day on which a decision holds: one that ends with a day ends as the next one begins."""
    return f"{expires - _MOMENT:%Y-%m-%d}"


def rubric_digest(criteria: Sequence[Criterion], criterion: str | None) -> str:
    """Return the digest of what a decision about a criterion, or (None) the total, depends on."""
    by_name = {each.name: each.rubric_sha256 for each in criteria}
    return rubrics_sha256(tuple(criteria)) if criterion is None else by_name[criterion]


def _sendable(text: str) -> str:
    """Half of a surrogate pair, as bytes on a command line may become, is no Unicode text."""
    return text.encode("utf-8", "replace").decode("utf-8")
