"""The figures of a grid for people."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.out.fit import columns
from judges.out.grid_text import describe_grid, render_grid
from judges.reduce.grid import summarize_grid
from judges.reduce.grid_cells import Cell

MODELS = ("openai:gpt-4.1-mini", "haiku")
VALUES = {  # by arm and model: the three repeats of each task
    ("baseline", MODELS[0]): ["111", "000", "010", "111"],
    ("baseline", MODELS[1]): ["111", "000", "000", "001"],
    ("skill", MODELS[0]): ["111", "000", "111", "111"],
    ("skill", MODELS[1]): ["111", "000", "110", "111"],
}
OUTSIDE = {
    ("skill", MODELS[1], "hard"): ("P1", "P1", "I would say P2, but it depends on who is asking"),
}
TABLE = """\
arm       model                mean    median    95 % interval    uplift    95 % interval
--------  -------------------  ------  --------  ---------------  --------  ----------------
baseline  openai:gpt-4.1-mini  58.3 %  50 %      19.5 to 89       control
baseline  haiku                33.3 %  25 %      7.5 to 75.5      control
skill     openai:gpt-4.1-mini  75 %    75 %      30.1 to 95.4     +16.7     -36.4 to +69.7
skill     haiku                66.7 %  75 %      24.5 to 92.5     +33.3     -27.9 to +94.6
baseline  all models           45.8 %  50 %      12.9 to 82.8     control
skill     all models           70.8 %  75 %      27.2 to 94       +25       -25.8 to +75.8
2 of 4 tasks tell no arm or model from another (always right: easy; always wrong: hard)
haiku: 3 of 24 outputs held none of the labels ('P1' 2x, 'I would say P2, but it depends on who i…' 1x)
"""


def summary(values: dict[tuple[str, str], list[str]] = VALUES) -> dict[str, object]:
    cells = [
        Cell(
            arm=arm,
            model=model,
            task=task,
            values=tuple(Fraction(int(value)) for value in repeats),
            outside=OUTSIDE.get((arm, model, task), ()),
        )
        for (arm, model), tasks in values.items()
        for task, repeats in zip(("easy", "hard", "good", "long"), tasks, strict=True)
    ]
    return dict(summarize_grid(cells, "baseline"))


def test_a_line_for_each_arm_and_model() -> None:
    """Rates with their intervals, uplifts beside them; then what tells nothing and what is no label."""
    assert "\n".join(render_grid(summary(), 110)) + "\n" == TABLE


def test_below_90_columns_a_line_becomes_a_sentence() -> None:
    """Nothing is left out."""
    text = " ".join(" ".join(render_grid(summary(), 60)).split())
    assert "skill, haiku: mean 66.7 % (24.5 to 92.5), median 75 %; uplift +33.3 (-27.9 to +94.6)" in text
    assert "baseline, haiku: mean 33.3 % (7.5 to 75.5), median 25 %; control" in text


def test_an_uplift_without_spread_has_no_interval() -> None:
    """That is said, not left empty."""
    alike = {("baseline", "m"): ["0", "0", "0", "0"], ("skill", "m"): ["1", "1", "1", "1"]}
    line = list(render_grid(summary(alike), 110))[3]
    assert line.split() == ["skill", "m", "100", "%", "100", "%", "51", "to", "100", "+100", "unknown"]


def test_a_grid_where_nothing_was_measured_has_no_table() -> None:
    """There is nothing to show."""
    assert list(render_grid(summarize_grid([], "baseline"), 110)) == []


@pytest.mark.parametrize("name", ["\x1b[31mred", "a\nb", "\u2066x"])
def test_names_cannot_move_the_cursor(name: str) -> None:
    """What comes from models and files is made printable."""
    cell = Cell(arm="a", model=name, task=name, values=(Fraction(0),), outside=(name,))
    for line in render_grid(summarize_grid([cell], "a"), 110):
        assert line.isprintable()


@given(st.integers(20, 160), st.text("aé漢-:/", min_size=1, max_size=60))
def test_every_line_fits_the_width(width: int, model: str) -> None:
    """In a table or as sentences."""
    renamed = {(arm, model): tasks for (arm, _), tasks in VALUES.items()}
    assert all(columns(line) <= width for line in render_grid(summary(renamed), width))


def test_nothing_to_remark_gives_no_sentence() -> None:
    """A grid in which every task discriminates."""
    good = {("baseline", "m"): ["0", "0", "0", "0"], ("skill", "m"): ["1", "1", "1", "1"]}
    assert list(describe_grid(summary(good))) == []
