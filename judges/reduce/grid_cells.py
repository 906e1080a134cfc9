"""The cells of a grid: what one arm and one model made of one task, over all repeats."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from judges.core.row import Row
from judges.core.verdict import Verdict, worst
from judges.reduce.grid_rows import GATE, MEASURE

_FULL = {"label": 1, "score": 100}
"""What the score of a measure row is at the most, by what was measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One arm, model and task.

    `values` are what was measured, exactly and 0..1, by repeat; None where it could not be. `outside` are
    the answers that are none of the labels.
    """

    arm: str
    model: str
    task: str
    values: tuple[Fraction | None, ...]
    outside: tuple[str, ...] = ()
    verdict: Verdict = Verdict.PASS

    @property
    def measured(self) -> list[Fraction]:
        """The values that there are."""
        return [value for value in self.values if value is not None]

    @property
    def mean(self) -> Fraction | None:
        """The mean over repeats, 0..1; None where nothing was measured."""
        return exact_mean(self.measured)

    @property
    def median(self) -> Fraction | None:
        """The median over repeats, 0..1; None where nothing was measured."""
        return exact_median(self.measured)


def cell_ref(arm: str, model: str, task: str) -> str:
    """Return what names a cell in reports."""
    return f"{arm}/{model}/{task}"


def read_cell(arm: str, model: str, task: str, rows: Iterable[Row]) -> Cell:
    """Return the cell that has these measure and gate rows, in the order of the repeats."""
    values: list[Fraction | None] = []
    outside: list[str] = []
    verdicts: list[Verdict] = []
    label: str | None = None
    for row in rows:
        verdicts.append(row.verdict)
        if row.kind == MEASURE:
            values.append(_value(row))
            label = row.extra.get("label")
        elif row.kind == GATE and row.verdict is Verdict.FAIL and label is not None:
            outside.append(label)
    return Cell(
        arm=arm, model=model, task=task, values=tuple(values), outside=tuple(outside), verdict=worst(verdicts)
    )


def task_means(cells: Iterable[Cell]) -> Mapping[str, Fraction]:
    """Return the mean of each task over its cells, of which each counts the same; without unmeasured ones."""
    by_task: dict[str, list[Fraction]] = {}
    for cell in cells:
        if cell.mean is not None:
            by_task.setdefault(cell.task, []).append(cell.mean)
    return {task: sum(means, Fraction(0)) / len(means) for task, means in by_task.items()}


def exact_mean(values: Sequence[Fraction]) -> Fraction | None:
    """Return the mean; None of nothing."""
    return sum(values, Fraction(0)) / len(values) if values else None


def exact_median(values: Sequence[Fraction]) -> Fraction | None:
    """Return the median, of an even number the mean of the middle two; None of nothing."""
    ordered, middle = sorted(values), len(values) // 2
    return exact_mean(ordered[middle - (len(ordered) % 2 == 0) : middle + 1])


def _value(row: Row) -> Fraction | None:
    if row.verdict is Verdict.ERROR or row.score is None:
        return None
    return Fraction(row.score) / _FULL[row.spec["measure"]]
