"""Intervals and tests against scipy and statsmodels, and what cannot be told."""

import math
from decimal import Decimal
from random import Random

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.power import TTestPower
from statsmodels.stats.proportion import proportion_confint

from judges.reduce.statistics import (
    Alternative,
    Interval,
    binomial_test,
    bootstrap_mean,
    case_differences,
    paired_t,
    smallest_detectable_effect,
    wilson_interval,
)

COUNTS = [(0, 1), (1, 1), (0, 10), (3, 10), (10, 10), (17, 30), (50, 100), (999, 1000), (4321, 100_000)]
SCORES = st.floats(-100, 100).map(lambda value: round(value, 6))

random = Random(7)
DIFFERENCES = {
    "few": [1.0, -2.0],
    "some": [3.5, -1.25, 0.0, 7.0, 2.5],
    "tiny": [1e-9, 2e-9, -1e-9],
    "many": [random.gauss(2, 15) for _ in range(300)],
}


@pytest.mark.parametrize(("successes", "n"), COUNTS)
@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.999])
def test_the_wilson_interval_is_that_of_statsmodels(successes: int, n: int, confidence: float) -> None:
    """The interval of a rate agrees with statsmodels."""
    low, high = proportion_confint(successes, n, alpha=1 - confidence, method="wilson")
    interval = wilson_interval(successes, n, confidence)
    assert interval is not None
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=1e-12)


