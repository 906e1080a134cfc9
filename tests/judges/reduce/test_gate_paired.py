"""The paired comparison of two texts on a corpus."""

from fractions import Fraction

import pytest

from judges.reduce.gate_paired import compare_paired
from judges.reduce.statistics import Interval, paired_t

ONE, NONE = Fraction(1), Fraction(0)


def test_the_interval_is_that_of_the_differences_by_task() -> None:
    """Repeats of a task are averaged first; a task of one text alone is left out."""
    current = {"a": [ONE, ONE], "b": [ONE, NONE], "c": [ONE], "gone": [ONE]}
    candidate = {"a": [NONE, ONE], "b": [ONE, ONE], "c": [ONE], "new": [NONE]}
    found = compare_paired(current, candidate, Fraction(1, 4))
    expected = paired_t([-0.5, 0.5, 0.0])
    assert expected is not None
    assert (found.tasks, found.mean) == (3, 0)
    assert found.interval is not None
    assert found.interval.low == max(-1.0, expected.interval.low)
    assert found.regressed is None


@pytest.mark.parametrize(
    ("margin", "regressed"),
    [(Fraction(1, 3), False), (Fraction(333, 1000), True)],
    ids=["exactly the margin", "a hair more than it"],
)
def test_a_loss_that_is_the_same_everywhere_is_compared_exactly(margin: Fraction, regressed: bool) -> None:
    """A third is a third, not a float near it."""
    current = {"a": [ONE] * 3, "b": [ONE] * 3}
    candidate = {"a": [ONE, ONE, NONE], "b": [NONE, ONE, ONE]}
    found = compare_paired(current, candidate, margin)
    assert (found.mean, found.regressed) == (Fraction(-1, 3), regressed)
    assert found.interval == Interval(-1 / 3, -1 / 3)


def test_one_task_tells_nothing() -> None:
    """There is no interval of one difference."""
    found = compare_paired({"a": [ONE]}, {"a": [NONE]}, NONE)
    assert (found.tasks, found.interval, found.regressed) == (1, None, None)
