"""How far a judge agrees with people: on each criterion and category, and what follows from that."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from judges.core.case import Category
from judges.core.verdict import Verdict
from judges.reduce.calibration_figures import Figures, Label, group_labels, measure_labels

SMOKE_TEST, USABLE, GATE = 30, 100, 200  # labels
GATE_FAILURES = 50
_ROUNDING = 1e-9


class Strength(StrEnum):
    """What a number of labels allows to conclude."""

    TOO_FEW = "too few"
    SMOKE_TEST = "smoke test"
    USABLE = "usable"
    GATE = "supports a gate"


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """How far a judge agrees with people. `overall` is None where there is no label.

    `people` is how far people agree with each other, over every two who rated the same: more is not to be
    had of a judge. `unrated` are categories that were judged and of which people rated nothing.
    """

    overall: Figures | None
    criteria: Mapping[str, Figures]
    categories: Mapping[Category, Figures]
    people: Figures | None
    unrated: tuple[Category, ...] = ()

    @property
    def strength(self) -> Strength:
        """What the number of labels allows to conclude."""
        if self.overall is None or self.overall.n < SMOKE_TEST:
            return Strength.TOO_FEW
        if self.overall.n < USABLE or self.unrated:
            return Strength.SMOKE_TEST
        enough = self.overall.n >= GATE and self.overall.failing >= GATE_FAILURES
        return Strength.GATE if enough else Strength.USABLE

    def decide(self, least: float | None) -> Verdict:
        """Return the verdict on a judge that is to reach a kappa of `least`; SKIP without a label."""
        if self.overall is None:
            return Verdict.SKIP
        if self.strength is Strength.TOO_FEW:
            return Verdict.INCONCLUSIVE
        if least is None:
            return Verdict.PASS
        kappa = self.overall.kappa.value
        if kappa is None:
            return Verdict.INCONCLUSIVE
        return Verdict.PASS if kappa > least - _ROUNDING else Verdict.FAIL


def calibrate(
    labels: Sequence[Label], between_people: Sequence[Label], judged: Iterable[Category | None]
) -> Calibration:
    """Return how the judge agrees with people.

    `between_people` are labels of one person in the place of the judge and of another in that of people,
    each two in either order, since neither comes first. `judged` are the categories that the judge judged.
    """
    criteria = group_labels(labels, lambda each: each.criterion)
    categories = group_labels(labels, lambda each: each.category)
    return Calibration(
        overall=measure_labels(labels) if labels else None,
        criteria={name: measure_labels(group) for name, group in criteria.items()},
        categories={name: measure_labels(categories[name]) for name in Category if name in categories},
        people=_measure_people(between_people) if between_people else None,
        unrated=tuple(name for name in Category if name in set(judged) - categories.keys()),
    )


def _measure_people(labels: Sequence[Label]) -> Figures:
    """Count every two people once, in whichever order."""
    figures = measure_labels(labels)
    return replace(figures, n=figures.n // 2, failing=0)
