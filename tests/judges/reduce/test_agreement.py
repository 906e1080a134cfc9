"""Agreement of a judge with people, against scikit-learn and scipy."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import accuracy_score, cohen_kappa_score
from sklearn.metrics import mean_absolute_error as reference_error

from judges.reduce.agreement import (
    agreement_within,
    bias,
    kendall_tau_b,
    mean_absolute_error,
    quadratic_weighted_kappa,
)

random = Random(11)
PEOPLE = [random.randint(1, 5) for _ in range(200)]

RATINGS = {
    "alike": ([1, 2, 3, 4, 5], [1, 2, 3, 4, 5]),
    "reversed": ([1, 2, 3, 4, 5], [5, 4, 3, 2, 1]),
    "one constant": ([1, 2, 3, 4], [2, 2, 2, 2]),
    "ties": ([1, 1, 2, 2, 3], [1, 2, 2, 3, 3]),
    "two levels": ([0, 1, 1, 0, 1], [0, 1, 0, 0, 1]),
    "near": (PEOPLE, [min(5, max(1, level + random.choice((-1, 0, 0, 1)))) for level in PEOPLE]),
    "chance": (PEOPLE, [random.randint(1, 5) for _ in PEOPLE]),
}

LEVELS = st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=1, max_size=40)


@pytest.mark.parametrize(("first", "second"), RATINGS.values(), ids=RATINGS)
def test_kappa_is_that_of_scikit_learn(first: list[int], second: list[int]) -> None:
    """Quadratic weighted kappa agrees with scikit-learn, which builds the matrix."""
    levels = list(range(6))
    expected = cohen_kappa_score(first, second, labels=levels, weights="quadratic")
    assert quadratic_weighted_kappa(first, second) == pytest.approx(expected, abs=1e-12)


def test_kappa_by_hand() -> None:
    """Full agreement is 1, full reversal of two levels -1, and one constant rater chance."""
    assert quadratic_weighted_kappa([1, 2, 5], [1, 2, 5]) == 1
    assert quadratic_weighted_kappa([1, 2], [2, 1]) == -1
    assert quadratic_weighted_kappa([1, 2, 3], [2, 2, 2]) == 0


@pytest.mark.parametrize(("first", "second"), RATINGS.values(), ids=RATINGS)
def test_error_and_bias_are_those_of_the_references(first: list[int], second: list[int]) -> None:
    """Mean absolute error agrees with scikit-learn; bias is the difference of the means."""
    assert mean_absolute_error(first, second) == pytest.approx(reference_error(second, first))
    assert bias(first, second) == pytest.approx(sum(first) / len(first) - sum(second) / len(second))


@pytest.mark.parametrize(("first", "second"), RATINGS.values(), ids=RATINGS)
def test_equal_levels_are_those_of_scikit_learn(first: list[int], second: list[int]) -> None:
    """The share of equal levels is an accuracy; farther apart there are never fewer, and in the end all."""
    assert agreement_within(first, second, 0) == pytest.approx(accuracy_score(first, second))
    shares = [agreement_within(first, second, distance) for distance in range(6)]
    assert shares == sorted(shares)
    assert shares[-1] == 1


def test_a_kind_judge_has_a_positive_bias() -> None:
    """Bias is judge minus people."""
    assert bias([4, 5, 3], [3, 3, 3]) == 1
    assert mean_absolute_error([4, 2], [3, 3]) == 1
    assert bias([4, 2], [3, 3]) == 0


@pytest.mark.parametrize(
    ("first", "second"), [pair for name, pair in RATINGS.items() if name != "one constant"]
)
def test_tau_is_that_of_scipy(first: list[int], second: list[int]) -> None:
    """Kendall's tau-b agrees with scipy."""
    expected = stats.kendalltau(first, second, variant="b").statistic
    assert kendall_tau_b(first, second) == pytest.approx(expected, abs=1e-12)


@given(st.lists(st.tuples(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6)), min_size=2, max_size=30))
def test_tau_of_scores_is_that_of_scipy(pairs: list[tuple[float, float]]) -> None:
    """Scores with few or no ties agree too; where scipy has no number there is None."""
    first, second = (list(values) for values in zip(*pairs, strict=True))
    found = kendall_tau_b(first, second)
    if len(set(first)) == 1 or len(set(second)) == 1:
        assert found is None
    else:
        assert found == pytest.approx(stats.kendalltau(first, second).statistic, abs=1e-12)


@given(LEVELS)
def test_agreement_stays_in_bounds(pairs: list[tuple[int, int]]) -> None:
    """Kappa and tau are within -1..1 and symmetric, bias is within the error."""
    first, second = (list(levels) for levels in zip(*pairs, strict=True))
    for measure in (quadratic_weighted_kappa, kendall_tau_b):
        value = measure(first, second)
        assert value == measure(second, first)
        assert value is None or -1 - 1e-12 <= value <= 1 + 1e-12
    error, shift = mean_absolute_error(first, second), bias(first, second)
    assert error is not None
    assert shift is not None
    assert abs(shift) <= error <= 4


@given(LEVELS)
def test_kappa_of_a_rater_with_itself_is_one(pairs: list[tuple[int, int]]) -> None:
    """A rater agrees with itself, unless there is nothing to tell apart."""
    levels = [level for level, _ in pairs]
    assert quadratic_weighted_kappa(levels, levels) == (1 if len(set(levels)) > 1 else None)


@pytest.mark.parametrize("ratings", [[], [3], [3, 3, 3]], ids=str)
def test_what_does_not_vary_has_no_agreement(ratings: list[int]) -> None:
    """No ratings, or all the same from both, tell nothing about agreement."""
    assert quadratic_weighted_kappa(ratings, ratings) is None
    assert kendall_tau_b(ratings, ratings) is None


def test_no_ratings_have_no_error() -> None:
    """Of nothing there is no mean."""
    assert mean_absolute_error([], []) is None
    assert bias([], []) is None
    assert agreement_within([], [], 1) is None


@pytest.mark.parametrize("measure", [quadratic_weighted_kappa, mean_absolute_error, bias, kendall_tau_b])
def test_lists_of_different_length_are_refused(measure) -> None:
    """Ratings are compared one by one."""
    with pytest.raises(ValueError, match="needs two lists of one length, not 2 and 1"):
        measure([1, 2], [1])
