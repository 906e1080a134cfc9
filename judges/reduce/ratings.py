"""Ratings of outputs: which of them say something of a judge, and what several come to."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from statistics import median_low
from typing import TypeAlias

from judges.core.question import Answer
from judges.core.rating import RaterKind, Rating

Output: TypeAlias = tuple[str, str]
"""The ref of a case, and the digest of an output of it."""
Levels: TypeAlias = Mapping[str, int]
"""The level of one output by criterion."""
Item: TypeAlias = tuple[Output, str]
"""An output and a criterion to see it by."""
Opinions: TypeAlias = Mapping[Item, Mapping[str, Rating]]
"""What people say of an output on a criterion, by who says it."""
BY_MODEL = "given by a model, and only what people say tells how good a judge is"


@dataclass(frozen=True, slots=True)
class Scale:
    """A criterion as it is now: the digest of its rubric, and its highest level."""

    rubric_sha256: str
    levels: int


def select_ratings(
    ratings: Iterable[Rating], scales: Mapping[str, Scale], refs: Collection[str]
) -> tuple[dict[Output, Levels], Mapping[str, int]]:
    """Return people's level of each output by criterion, and how many ratings do not count, by the reason.

    Only people's blind ratings count. Of what several people said of the same output the lower median does.
    """
    opinions, left_out = collect_opinions(ratings, scales, refs, blind_only=True)
    given: dict[Output, dict[str, int]] = defaultdict(dict)
    for (output, criterion), by_author in opinions.items():
        given[output][criterion] = median_level(by_author.values())
    return dict(given), left_out


def collect_opinions(
    ratings: Iterable[Rating], scales: Mapping[str, Scale], refs: Collection[str], *, blind_only: bool
) -> tuple[Opinions, Mapping[str, int]]:
    """Return what each person says of each output, and how many ratings do not count, by the reason.

    Of what one person said of the same output the newest counts.
    """
    left_out: Counter[str] = Counter()
    opinions: dict[Item, dict[str, Rating]] = defaultdict(dict)
    for rating in sorted(ratings, key=lambda each: each.timestamp):
        if reason := _why_not(rating, scales, refs, blind_only=blind_only):
            left_out[reason] += 1
        else:
            opinions[(rating.ref, rating.output_sha256), rating.criterion][rating.author] = rating
    return opinions, left_out


def level_of(answer: Answer) -> int:
    """Return the level that a judge's answer stands for; yes is level 2, no is level 1."""
    return int(answer.value) + isinstance(answer.value, bool)


def median_level(ratings: Iterable[Rating]) -> int:
    """Return what several people's ratings of an output come to: the lower median."""
    return median_low(rating.level for rating in ratings)


def _why_not(
    rating: Rating, scales: Mapping[str, Scale], refs: Collection[str], *, blind_only: bool
) -> str | None:
    scale = scales.get(rating.criterion)
    if rating.rater_kind is RaterKind.MODEL:
        return BY_MODEL
    if rating.ref not in refs:
        return "the suite has no such case"
    if scale is None:
        return "the suite has no such criterion"
    if rating.rubric_sha256 != scale.rubric_sha256:
        return "the rubric has changed since"
    if rating.level > scale.levels:
        return "the scale has no such level"
    seen = blind_only and not rating.blind
    return "not blind: whoever gave it had seen what a judge said" if seen else None
