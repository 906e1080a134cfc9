"""People's ratings of outputs: which of them say something of a judge, and what several come to."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from statistics import median_low
from typing import TypeAlias

from judges.core.rating import Rating

Output: TypeAlias = tuple[str, str]
"""The ref of a case, and the digest of an output of it."""
Levels: TypeAlias = Mapping[str, int]
"""The level of one output by criterion."""


@dataclass(frozen=True, slots=True)
class Scale:
    """A criterion as it is now: the digest of its rubric, and its highest level."""

    rubric_sha256: str
    levels: int


def select_ratings(
    ratings: Iterable[Rating], scales: Mapping[str, Scale], refs: Collection[str]
) -> tuple[dict[Output, Levels], Mapping[str, int]]:
    """Return people's level of each output by criterion, and how many ratings do not count, by the reason.

    Of what one person said of the same output the newest counts; of what several said, the lower median.
    """
    left_out: Counter[str] = Counter()
    newest: dict[tuple[Output, str, str], Rating] = {}
    for rating in sorted(ratings, key=lambda each: each.timestamp):
        if reason := _why_not(rating, scales, refs):
            left_out[reason] += 1
        else:
            newest[(rating.ref, rating.output_sha256), rating.criterion, rating.author] = rating
    given: dict[Output, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for (output, criterion, _), rating in newest.items():
        given[output][criterion].append(rating.level)
    return {
        output: {criterion: median_low(levels) for criterion, levels in criteria.items()}
        for output, criteria in given.items()
    }, left_out


def _why_not(rating: Rating, scales: Mapping[str, Scale], refs: Collection[str]) -> str | None:
    scale = scales.get(rating.criterion)
    if rating.ref not in refs:
        return "the suite has no such case"
    if scale is None:
        return "the suite has no such criterion"
    if rating.rubric_sha256 != scale.rubric_sha256:
        return "the rubric has changed since"
    if rating.level > scale.levels:
        return "the scale has no such level"
    return None if rating.blind else "not blind: whoever gave it had seen what a judge said"
