"""From the cells of a grid to its verdict and its figures.

The verdict is that of the worst cell: no rate decides, since what a grid measures is a difference. All shares
in the summary are percent, 0..100.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from judges.core.report import Totals
from judges.core.verdict import worst
from judges.reduce.grid_cells import Cell
from judges.reduce.grid_rates import find_rates, find_uplifts
from judges.reduce.statistics import Interval, wilson_interval
from judges.reduce.suite import SuiteDecision, not_measured

_OUTCOMES = {Fraction(0): "wrong", Fraction(1): "right"}


@dataclass(frozen=True, slots=True)
class Flat:
    """A task in which every output of every arm and model was worth the same: it tells no arm from another.

    `outcome` is `right` (all are worth 1), `wrong` (all 0), or `alike`.
    """

    task: str
    outcome: str


@dataclass(frozen=True, slots=True)
class Outside:
    """How many of the `outputs` of one model gave none of the labels, and what they gave in their place."""

    model: str
    outputs: int
    answers: Mapping[str, int]

    @property
    def count(self) -> int:
        """How many there are."""
        return sum(self.answers.values())


def decide_grid(cells: Sequence[Cell], control: str, totals: Totals) -> SuiteDecision:
    """Decide a grid by its worst cell; one that could not be measured makes it ERROR."""
    verdict = not_measured(totals) or worst(cell.verdict for cell in cells)
    return SuiteDecision(verdict=verdict, summary=summarize_grid(cells, control))


def summarize_grid(cells: Sequence[Cell], control: str) -> Mapping[str, Any]:
    """Return the figures of a grid as JSON values."""
    return {
        "control": control,
        "rates": [
            {
                "arm": rate.arm,
                "model": rate.model,
                "tasks": rate.tasks,
                "samples": rate.samples,
                "mean": _percent(rate.mean),
                "median": _percent(rate.median),
                "interval": _ends(rate.interval),
            }
            for rate in find_rates(cells)
        ],
        "uplift": [
            {
                "arm": each.arm,
                "model": each.model,
                "tasks": each.tasks,
                "mean": _percent(each.mean),
                "interval": _ends(each.interval),
            }
            for each in find_uplifts(cells, control)
        ],
        "flat_tasks": [{"task": each.task, "outcome": each.outcome} for each in find_flat(cells)],
        "tasks": len({cell.task for cell in cells}),
        "out_of_enum": [
            {"model": each.model, "outputs": each.outputs, "count": each.count, "answers": dict(each.answers)}
            for each in find_outside(cells)
        ],
        "cells": [_cell(cell) for cell in cells],
    }


def find_flat(cells: Sequence[Cell]) -> Iterator[Flat]:
    """Yield the tasks that do not discriminate, in the order of the grid."""
    values: dict[str, set[Fraction]] = {}
    for cell in cells:
        values.setdefault(cell.task, set()).update(cell.measured)
    for task, found in values.items():
        if len(found) == 1:
            yield Flat(task, _OUTCOMES.get(found.pop(), "alike"))


def find_outside(cells: Sequence[Cell]) -> Iterator[Outside]:
    """Yield the models that gave answers which are no labels, most frequent answers first."""
    outputs: Counter[str] = Counter()
    answers: dict[str, Counter[str]] = {}
    for cell in cells:
        outputs[cell.model] += len(cell.measured)
        answers.setdefault(cell.model, Counter()).update(cell.outside)
    for model, found in answers.items():
        if found:
            yield Outside(model, outputs[model], dict(found.most_common()))


def _cell(cell: Cell) -> dict[str, Any]:
    """The interval of one cell is over its repeats, as if they did not depend on each other."""
    interval = wilson_interval(float(sum(cell.measured)), len(cell.measured))
    return {
        "arm": cell.arm,
        "model": cell.model,
        "task": cell.task,
        "repeats": len(cell.measured),
        "mean": _percent(cell.mean),
        "median": _percent(cell.median),
        "interval": _ends(interval),
    }


def _percent(share: Fraction | None) -> float | None:
    return None if share is None else float(100 * share)


def _ends(interval: Interval | None) -> list[float] | None:
    return None if interval is None else [100 * interval.low, 100 * interval.high]
