"""How far a judge agrees with people, by criterion and category, and what that allows to conclude."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from judges.core.case import Category
from judges.core.verdict import Verdict
from judges.reduce.calibration import Calibration, Strength, calibrate
from judges.reduce.calibration_figures import Label, measure_labels


def labels(
    pairs: Sequence[tuple[int, int]], criterion: str = "tone", category: Category | None = Category.ELEMENT
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
        )
        for number, (people, judge) in enumerate(pairs)
    ]


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
        overall = replace(figures, n=n, failing=failing)
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
