"""What changed between two runs of a grid: how each arm moved. The unit is the task, not the cell."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any, TypeAlias

from judges.core.report import SuiteReport
from judges.reduce.changes import Changes, Shift, compare_cases, find_shift

CellKey: TypeAlias = tuple[str, str, str]


def compare_suites(before: SuiteReport, after: SuiteReport) -> Changes:
    """Return what changed from one run of a suite to another; in a grid the shifts are those of its arms.

    A total over all cells of a grid would mix its arms, and count the models of a task as if they were tasks.
    """
    changes = compare_cases(before.cases, after.cases)
    cells = [report.summary.get("cells") for report in (before, after)]
    if cells[0] is None or cells[1] is None:
        return changes
    return replace(
        changes,
        shifts=find_arm_shifts(cells[0], cells[1]),
        cases=tuple(replace(change, model=None) for change in changes.cases),  # a cell's ref names its model
    )


def find_arm_shifts(
    before: Sequence[Mapping[str, Any]], after: Sequence[Mapping[str, Any]]
) -> Mapping[str, Shift]:
    """Return how the mean of each arm moved over the tasks of both; the models of a task are averaged."""
    now = {_key(cell): cell["mean"] for cell in after}
    values: dict[str, list[tuple[str, Decimal | None, Decimal | None]]] = {}
    for cell in before:
        if (key := _key(cell)) in now:
            pair = (cell["task"], _decimal(cell["mean"]), _decimal(now[key]))
            values.setdefault(f"arm {cell['arm']}", []).append(pair)
    return {name: shift for name, each in values.items() if (shift := find_shift(each)) is not None}


def _key(cell: Mapping[str, Any]) -> CellKey:
    return cell["arm"], cell["model"], cell["task"]


def _decimal(mean: float | None) -> Decimal | None:
    return None if mean is None else Decimal(str(mean))
