"""From what people said, by ratings and by corrections, to the labels that a judge is compared on."""

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations

from judges.core.case import Category
from judges.core.rating import RaterKind, Rating
from judges.files.suite import Override
from judges.reduce.calibration_figures import Label
from judges.reduce.overrides import newest_overrides
from judges.reduce.percent import percent_of_level
from judges.reduce.ratings import BY_MODEL, Item, Opinions, Output, Scale, median_level

UNKNOWN = "unknown"
"""The author of a correction that names none."""


def rate_corrections(
    overrides: Collection[Override], scales: Mapping[str, Scale], totals_sha256: str
) -> tuple[list[Rating], dict[Output, Fraction], Mapping[str, int]]:
    """Return corrections as ratings, those of totals by output, and how many do not count, by the reason.

    Only people's count, whatever a model has corrected since. A score is the nearest level, of two the
    higher. Whoever corrects has seen what the judge said, so none is blind. One that has expired still says
    what a person thought of that output; one that was withdrawn does not. `totals_sha256` is the digest that
    a correction of a total has to be bound to.
    """
    ratings: list[Rating] = []
    totals: dict[Output, Fraction] = {}
    left_out: Counter[str] = Counter()
    for override in _newest(overrides):
        if override.rater_kind is RaterKind.MODEL:
            left_out[BY_MODEL] += 1
        elif not override.output_sha256 or not override.rubric_sha256:
            left_out["a correction that does not say of which output, or by which rubric"] += 1
        elif override.criterion is not None:
            ratings.append(_rate(override, scales.get(override.criterion)))
        elif override.rubric_sha256 != totals_sha256:
            left_out["a correction of a total, and the rubrics have changed since"] += 1
        else:
            totals[override.case_ref, override.output_sha256] = Fraction(override.score)
    return ratings, totals, left_out


def _newest(overrides: Collection[Override]) -> Iterator[Override]:
    """Yield the newest decisions of people, and those of models, that were not withdrawn."""
    for kind in RaterKind:
        newest = newest_overrides(each for each in overrides if each.rater_kind is kind)
        yield from (each for by_criterion in newest.values() for each in by_criterion.values() if each.active)


@dataclass(frozen=True, slots=True)
class Frame:
    """What labels are seen in: the category of each case, the scale of each criterion, and what passes.

    `bar` is the percent, 0..100, from which on a level passes.
    """

    categories: Mapping[str, Category | None]
    scales: Mapping[str, Scale]
    bar: Fraction

    def label(self, item: Item, people: int, judge: int) -> Label:
        """Return the label of an output on a criterion."""
        (ref, sha256), criterion = item
        return Label(
            case=ref,
            category=self.categories[ref],
            output_sha256=sha256,
            criterion=criterion,
            people=people,
            judge=judge,
            failing=percent_of_level(people, self.scales[criterion].levels) < self.bar,
        )


def label_judge(frame: Frame, opinions: Opinions, judged: Mapping[Item, int]) -> list[Label]:
    """Return the judge's level beside that of people, wherever both are known, in the order of criteria."""
    both = [item for name in frame.scales for item in opinions if item[1] == name and item in judged]
    return [frame.label(item, median_level(opinions[item].values()), judged[item]) for item in both]


def label_people(frame: Frame, opinions: Opinions) -> list[Label]:
    """Return the levels of every two people who rated the same, in either order: neither comes first."""
    return [
        frame.label(item, one.level, other.level)
        for item, by_author in opinions.items()
        for one, other in permutations(by_author.values(), 2)
    ]


def _rate(override: Override, scale: Scale | None) -> Rating:
    """Without such a scale the level does not matter: the rating will not count."""
    steps = scale.levels - 1 if scale else 1
    return Rating(
        ref=override.case_ref,
        criterion=override.criterion or "",
        level=1 + math.floor(Fraction(override.score) / 100 * steps + Fraction(1, 2)),
        output_sha256=override.output_sha256 or "",
        rubric_sha256=override.rubric_sha256 or "",
        author=override.author or UNKNOWN,
        timestamp=override.timestamp,
        blind=False,
    )
