"""Student's t distribution against scipy."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from judges.reduce.student_t import detectable_shift, t_quantile, two_sided_power, two_sided_tail

DEGREES = (1, 2, 3, 4.5, 9, 30, 99, 1000, 10_000)


@pytest.mark.parametrize("df", DEGREES)
@pytest.mark.parametrize("t", [0.0, 1e-3, 0.1, 0.999, 1.0, 2.5, -3.0, 40.0])
def test_the_tail_is_that_of_scipy(t: float, df: float) -> None:
    """Two-sided tail probabilities agree to 10 digits, far out too."""
    assert two_sided_tail(t, df) == pytest.approx(2 * stats.t.sf(abs(t), df), rel=1e-10, abs=1e-300)


@pytest.mark.parametrize("df", DEGREES)
@pytest.mark.parametrize("probability", [1e-12, 0.001, 0.025, 0.4999, 0.5, 0.6, 0.9, 0.975, 0.9995])
def test_the_quantile_is_that_of_scipy(probability: float, df: float) -> None:
    """Quantiles agree to 10 digits."""
    expected = stats.t.ppf(probability, df)
    assert t_quantile(probability, df) == pytest.approx(expected, rel=1e-10, abs=1e-12)


def test_the_quantiles_of_the_printed_tables() -> None:
    """The numbers everyone knows."""
    assert [round(t_quantile(0.975, df), 3) for df in (1, 2, 5, 10, 30, 120)] == [
        12.706,
        4.303,
        2.571,
        2.228,
        2.042,
        1.980,
    ]


@given(st.floats(0, 1e300), st.floats(0, 1e300), st.floats(0.1, 1e6))
def test_the_tail_is_a_probability_that_falls(one: float, other: float, df: float) -> None:
    """A tail is within 0..1, and a farther one is not larger (beyond rounding)."""
    nearer, farther = sorted((one, other))
    assert 0 <= two_sided_tail(farther, df) <= two_sided_tail(nearer, df) * (1 + 1e-7) <= 1 + 1e-7


@given(st.floats(1e-9, 1 - 1e-9), st.integers(1, 5000))
def test_the_quantile_undoes_the_tail(probability: float, df: int) -> None:
    """The probability beyond a quantile is the one that was asked for."""
    beyond = two_sided_tail(t_quantile(probability, df), df)
    assert beyond == pytest.approx(2 * min(probability, 1 - probability), rel=1e-9)


@pytest.mark.parametrize(("t", "df"), [(1.0, 0.0), (1.0, -1.0), (math.nan, 3.0), (1.0, math.nan)])
def test_what_has_no_tail_is_refused(t: float, df: float) -> None:
    """Neither a missing number nor missing degrees of freedom give a number."""
    with pytest.raises(ValueError, match="positive degrees of freedom"):
        two_sided_tail(t, df)


@pytest.mark.parametrize("probability", [0.0, 1.0, -0.1, math.nan])
def test_what_has_no_quantile_is_refused(probability: float) -> None:
    """Only probabilities inside 0..1 have a finite quantile."""
    with pytest.raises(ValueError, match="between 0 and 1"):
        t_quantile(probability, 5)


def test_infinity_has_no_tail() -> None:
    """Nothing is beyond infinity."""
    assert two_sided_tail(math.inf, 3) == 0
    assert two_sided_tail(-1e200, 3) == 0


@pytest.mark.parametrize("df", [1, 2, 4, 9, 29, 199])
@pytest.mark.parametrize("shift", [0.0, 0.5, 2.0, 3.0])
def test_the_power_is_that_of_the_noncentral_t(shift: float, df: int) -> None:
    """The chance to reject agrees with scipy's noncentral t distribution."""
    critical = t_quantile(0.95, df)
    expected = stats.nct.sf(critical, df, shift) + stats.nct.sf(critical, df, -shift)
    assert two_sided_power(shift, critical, df) == pytest.approx(expected, abs=1e-8)


@given(st.floats(0.001, 0.4), st.floats(0.41, 0.999), st.integers(1, 500))
@settings(max_examples=20)
def test_the_detectable_shift_has_the_power(alpha: float, power: float, df: int) -> None:
    """Testing a shift of that size rejects as often as was asked for."""
    shift = detectable_shift(alpha, power, df)
    assert two_sided_power(shift, t_quantile(1 - alpha / 2, df), df) == pytest.approx(power, abs=1e-7)


@pytest.mark.parametrize(("alpha", "power"), [(0.0, 0.8), (0.05, 1.0), (0.5, 0.5), (0.05, math.nan)])
def test_an_impossible_power_is_refused(alpha: float, power: float) -> None:
    """A test rejects at least as often as its level, and never for certain."""
    with pytest.raises(ValueError, match="must be above 0"):
        detectable_shift(alpha, power, 9)
