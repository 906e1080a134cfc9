"""A grid: its verdict, the tasks that do not discriminate, the answers that are no labels."""

import json
from fractions import Fraction

import pytest

from judges.core.report import Totals
from judges.core.verdict import Verdict
from judges.reduce.grid import Flat, Outside, decide_grid, find_flat, find_outside, summarize_grid
from judges.reduce.grid_cells import Cell

ONE, NONE = Fraction(1), Fraction(0)


def cell(arm: str, model: str, task: str, *values: Fraction | None, outside: tuple[str, ...] = ()) -> Cell:
    verdict = Verdict.ERROR if None in values else Verdict.FAIL if outside else Verdict.PASS
    return Cell(arm=arm, model=model, task=task, values=values, outside=outside, verdict=verdict)


CELLS = [
    cell("base", "m", "easy", ONE, ONE),
    cell("base", "m", "hard", NONE, NONE),
    cell("base", "m", "good", NONE, ONE),
    cell("skill", "m", "easy", ONE, ONE),
    cell("skill", "m", "hard", NONE, NONE, outside=("P1", "P1")),
    cell("skill", "m", "good", ONE, ONE),
]


def test_tasks_that_are_always_right_or_wrong_tell_nothing() -> None:
    """So do those whose outputs are all worth the same."""
    half = [cell(arm, "m", "half", Fraction(1, 2)) for arm in ("base", "skill")]
    assert list(find_flat([*CELLS, *half])) == [
        Flat("easy", "right"),
        Flat("hard", "wrong"),
        Flat("half", "alike"),
    ]


def test_answers_that_are_no_labels_are_counted_by_model() -> None:
    """With what was answered, most often first."""
    more = [cell("base", "n", "easy", NONE, NONE, NONE, outside=("x", "fix me", "fix me"))]
    assert list(find_outside([*CELLS, *more])) == [
        Outside("m", 12, {"P1": 2}),
        Outside("n", 3, {"fix me": 2, "x": 1}),
    ]


@pytest.mark.parametrize(
    ("cells", "totals", "verdict"),
    [
        (CELLS[:4], Totals(cases=4, passed=4), Verdict.PASS),
        (CELLS, Totals(cases=6, passed=5, failed=1), Verdict.FAIL),
        ([*CELLS, cell("base", "n", "easy", None)], Totals(cases=7, failed=1, errored=1), Verdict.ERROR),
        ([], Totals(), Verdict.SKIP),
    ],
    ids=["wrong labels pass", "outside fails", "unmeasured is an error", "nothing"],
)
def test_a_grid_is_as_bad_as_its_worst_cell(cells: list[Cell], totals: Totals, verdict: Verdict) -> None:
    """No rate decides."""
    assert decide_grid(cells, "base", totals).verdict is verdict


def test_the_summary_is_json_in_percent() -> None:
    """Rates of arms, uplift, what tells nothing, what is no label, and each cell."""
    summary = json.loads(json.dumps(summarize_grid(CELLS, "base")))
    rates = [(each["arm"], each["model"], each["mean"], each["median"]) for each in summary["rates"]]
    assert rates == [("base", "m", 50.0, 50.0), ("skill", "m", 100 * 2 / 3, 100 * 2 / 3)]
    (uplift,) = summary["uplift"]
    assert (uplift["arm"], uplift["mean"], uplift["tasks"]) == ("skill", 100 / 6, 3)
    assert summary["flat_tasks"] == [
        {"task": "easy", "outcome": "right"},
        {"task": "hard", "outcome": "wrong"},
    ]
    assert summary["out_of_enum"] == [{"model": "m", "outputs": 12, "count": 2, "answers": {"P1": 2}}]
    assert summary["cells"][2] == {
        "arm": "base",
        "model": "m",
        "task": "good",
        "repeats": 2,
        "mean": 50.0,
        "median": 50.0,
        "interval": pytest.approx([9.453, 90.547], abs=0.001),
    }
