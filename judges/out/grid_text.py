"""The figures of a grid for people: rates and uplift in a table, and what tells nothing or was no label.

It is made of the suite's summary, so a stored run is shown as a fresh one.
"""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, TypeAlias

from judges.core.row import excerpt
from judges.core.score_text import render_score
from judges.out.fit import cell, column, wrap
from judges.out.printable import printable
from judges.out.summary import join_some, render_count

Summary: TypeAlias = Mapping[str, Any]

ALL_MODELS = "all models"

RATE_COLUMNS = ("arm", "model", "mean", "median", "95 % interval", "uplift", "95 % interval ")
_GAP = 2
_NARROW = 90
_ANSWER_LENGTH = 40
_OUTCOMES = {
    "right": "always right",
    "wrong": "always wrong",
    "alike": "always worth the same",
}


def render_grid(summary: Summary, width: int) -> Iterator[str]:
    """Yield the table of rates and uplifts, below 90 columns a sentence for each, and then the remarks."""
    rows = [rate_cells(rate, summary) for rate in summary["rates"]]
    if width < _NARROW:
        for row in rows:
            yield from wrap(_sentence(row), width, indent="  ")
    elif rows:
        yield from _tabulate(rows, width)
    for remark in describe_grid(summary):
        yield from wrap(remark, width, indent="  ")


def describe_grid(summary: Summary) -> Iterator[str]:
    """Yield a sentence on the tasks that do not discriminate, and on each model that left the labels."""
    flat: dict[str, list[str]] = {}
    for each in summary["flat_tasks"]:
        flat.setdefault(each["outcome"], []).append(printable(each["task"]))
    if flat:
        which = "; ".join(f"{_OUTCOMES[outcome]}: {join_some(tasks)}" for outcome, tasks in flat.items())
        count = f"{len(summary['flat_tasks']):,} of {render_count(summary['tasks'], 'task')}"
        yield f"{count} tell no arm or model from another ({which})"
    for each in summary["out_of_enum"]:
        answers = [
            f"'{printable(excerpt(answer, _ANSWER_LENGTH))}' {times:,}x"
            for answer, times in each["answers"].items()
        ]
        outputs = f"{each['count']:,} of {render_count(each['outputs'], 'output')}"
        yield f"{printable(each['model'])}: {outputs} held none of the labels ({join_some(answers)})"


def rate_cells(rate: Mapping[str, Any], summary: Summary) -> list[str]:
    """Return the rate of one arm with one model, a text for each of RATE_COLUMNS."""
    found = (
        each for each in summary["uplift"] if (each["arm"], each["model"]) == (rate["arm"], rate["model"])
    )
    uplift = next(found, None)
    control = "control" if rate["arm"] == summary["control"] else ""
    return [
        printable(rate["arm"]),
        printable(rate["model"]) if rate["model"] is not None else ALL_MODELS,
        f"{_plain(rate['mean'])} %",
        f"{_plain(rate['median'])} %",
        _ends(rate["interval"], signed=False),
        _signed(uplift["mean"]) if uplift else control,
        _ends(uplift["interval"], signed=True) if uplift else "",
    ]


def _tabulate(rows: Sequence[list[str]], width: int) -> Iterator[str]:
    """Arm and model share the width that the figures leave, and wrap."""
    from tabulate import tabulate

    figures = range(2, len(RATE_COLUMNS))
    fixed = sum(_GAP + column(RATE_COLUMNS[at], (row[at] for row in rows)) for at in figures)
    shared = width - fixed - _GAP
    arm_width = min(column(RATE_COLUMNS[0], (row[0] for row in rows)), shared // 2)
    for row in rows:
        row[:2] = cell([row[0]], arm_width), cell([row[1]], shared - arm_width)
    table = tabulate(rows, headers=RATE_COLUMNS, tablefmt="simple", disable_numparse=True)
    yield from (line.rstrip() for line in table.splitlines())


def _sentence(row: Sequence[str]) -> str:
    arm, model, mean, median, interval, uplift, bounds = row
    said = f"{arm}, {model}: mean {mean} ({interval}), median {median}"
    if not uplift or not bounds:
        return f"{said}; {uplift}" if uplift else said
    return f"{said}; uplift {uplift} ({bounds})"


def _ends(interval: Sequence[float] | None, *, signed: bool) -> str:
    if interval is None:
        return "unknown"
    low, high = (_signed(each) if signed else _plain(each) for each in interval)
    return f"{low} to {high}"


def _plain(value: float) -> str:
    return render_score(Decimal(str(round(value, 6))))


def _signed(value: float) -> str:
    return f"+{_plain(value)}" if value > 0 else _plain(value)
