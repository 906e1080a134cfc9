"""Whether an edit harms the corpus, by the differences of its tasks and how sure they are.

That is a test of non-inferiority by a confidence interval: Piaggio and others, "Reporting of noninferiority
and equivalence randomized trials" (JAMA, 2012).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from judges.reduce.grid_cells import exact_mean
from judges.reduce.grid_rates import difference_interval
from judges.reduce.statistics import Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class Paired:
    """The mean difference, candidate less current, over the tasks of both, and its 95 % interval: -1..1.

    Where the difference is the same in every one of several tasks, the interval is nothing but it. There is
    none of a single task. `margin` is the loss that is allowed.
    """

    tasks: int
    mean: Fraction | None
    interval: Interval | None
    margin: Fraction

    @property
    def regressed(self) -> bool | None:
        """Whether the loss is more than the margin; None where that cannot be told."""
        if self.interval is None:
            return None
        low, high = Fraction(self.interval.low), Fraction(self.interval.high)
        if self.mean is not None and low == high:
            low = high = self.mean
        if high < -self.margin:
            return True
        return False if low >= -self.margin else None


def compare_paired(
    current: Mapping[str, Sequence[Fraction]], candidate: Mapping[str, Sequence[Fraction]], margin: Fraction
) -> Paired:
    """Compare the values of each task, of which there may be several: their means."""
    means = [
        (exact_mean(candidate[task]), exact_mean(current[task])) for task in current if task in candidate
    ]
    differences = [after - before for after, before in means if after is not None and before is not None]
    mean, interval = exact_mean(differences), difference_interval(differences)
    if interval is None and mean is not None and len(differences) > 1:
        interval = Interval(float(mean), float(mean))
    return Paired(tasks=len(differences), mean=mean, interval=interval, margin=margin)
