"""How far a judge agrees with people, against scikit-learn, scipy and statsmodels, and what follows."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import cohen_kappa_score, mean_absolute_error
from statsmodels.stats.proportion import proportion_confint

from judges.core.case import Category
from judges.core.verdict import Verdict
from judges.reduce.calibration import Calibration, Figures, Label, Strength, calibrate, measure_labels
from judges.reduce.statistics import Interval

Pairs = Sequence[tuple[int, int]]


def labels(
    pairs: Pairs, criterion: str = "tone", category: Category | None = Category.ELEMENT
) -> list[Label]:
    """Labels of as many cases, from levels of people and judge."""
    return [
        Label(
            case=f"c{number}",
            category=category,
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


def test_criteria_that_differ_are_no_agreement() -> None:
    """A judge at chance on each criterion is at chance on all, though people rate one high and one low."""
    high, low = [(5, 5), (5, 4), (4, 5), (4, 4)], [(2, 2), (2, 1), (1, 2), (1, 1)]
    found = calibrate([*labels(high, "a"), *labels(low, "b")], [], [])
    assert found.overall is not None
    assert found.overall.kappa.value == 0
    assert [each.kappa.value for each in found.criteria.values()] == [0, 0]
    together = cohen_kappa_score(*zip(*high, *low, strict=True), weights="quadratic")
    assert together == pytest.approx(0.8)


def test_criteria_count_with_their_labels() -> None:
    """The kappa of all is the mean of theirs by labels; one that has none does not count."""
    agreed, reversed_ = [(1, 1), (5, 5), (3, 3)], [(1, 5), (5, 1)]
    same = labels([(4, 4)] * 9, "same")
    found = calibrate([*labels(agreed, "good"), *labels(reversed_, "bad"), *same], [], [])
    assert found.overall is not None
    assert found.overall.kappa.value == pytest.approx((3 * 1 + 2 * -1) / 5)
    assert found.criteria["same"].kappa.value is None


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


def test_groups() -> None:
    """There are figures for all labels, each criterion, and each category in the order of categories."""
    found = calibrate(
        [
            *labels([(1, 2)], "b", Category.EDGE),
            *labels([(5, 5)], "a", Category.ELEMENT),
            *labels([(5, 5)], "a", None),
        ],
        [],
        [Category.MIXED, Category.EDGE, None],
    )
    assert (list(found.criteria), list(found.categories)) == (["b", "a"], [Category.ELEMENT, Category.EDGE])
    assert found.categories[Category.EDGE].bias.value == 1
    assert found.unrated == (Category.MIXED,)


def test_people_with_each_other() -> None:
    """Every two people count once, and neither is the kinder one."""
    pairs = [(1, 2), (4, 4), (5, 5)]
    both = [*labels(pairs), *labels([(judge, people) for people, judge in pairs])]
    found = calibrate([], both, []).people
    assert found is not None
    assert (found.n, found.outputs, found.bias.value, found.exact.value) == (3, 3, 0, pytest.approx(2 / 3))


def test_nothing_to_compare() -> None:
    """Without a label there are no figures, and no verdict."""
    found = calibrate([], [], [Category.ELEMENT])
    assert (found.overall, found.people, found.strength) == (None, None, Strength.TOO_FEW)
    assert found.decide(0.5) is Verdict.SKIP


@pytest.fixture
def of() -> Callable[..., Calibration]:
    """A calibration with so many labels, of which so many fail."""
    figures = measure_labels(labels([(1, 1), (5, 5), (3, 4)]))

    def build(n: int, failing: int = 0, unrated: tuple[Category, ...] = ()) -> Calibration:
        overall: Figures = replace(figures, n=n, failing=failing)
        return Calibration(overall=overall, criteria={}, categories={}, people=None, unrated=unrated)

    return build


@pytest.mark.parametrize(
    ("n", "failing", "unrated", "strength"),
    [
        (1, 1, (), Strength.TOO_FEW),
        (29, 29, (), Strength.TOO_FEW),
        (30, 0, (), Strength.SMOKE_TEST),
        (99, 0, (), Strength.SMOKE_TEST),
        (100, 0, (), Strength.USABLE),
        (500, 100, (Category.EDGE,), Strength.SMOKE_TEST),
        (199, 60, (), Strength.USABLE),
        (200, 49, (), Strength.USABLE),
        (200, 50, (), Strength.GATE),
    ],
)
def test_what_a_number_of_labels_allows(
    of: Callable[..., Calibration], n: int, failing: int, unrated: tuple[Category, ...], strength: Strength
) -> None:
    """30 are a smoke test, 100 of all categories are usable, 200 with 50 failures support a gate."""
    assert of(n, failing, unrated).strength is strength


@pytest.mark.parametrize(
    ("n", "least", "verdict"),
    [
        (29, None, Verdict.INCONCLUSIVE),
        (29, 0.99, Verdict.INCONCLUSIVE),
        (30, None, Verdict.PASS),
        (30, 0.9, Verdict.PASS),
        (30, 16 / 17, Verdict.PASS),
        (30, 0.9412, Verdict.FAIL),
    ],
)
def test_verdicts(of: Callable[..., Calibration], n: int, least: float | None, verdict: Verdict) -> None:
    """A kappa of 16/17 passes up to that; below 30 labels nothing is decided."""
    assert of(n).decide(least) is verdict


def test_a_kappa_that_is_not_defined_decides_nothing() -> None:
    """A judge that has to agree is not passed for levels that never differ."""
    found = calibrate(labels([(4, 4)] * 40), [], [])
    assert (found.decide(0.5), found.decide(None)) == (Verdict.INCONCLUSIVE, Verdict.PASS)
