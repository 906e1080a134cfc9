"""The pass rate, corrected for the errors of a judge."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from judges.files.suite import Criterion
from judges.reduce.calibration_rate import Share, correct_pass_rate, passes
from judges.reduce.statistics import Interval

Both = list[tuple[bool, bool]]


def both(tpr: tuple[int, int], tnr: tuple[int, int]) -> Both:
    """Verdicts of people and judge in which the judge is right so often on what people pass, and fail."""
    passed = [(True, number < tpr[0]) for number in range(tpr[1])]
    return passed + [(False, number >= tnr[0]) for number in range(tnr[1])]


@pytest.mark.parametrize(
    ("judged", "tpr", "tnr", "corrected"),
    [
        pytest.param((70, 100), (9, 10), (8, 10), 5 / 7, id="errors of both kinds"),
        pytest.param((70, 100), (10, 10), (10, 10), 0.7, id="no errors"),
        pytest.param((95, 100), (9, 10), (8, 10), 1.0, id="more than all"),
        pytest.param((10, 100), (9, 10), (8, 10), 0.0, id="less than none"),
    ],
)
def test_the_correction(
    judged: tuple[int, int], tpr: tuple[int, int], tnr: tuple[int, int], corrected: float
) -> None:
    """(rate + TNR - 1) / (TPR + TNR - 1), within 0..1."""
    found = correct_pass_rate(Share(*judged), both(tpr, tnr))
    assert (found.tpr, found.tnr) == (Share(*tpr), Share(*tnr))
    assert found.corrected == pytest.approx(corrected)
    assert found.why is None
    assert found.interval is not None
    assert 0 <= found.interval.low <= found.interval.high <= 1


@pytest.mark.parametrize(
    ("judged", "verdicts", "why"),
    [
        pytest.param(Share(0, 0), both((9, 10), (9, 10)), "the judge has scored no output", id="no outputs"),
        pytest.param(Share(5, 9), both((9, 10), (0, 0)), "no output that they fail", id="no failures"),
        pytest.param(Share(5, 9), both((0, 0), (9, 10)), "no output that they pass", id="no passes"),
        pytest.param(Share(5, 9), both((6, 10), (6, 10)), "TPR + TNR is 1.20, and it takes", id="just 1.2"),
        pytest.param(Share(5, 9), both((3, 10), (6, 10)), "TPR + TNR is 0.90, and it takes", id="chance"),
    ],
)
def test_no_correction(judged: Share, verdicts: Both, why: str) -> None:
    """Where the judge's errors are not known, or it hardly tells good from bad, it is said why."""
    found = correct_pass_rate(judged, verdicts)
    assert (found.corrected, found.interval) == (None, None)
    assert why in (found.why or "")


def test_too_few_for_an_interval() -> None:
    """A corrected rate may be known where nothing can be said of how sure it is."""
    found = correct_pass_rate(Share(5, 9), both((1, 1), (1, 4)))
    assert (found.corrected, found.interval) == (0.0, None)


def test_the_interval_of_a_judge_without_errors() -> None:
    """Where the judge is known to be right only Agresti and Coull's interval is left, that of statsmodels."""
    found = correct_pass_rate(Share(300, 500), both((10_000, 10_000), (10_000, 10_000))).interval
    low, high = proportion_confint(300, 500, method="agresti_coull")
    assert found == Interval(pytest.approx(low, abs=1e-3), pytest.approx(high, abs=1e-3))


def test_the_interval_holds_the_truth() -> None:
    """Of simulated judges whose errors are known from 60 outputs, it holds the true rate in 95 %, or more."""
    random = Random(17)
    true, tpr, tnr, held = 0.7, 0.85, 0.8, 0

    def count(n: int, share: float) -> int:
        return sum(random.random() < share for _ in range(n))

    for _ in range(400):
        apparent = true * tpr + (1 - true) * (1 - tnr)
        found = correct_pass_rate(
            Share(count(200, apparent), 200), both((count(40, tpr), 40), (count(20, tnr), 20))
        )
        held += found.interval is not None and found.interval.low <= true <= found.interval.high
    assert 0.94 * 400 <= held <= 0.995 * 400


@given(st.integers(0, 50), st.lists(st.tuples(st.booleans(), st.booleans()), max_size=30))
def test_rates_stay_in_bounds(count: int, verdicts: Both) -> None:
    """A corrected rate and its interval are shares, whatever is known; a missing one has a reason."""
    found = correct_pass_rate(Share(count, 50), verdicts)
    assert (found.corrected is None) == (found.why is not None)
    assert found.corrected is None or 0 <= found.corrected <= 1
    assert found.interval is None or 0 <= found.interval.low <= found.interval.high <= 1


CRITERIA = tuple(
    Criterion(
        name=name,
        weight=Decimal(weight),
        instructions="",
        levels=("", "") * 2,
        rubric_sha256="",
        minimum=minimum,
    )
    for name, weight, minimum in (("tone", "0.5", None), ("safety", "0.5", Decimal(50)))
)


@pytest.mark.parametrize(
    ("tone", "safety", "passed"),
    [(100, 50, True), (90, 50, True), (89, 50, False), (100, 49, False), (0, 100, False)],
)
def test_what_passes(tone: int, safety: int, passed: bool) -> None:
    """The weighted mean reaches the bar, and every criterion its minimum."""
    percents = {"tone": Fraction(tone), "safety": Fraction(safety)}
    assert passes(CRITERIA, Fraction(70), percents) is passed


def test_without_weights_only_minimums_count() -> None:
    """Where nothing has a weight there is no total that could be too low."""
    criteria = tuple(replace(each, weight=Decimal(0)) for each in CRITERIA)
    assert passes(criteria, Fraction(70), {"tone": Fraction(0), "safety": Fraction(50)})
