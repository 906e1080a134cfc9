"""Cells: what is read from rows, means and medians."""

from decimal import Decimal
from fractions import Fraction

import pytest

from judges.check.labels import label_rows
from judges.core.row import Row
from judges.core.verdict import Verdict
from judges.reduce.grid_cells import Cell, cell_ref, exact_median, read_cell, task_means
from judges.reduce.grid_rows import unmeasured_rows

LABELS = ["fix", "review"]


def rows(*outputs: str | None) -> list[Row]:
    return [
        row
        for index, output in enumerate(outputs)
        for row in (
            unmeasured_rows(index, "timed out")
            if output is None
            else label_rows(index, output, "fix", LABELS)
        )
    ]


CELLS = {
    "all right": (("fix", "Fix"), Verdict.PASS, (1, 1), ()),
    "wrong is no failure": (("review", "fix"), Verdict.PASS, (0, 1), ()),
    "outside fails": (("fix", "P1"), Verdict.FAIL, (1, 0), ("P1",)),
    "an error is no zero": (("fix", None, "P1"), Verdict.ERROR, (1, None, 0), ("P1",)),
}


@pytest.mark.parametrize(("outputs", "verdict", "values", "outside"), CELLS.values(), ids=CELLS)
def test_a_cell_takes_its_worst_row(
    outputs: tuple[str | None, ...],
    verdict: Verdict,
    values: tuple[int | None, ...],
    outside: tuple[str, ...],
) -> None:
    """A value for each repeat, and the answers that are no labels."""
    cell = read_cell("skill", "m", "t", rows(*outputs))
    assert (cell.verdict, cell.values, cell.outside) == (verdict, values, outside)


def test_a_judged_score_is_a_share() -> None:
    """Scores of 0..100 become 0..1."""
    row = Row(
        id="measure[0]",
        kind="measure",
        verdict=Verdict.PASS,
        score=Decimal("62.5"),
        spec={"measure": "score"},
    )
    gate = Row(id="gate[0]", kind="gate", verdict=Verdict.FAIL)
    cell = read_cell("skill", "m", "t", [row, gate])
    assert (cell.values, cell.verdict, cell.outside) == ((Fraction(5, 8),), Verdict.FAIL, ())


def test_means_and_medians_leave_out_what_was_not_measured() -> None:
    """Of nothing there is neither."""
    cell = Cell(arm="a", model="m", task="t", values=(Fraction(1), None, Fraction(0), Fraction(1)))
    nothing = Cell(arm="a", model="m", task="u", values=(None,))
    assert (cell.mean, cell.median) == (Fraction(2, 3), 1)
    assert (nothing.mean, nothing.median) == (None, None)
    assert task_means([cell, nothing]) == {"t": Fraction(2, 3)}


@pytest.mark.parametrize(
    ("values", "median"),
    [([3], 3), ([1, 2], Fraction(3, 2)), ([5, 1, 3], 3), ([0, 1, 1, 0], Fraction(1, 2)), ([], None)],
)
def test_the_median(values: list[int], median: Fraction | None) -> None:
    """The middle one, or the mean of the middle two."""
    assert exact_median([Fraction(value) for value in values]) == median


def test_a_cell_is_named_by_arm_model_and_task() -> None:
    """As reports refer to it."""
    assert cell_ref("skill", "openai:gpt-4.1", "t-1") == "skill/openai:gpt-4.1/t-1"