@given(st.integers(1, 10_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_wilson_interval_holds_the_rate(counts: tuple[int, int]) -> None:
    """The interval is within 0..1, around the rate, and has a width."""
    successes, n = counts
    interval = wilson_interval(successes, n)
    assert interval is not None
    assert 0 <= interval.low <= successes / n <= interval.high <= 1
    assert interval.low < interval.high


def test_no_case_has_no_rate() -> None:
    """Of nothing there is no rate, and an interval touches its ends exactly."""
    assert wilson_interval(0, 0) is None
    assert wilson_interval(0, 4) == Interval(0.0, pytest.approx(0.4898908))
    assert wilson_interval(4, 4) == Interval(pytest.approx(0.5101092), 1.0)


@pytest.mark.parametrize(("successes", "n"), COUNTS)
@pytest.mark.parametrize("rate", [0.5, 0.1, 0.95])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_the_binomial_test_is_that_of_scipy(
    successes: int, n: int, rate: float, alternative: Alternative
) -> None:
    """Exact p-values agree with scipy."""
    expected = stats.binomtest(successes, n, rate, alternative).pvalue
    assert binomial_test(successes, n, rate, alternative) == pytest.approx(expected, rel=1e-8, abs=1e-300)


def test_mcnemar_by_hand() -> None:
    """Of 10 cases that changed, 9 for the better: 22/1024 both ways, 11/1024 one way."""
    assert binomial_test(9, 10) == pytest.approx(22 / 1024)
    assert binomial_test(9, 10, alternative="greater") == pytest.approx(11 / 1024)
    assert binomial_test(0, 0) == 1


@given(st.integers(0, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.floats(0.01, 0.99))
def test_a_p_value_is_a_probability(counts: tuple[int, int], rate: float) -> None:
    """P-values are within 0..1, and the two sides overlap in the observed outcome."""
    greater = binomial_test(*counts, rate, "greater")
    less = binomial_test(*counts, rate, "less")
    assert 0 <= binomial_test(*counts, rate) <= 1
    assert greater + less + 1e-9 >= 1
    assert max(greater, less) <= 1


@pytest.mark.parametrize("differences", DIFFERENCES.values(), ids=DIFFERENCES)
@pytest.mark.parametrize("confidence", [0.9, 0.95])
def test_the_paired_t_is_that_of_scipy(differences: list[float], confidence: float) -> None:
    """Mean, interval and p-value agree with scipy's paired test."""
    expected = stats.ttest_rel(differences, [0.0] * len(differences))
    low, high = expected.confidence_interval(confidence)
    found = paired_t(differences, confidence)
    assert found is not None
    assert (found.n, found.mean) == (len(differences), pytest.approx(np.mean(differences), rel=1e-12))
    assert (found.interval.low, found.interval.high) == pytest.approx((low, high), rel=1e-9)
    assert found.p_value == pytest.approx(expected.pvalue, rel=1e-9)


def test_averaging_replicas_is_the_cluster_robust_test() -> None:
    """With equally many replicas a case, averaging gives what cluster-robust regression gives."""
    random = Random(3)
    effects = {f"case-{i}": random.gauss(1, 5) for i in range(25)}
    current = {case: [effect + random.gauss(0, 3) for _ in range(4)] for case, effect in effects.items()}
    baseline = dict.fromkeys(effects, (0.0,))
    values = [value for replicas in current.values() for value in replicas]
    clusters = [i for i in range(25) for _ in range(4)]
    expected = sm.OLS(values, np.ones(100)).fit(
        cov_type="cluster", cov_kwds={"groups": np.array(clusters)}, use_t=True
    )
    found = paired_t(list(case_differences(current, baseline).values()))
    assert found is not None
    assert found.mean == pytest.approx(expected.params[0])
    assert (found.interval.low, found.interval.high) == pytest.approx(tuple(expected.conf_int()[0]))
    assert found.p_value == pytest.approx(expected.pvalues[0])


@given(st.lists(SCORES, min_size=2, max_size=30))
def test_the_interval_holds_the_mean(differences: list[float]) -> None:
    """The mean is inside both intervals, and nothing is ever NaN."""
    found, resampled = paired_t(differences), bootstrap_mean(differences, seed=1, resamples=50)
    assert (found is None) == (resampled is None) == (len(set(differences)) == 1)
    if found is None or resampled is None:
        return
    assert found.interval.low <= found.mean <= found.interval.high
    assert found.p_value is not None
    assert 0 <= found.p_value <= 1
    rounding = 1e-9 * max(map(abs, differences))  # a mean of equal numbers can be off in the last place
    assert min(differences) - rounding <= resampled.interval.low
    assert resampled.interval.low <= resampled.interval.high <= max(differences) + rounding


@pytest.mark.parametrize("differences", [[], [1.0], [2.5, 2.5, 2.5], [0.0] * 10], ids=str)
def test_without_spread_nothing_can_be_told(differences: list[float]) -> None:
    """One case, or cases that all moved alike, have no error to measure a difference by."""
    assert paired_t(differences) is None
    assert bootstrap_mean(differences, seed=1) is None


@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_the_bootstrap_is_that_of_scipy(confidence: float) -> None:
    """The percentile interval agrees with scipy's, as far as two random resamplings can."""
    differences = DIFFERENCES["many"]
    expected = stats.bootstrap(
        (differences,), np.mean, method="percentile", confidence_level=confidence, n_resamples=4000, rng=5
    )
    found = bootstrap_mean(differences, seed=5, confidence=confidence, resamples=4000)
    assert found is not None
    width = expected.confidence_interval.high - expected.confidence_interval.low
    assert (found.interval.low, found.interval.high) == pytest.approx(
        expected.confidence_interval, abs=width / 20
    )
    assert found.p_value is None


def test_the_bootstrap_repeats_itself() -> None:
    """The same seed gives the same interval, another one does not."""
    differences = DIFFERENCES["some"]
    assert bootstrap_mean(differences, seed=1) == bootstrap_mean(differences, seed=1)
    assert bootstrap_mean(differences, seed=1) != bootstrap_mean(differences, seed=2)


def test_cases_are_paired_by_name() -> None:
    """Replicas are averaged exactly; a case that is missing or empty on one side is left out."""
    current = {"a": [Decimal("70.1"), Decimal("70.2")], "b": [50], "only": [1], "empty": [], "c": [0.5]}
    baseline = {
        "c": [0.25],
        "b": [Decimal(40), Decimal(50)],
        "a": [Decimal("70.05")],
        "empty": [1],
        "gone": [2],
    }
    assert case_differences(current, baseline) == {"a": 0.1, "b": 5.0, "c": 0.25}


@pytest.mark.parametrize("n", [5, 10, 30, 200])
@pytest.mark.parametrize(("alpha", "power"), [(0.05, 0.8), (0.05, 0.95), (0.1, 0.5), (0.01, 0.9)])
def test_the_smallest_effect_is_that_of_statsmodels(n: int, alpha: float, power: float) -> None:
    """Statsmodels computes the power that was asked for from the effect that was found."""
    effect = smallest_detectable_effect(10, n, alpha, power)
    assert effect is not None
    assert TTestPower().power(effect / 10, n, alpha, alternative="two-sided") == pytest.approx(
        power, abs=1e-7
    )


def test_the_smallest_effect_of_a_known_example() -> None:
    """To find half a standard deviation in 80 of 100 runs takes 34 cases, as textbooks say."""
    fewer, enough = smallest_detectable_effect(1, 33), smallest_detectable_effect(1, 34)
    assert fewer is not None
    assert enough is not None
    assert enough < 0.5 < fewer


@pytest.mark.parametrize(("sd", "n"), [(1.0, 0), (1.0, 1), (0.0, 10)])
def test_an_effect_needs_cases_and_spread(sd: float, n: int) -> None:
    """Without cases or without spread there is no smallest effect."""
    assert smallest_detectable_effect(sd, n) is None


@given(st.floats(0.1, 100), st.integers(2, 300))
@settings(max_examples=20)
def test_more_cases_find_smaller_effects(sd: float, n: int) -> None:
    """The effect falls with the number of cases."""
    fewer, more = smallest_detectable_effect(sd, n), smallest_detectable_effect(sd, n + 1)
    assert fewer is not None
    assert more is not None
    assert 0 < more < fewer


IMPOSSIBLE = {
    "more successes than cases": lambda: wilson_interval(3, 2),
    "negative count": lambda: binomial_test(-1, 2),
    "confidence 1": lambda: wilson_interval(1, 2, 1.0),
    "confidence 0": lambda: paired_t([1.0, 2.0], 0.0),
    "rate 0": lambda: binomial_test(1, 2, 0.0),
    "rate 1": lambda: binomial_test(1, 2, 1.0),
    "NaN": lambda: paired_t([1.0, math.nan]),
    "infinite": lambda: bootstrap_mean([1.0, math.inf], seed=1),
    "no resamples": lambda: bootstrap_mean([1.0, 2.0], seed=1, resamples=0),
    "negative spread": lambda: smallest_detectable_effect(-1, 10),
    "infinite spread": lambda: smallest_detectable_effect(math.inf, 10),
    "power below alpha": lambda: smallest_detectable_effect(1, 10, 0.05, 0.04),
}


@pytest.mark.parametrize("attempt", IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_the_impossible_is_refused(attempt) -> None:
    """Arguments that make no sense raise, and give no number."""
    with pytest.raises(ValueError, match=r"impossible|between 0 and 1|finite|resample|must be"):
        attempt()
