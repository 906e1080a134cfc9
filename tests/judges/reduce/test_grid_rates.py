"""Rates and uplifts: exact, within their bounds, and no surer than the tasks allow."""

from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.reduce.grid_cells import Cell
from judges.reduce.grid_rates import Rate, Uplift, find_rates, find_uplifts
from judges.reduce.statistics import paired_t, wilson_interval

CELL = st.lists(st.sampled_from([0, 1, None, Fraction(1, 3)]), min_size=1, max_size=4)
GRIDS = st.integers(1, 6).flatmap(
    lambda tasks: st.lists(
        st.lists(CELL, min_size=tasks, max_size=tasks), min_size=4, max_size=4
    )  # two arms x two models
)


def cell(arm: str, model: str, task: str, *values: Fraction | int | None) -> Cell:
    exact = tuple(None if value is None else Fraction(value) for value in values)
    return Cell(arm=arm, model=model, task=task, values=exact)


def grid(columns: Sequence[Sequence[Sequence[Fraction | int | None]]]) -> list[Cell]:
    places = [("base", "m"), ("base", "n"), ("skill", "m"), ("skill", "n")]
    return [
        cell(arm, model, f"t{number}", *values)
        for (arm, model), column in zip(places, columns, strict=True)
        for number, values in enumerate(column)
    ]


def test_every_task_counts_the_same() -> None:
    """A task with an unmeasured repeat has the weight of any other; the interval is over tasks."""
    cells = [cell("base", "m", "t", 1, 1, None), cell("base", "m", "u", 0, 1, 0)]
    (rate,) = find_rates(cells)
    assert rate == Rate(
        arm="base",
        model="m",
        tasks=2,
        samples=5,
        mean=Fraction(2, 3),
        median=Fraction(1, 2),  # of 1/2, 1 and 0, the rates of the three repeats
        interval=rate.interval,
    )
    assert rate.interval == wilson_interval(4 / 3, 2)


def test_repeats_never_make_an_interval_narrower() -> None:
    """Asking the same tasks more often says nothing about other tasks."""
    (once,) = find_rates([cell("base", "m", f"t{number}", number % 2) for number in range(6)])
    (often,) = find_rates([cell("base", "m", f"t{number}", *[number % 2] * 9) for number in range(6)])
    assert once.interval == often.interval
    assert often.samples == 54


def test_an_uplift_is_paired_by_task() -> None:
    """With each model and with all of them; the interval is that of the differences by task."""
    cells = grid([[[0], [1], [0], [1]], [[0], [0], [0], [1]], [[1], [1], [1], [1]], [[1], [1], [0], [1]]])
    by_model = {each.model: each for each in find_uplifts(cells, "base")}
    assert {model: (each.mean, each.tasks) for model, each in by_model.items()} == {
        "m": (Fraction(1, 2), 4),
        "n": (Fraction(1, 2), 4),
        None: (Fraction(1, 2), 4),
    }
    paired = paired_t([1, 0.5, 0.5, 0])
    assert paired is not None
    interval = by_model[None].interval
    assert interval is not None
    assert (interval.low, interval.high) == (paired.interval.low, 1.0)  # cut off: no rate is above 1


def test_an_interval_ends_where_differences_do() -> None:
    """No difference of rates is beyond 1."""
    cells = [cell("base", "m", f"t{n}", 0) for n in range(3)]
    cells += [cell("skill", "m", f"t{n}", min(n, 1)) for n in range(3)]
    (uplift,) = find_uplifts(cells, "base")
    assert uplift.interval is not None
    assert (uplift.mean, uplift.interval.high) == (Fraction(2, 3), 1.0)


@pytest.mark.parametrize("tasks", [1, 3], ids=["one task", "all alike"])
def test_no_spread_has_no_interval(tasks: int) -> None:
    """Where every task says the same, nothing is known of how much they vary."""
    cells = [cell(arm, "m", f"t{n}", int(arm == "skill")) for arm in ("base", "skill") for n in range(tasks)]
    (uplift,) = find_uplifts(cells, "base")
    assert uplift == Uplift(arm="skill", model="m", tasks=tasks, mean=Fraction(1), interval=None)


@given(GRIDS)
def test_rates_and_differences_stay_within_their_bounds(
    columns: list[list[list[Fraction | int | None]]],
) -> None:
    """Rates are 0..1 inside their intervals, uplifts -1..1 and the difference of the two rates."""
    cells = grid(columns)
    for rate in find_rates(cells):
        assert 0 <= rate.mean <= 1
        assert 0 <= rate.median <= 1
        assert 0 <= rate.interval.low <= rate.mean + Fraction(1, 10**9)
        assert rate.mean - Fraction(1, 10**9) <= rate.interval.high <= 1
    for uplift in find_uplifts(cells, "base"):
        assert -1 <= uplift.mean <= 1
        if uplift.interval:
            assert -1 <= uplift.interval.low <= uplift.interval.high <= 1


@given(GRIDS)
def test_an_uplift_over_the_same_tasks_is_the_difference_of_the_rates(
    columns: list[list[list[Fraction | int | None]]],
) -> None:
    """Nothing but what is in the rates."""
    cells = grid([[[0 if value is None else value for value in each] for each in one] for one in columns])
    rates = {(each.arm, each.model): each.mean for each in find_rates(cells)}
    for uplift in find_uplifts(cells, "base"):
        assert uplift.mean == rates["skill", uplift.model] - rates["base", uplift.model]
