"""The queue of a review: the results that are worth most of a person's time first, and a random sample."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from hashlib import sha256
from math import ceil
from typing import Any

from judges.core.case import Category
from judges.core.verdict import Verdict
from judges.reduce.reasons import ORDER, Reason, ReasonKind


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueItem:
    """One result to be looked at: of a case, by one model where there are several.

    `suite` is the suite's folder in the run, `number` the place in the suite, from 0. `confidence`, 0..1, is
    the lowest of its answers. `reviewed` tells that a person has rated exactly this output, or corrected it.
    """

    run: str
    suite: str
    number: int
    ref: str
    title: str
    model: str | None
    verdict: Verdict
    score: Decimal | None
    category: Category | None = None
    reasons: tuple[Reason, ...] = ()
    confidence: float = 1.0
    reviewed: bool = False

    @property
    def id(self) -> str:
        """What names it within its run."""
        return f"{self.suite}:{self.number}"

    @property
    def is_measured(self) -> bool:
        """Whether there is a result that a person could agree with, or not."""
        return self.verdict not in (Verdict.SKIP, Verdict.ERROR)


def build_queue(results: Sequence[QueueItem], share: Fraction, seed: int) -> list[QueueItem]:
    """Return the results that something speaks for, ranked, then a random share, 0..1, of the others.

    What a person has reviewed is not drawn. The share is rounded up. The same seed draws the same results
    whatever their order, and few others when some are added.
    """
    wanted = [item for item in results if item.reasons]
    rest = [item for item in results if not item.reasons and item.is_measured and not item.reviewed]
    drawn = sorted(rest, key=lambda item: _draw(item, seed))[: ceil(share * len(rest))]
    reason = Reason(ReasonKind.SAMPLE, "drawn at random")
    return [*rank_queue(wanted), *(replace(item, reasons=(reason,)) for item in drawn)]


def rank_queue(items: Iterable[QueueItem]) -> list[QueueItem]:
    """Return those with most kinds of reasons first.

    Of as many, those whose first reason counts for more, then those the judge is least sure of, then the
    order of the suite.
    """
    return sorted(items, key=_rank)


def _rank(item: QueueItem) -> tuple[Any, ...]:
    kinds = {ORDER[reason.kind] for reason in item.reasons}
    return -len(kinds), min(kinds, default=len(ORDER)), item.confidence, item.suite, item.number


def _draw(item: QueueItem, seed: int) -> bytes:
    return sha256(json.dumps([seed, item.suite, item.ref, item.model]).encode()).digest()
