"""Figures of agreement with their intervals, against scikit-learn, scipy and statsmodels."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import cohen_kappa_score, mean_absolute_error
from statsmodels.stats.proportion import proportion_confint

from judges.reduce.calibration_figures import Label, measure_labels
from judges.reduce.statistics import Interval

Pairs = Sequence[tuple[int, int]]


def labels(pairs: Pairs, criterion: str = "tone") -> list[Label]:
    """Labels of as many cases, from levels of people and judge."""
    return [
        Label(
            case=f"c{number}",
            category=None,
            output_sha256=f"{number}",
            criterion=criterion,
            people=people,
            judge=judge,
            failing=people < 4,
        )
        for number, (people, judge) in enumerate(pairs)
    ]


def near(n: int, seed: int) -> list[tuple[int, int]]:
    """Levels of a judge that is near, and too kind."""
    random = Random(seed)
    people = [random.randint(1, 5) for _ in range(n)]
    return [(level, min(5, max(1, level + random.choice((-1, 0, 0, 1, 1))))) for level in people]


def test_figures_are_those_of_the_references() -> None:
    """On one criterion every figure is what scikit-learn, scipy or numpy give."""
    pairs = near(60, seed=3)
    people, judge = (np.array(levels) for levels in zip(*pairs, strict=True))
    found = measure_labels(labels(pairs))
    assert (found.n, found.outputs, found.cases) == (60, 60, 60)
    assert found.kappa.value == pytest.approx(cohen_kappa_score(people, judge, weights="quadratic"))
    assert found.tau.value == pytest.approx(stats.kendalltau(people, judge).statistic)
    assert found.exact.value == pytest.approx(np.mean(people == judge))
    assert found.within_one.value == pytest.approx(np.mean(abs(people - judge) <= 1))
    assert found.error.value == pytest.approx(mean_absolute_error(people, judge))
    assert found.bias.value == pytest.approx(np.mean(judge - people))
    assert found.commonest == pytest.approx(np.bincount(people).max() / 60)
    assert found.failing == np.sum(people < 4)
    assert sum(found.matrix.values()) == 60


def test_the_interval_is_the_jackknife_of_the_reference() -> None:
    """Leaving out one case after the other with scikit-learn and scipy gives the same interval of kappa."""
    pairs = near(40, seed=5)
    people, judge = (np.array(levels) for levels in zip(*pairs, strict=True))

    def kappa(keep: object) -> float:
        return float(cohen_kappa_score(people[keep], judge[keep], weights="quadratic", labels=range(1, 6)))

    left = [kappa(np.arange(40) != case) for case in range(40)]
    error = np.sqrt(39 / 40 * np.sum((left - np.mean(left)) ** 2))
    low, high = stats.t.interval(0.95, 39, kappa(slice(None)), error)
    assert measure_labels(labels(pairs)).kappa.interval == Interval(pytest.approx(low), pytest.approx(high))


def test_shares_of_independent_labels_have_wilsons_interval() -> None:
    """With one label a case the jackknife adds nothing: it is the interval of statsmodels, but for n - 1."""
    found = measure_labels(labels([(3, 3)] * 30 + [(3, 4)] * 10)).exact
    low, high = proportion_confint(0.75 * 39, 39, method="wilson")
    assert found.interval == Interval(pytest.approx(low), pytest.approx(high))


def test_labels_of_one_case_are_no_more_than_that_case() -> None:
    """Four criteria that always go together make the interval no narrower than one does."""
    pairs = near(40, seed=7)
    one = measure_labels(labels(pairs, "a"))
    four = measure_labels([label for name in "abcd" for label in labels(pairs, name)])
    assert (four.n, four.outputs, four.cases) == (160, 40, 40)
    for name in ("kappa", "exact", "within_one", "error", "bias", "tau"):
        alone, together = getattr(one, name), getattr(four, name)
        assert together.value == pytest.approx(alone.value)
        assert together.interval.low == pytest.approx(alone.interval.low)


def test_many_cases_are_left_out_in_parts() -> None:
    """Above 100 cases the interval costs no more, and is about as wide as that of each case by itself."""
    pairs = near(600, seed=9)
    people, judge = zip(*pairs, strict=True)
    found = measure_labels(labels(pairs)).bias
    low, high = stats.t.interval(
        0.95, 599, np.mean(judge) - np.mean(people), stats.sem(np.subtract(judge, people))
    )
    assert found.interval is not None
    width = found.interval.high - found.interval.low
    assert width == pytest.approx(high - low, rel=0.1)


def test_criteria_that_differ_are_no_agreement() -> None:
    """A judge at chance on each criterion is at chance on all, though people rate one high and one low."""
    high, low = [(5, 5), (5, 4), (4, 5), (4, 4)], [(2, 2), (2, 1), (1, 2), (1, 1)]
    assert measure_labels([*labels(high, "a"), *labels(low, "b")]).kappa.value == 0
    assert [measure_labels(labels(pairs)).kappa.value for pairs in (high, low)] == [0, 0]
    together = cohen_kappa_score(*zip(*high, *low, strict=True), weights="quadratic")
    assert together == pytest.approx(0.8)


def test_criteria_count_with_their_labels() -> None:
    """The kappa of all is the mean of theirs by labels; one that has none does not count."""
    agreed, reversed_ = [(1, 1), (5, 5), (3, 3)], [(1, 5), (5, 1)]
    same = labels([(4, 4)] * 9, "same")
    found = measure_labels([*labels(agreed, "good"), *labels(reversed_, "bad"), *same])
    assert found.kappa.value == pytest.approx((3 * 1 + 2 * -1) / 5)
    assert measure_labels(same).kappa.value is None


@pytest.mark.parametrize(
    ("pairs", "kappa", "tau"),
    [
        pytest.param([(3, 3)] * 5, None, None, id="one level throughout"),
        pytest.param([(3, 4), (3, 5), (3, 4)], 0, None, id="people gave one level"),
        pytest.param([(2, 2)], None, None, id="one label"),
    ],
)
def test_what_cannot_be_told_is_none(pairs: Pairs, kappa: float | None, tau: float | None) -> None:
    """Neither 0 nor NaN stands for an agreement that is not defined."""
    found = measure_labels(labels(pairs))
    assert (found.kappa.value, found.tau.value) == (kappa, tau)
    assert (found.kappa.interval, found.tau.interval) == (None, None)


def test_full_agreement_is_no_certainty() -> None:
    """Where nothing varies kappa has no interval, and a share that of as many cases."""
    found = measure_labels(labels([(level, level) for level in (1, 2, 3, 4, 5)]))
    low, high = proportion_confint(5, 5, method="wilson")
    assert (found.kappa.value, found.kappa.interval) == (1, None)
    assert found.exact.interval == Interval(pytest.approx(low), pytest.approx(high))


def test_a_single_case_has_no_interval() -> None:
    """What hangs on one case is not known any better for its many criteria."""
    found = measure_labels([replace(each, case="c") for each in labels(near(20, seed=1))])
    assert found.cases == 1
    assert {getattr(found, name).interval for name in ("kappa", "exact", "error", "bias", "tau")} == {None}


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=1, max_size=12))
def test_figures_stay_in_their_bounds(pairs: Pairs) -> None:
    """Every figure lies in its interval, and both in the bounds of the measure."""
    found = measure_labels(labels(pairs))
    bounds = {"kappa": (-1, 1), "exact": (0, 1), "within_one": (0, 1), "error": (0, 4), "tau": (-1, 1)}
    for name, (low, high) in bounds.items():
        estimate = getattr(found, name)
        assert estimate.value is None or low - 1e-9 <= estimate.value <= high + 1e-9
        if estimate.interval is not None:
            assert low <= estimate.interval.low <= estimate.value + 1e-9
            assert estimate.value - 1e-9 <= estimate.interval.high
