"""Rates of a grid and their differences: exact fractions, 0..1, with intervals over tasks.

The unit of every interval is the task. Repeats and models of one task depend on each other: they are averaged
first (Miller, "Adding error bars to evals", 2024), so that more of them never make an interval narrower than
the tasks allow. A rate has Wilson's interval, which holds for few tasks and at 0 and 1; an uplift has the
paired t interval of the differences by task, cut off at what a difference can be.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import zip_longest

from judges.reduce.grid_cells import Cell, exact_mean, exact_median, task_means
from judges.reduce.statistics import Interval, paired_t, wilson_interval


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """What an arm reached with one model, or (None) with all: over `tasks` tasks and `samples` outputs.

    Every task counts the same, however many of its repeats were measured. `median` is that of the rates of
    the single repeats: the first of all tasks, the second, and so on.
    """

    arm: str
    model: str | None
    tasks: int
    samples: int
    mean: Fraction
    median: Fraction
    interval: Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class Uplift:
    """By how much an arm is above the control with one model, or (None) with all, over the tasks of both.

    There is no interval of a single task, nor where the difference is the same in every task.
    """

    arm: str
    model: str | None
    tasks: int
    mean: Fraction
    interval: Interval | None


def find_rates(cells: Sequence[Cell]) -> Iterator[Rate]:
    """Yield the rate of each arm with each model, then with all models where there are several."""
    for arm, model, group in _groups(cells):
        means = task_means(group)
        mean = exact_mean(list(means.values()))
        if mean is None:
            continue
        runs = (exact_mean([value for value in run if value is not None]) for run in _runs(group))
        interval = wilson_interval(float(sum(means.values())), len(means))
        assert interval is not None
        yield Rate(
            arm=arm,
            model=model,
            tasks=len(means),
            samples=sum(len(cell.measured) for cell in group),
            mean=mean,
            median=exact_median([rate for rate in runs if rate is not None]) or Fraction(0),
            interval=interval,
        )


def find_uplifts(cells: Sequence[Cell], control: str) -> Iterator[Uplift]:
    """Yield the uplift of each arm but the control with each model, then with all where there are several."""
    groups = {(arm, model): group for arm, model, group in _groups(cells)}
    for (arm, model), group in groups.items():
        if arm == control or (control, model) not in groups:
            continue
        current, before = task_means(group), task_means(groups[control, model])
        differences = [current[task] - before[task] for task in current if task in before]
        mean = exact_mean(differences)
        if mean is not None:
            interval = difference_interval(differences)
            yield Uplift(arm=arm, model=model, tasks=len(differences), mean=mean, interval=interval)


def difference_interval(differences: Sequence[Fraction]) -> Interval | None:
    """Return the 95 % interval, -1..1, of a mean difference by task; None where it cannot be told."""
    paired = paired_t([float(each) for each in differences])
    if paired is None:
        return None
    return Interval(max(-1.0, paired.interval.low), min(1.0, paired.interval.high))


def _groups(cells: Sequence[Cell]) -> Iterator[tuple[str, str | None, list[Cell]]]:
    """Yield arm, model and cells in the order of the grid; last each arm with all models, if several."""
    groups: dict[tuple[str, str | None], list[Cell]] = {}
    for cell in cells:
        groups.setdefault((cell.arm, cell.model), []).append(cell)
    if len({cell.model for cell in cells}) > 1:
        for cell in cells:
            groups.setdefault((cell.arm, None), []).append(cell)
    yield from ((arm, model, group) for (arm, model), group in groups.items())


def _runs(cells: Iterable[Cell]) -> Iterator[tuple[Fraction | None, ...]]:
    """Yield the values of all cells at each repeat."""
    return zip_longest(*(cell.values for cell in cells))
