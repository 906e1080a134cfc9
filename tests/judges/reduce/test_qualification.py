"""What people's ratings say of a judge."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.reduce.qualification import Agreement, Rated, Standing, qualify


def rate(levels: list[tuple[int, int]], criterion: str = "tone", case: str = "") -> list[Rated]:
    """Ratings of one output a case: the levels of people and of the judge."""
    return [
        Rated(case=case or f"c{n}", output_sha256=f"{n}", criterion=criterion, people=people, judge=judge)
        for n, (people, judge) in enumerate(levels)
    ]


@pytest.mark.parametrize(
    ("levels", "pairs", "accuracy"),
    [
        pytest.param([(1, 1), (3, 2), (5, 5)], 3, 1.0, id="the same order"),
        pytest.param([(1, 5), (3, 4), (5, 1)], 3, 0.0, id="the opposite order"),
        pytest.param([(1, 3), (3, 3), (5, 3)], 3, 0.5, id="one level for all"),
        pytest.param([(1, 2), (2, 2), (5, 4)], 3, 2.5 / 3, id="a tie counts half"),
        pytest.param([(4, 1), (4, 5), (4, 3)], 0, None, id="people see no difference"),
        pytest.param([(4, 1), (4, 5), (5, 3)], 2, 0.5, id="only what people tell apart counts"),
    ],
)
def test_accuracy(levels: list[tuple[int, int]], pairs: int, accuracy: float | None) -> None:
    """The share of pairs, rated apart by people, that the judge orders in the same way."""
    found = qualify(rate(levels))
    assert (found.pairs, found.accuracy) == (pairs, accuracy)


def test_criteria_are_apart() -> None:
    """Outputs are paired within a criterion only, and the whole is the sum of its criteria."""
    found = qualify(rate([(1, 1), (5, 5)]) + rate([(2, 4), (3, 1), (3, 1)], "safety"))
    assert (found.n, found.cases, found.pairs, found.accuracy) == (3, 3, 3, 1 / 3)
    assert {name: each.accuracy for name, each in found.criteria.items()} == {"tone": 1.0, "safety": 0.0}


def test_agreement() -> None:
    """Kappa, error, bias and the commonest level stand beside the accuracy of a criterion."""
    found = qualify(rate([(1, 2), (2, 2), (4, 5), (4, 4)])).criteria["tone"]
    assert found == Agreement(
        n=4, pairs=5, accuracy=0.9, kappa=pytest.approx(0.8620690), error=0.5, bias=0.5, commonest=0.5
    )


def test_interval() -> None:
    """The interval is Wilson's for as many pairs as the jackknife over cases says they are worth."""
    found = qualify(rate([(1, 1), (2, 3), (3, 2), (4, 4), (5, 4)]))
    assert found.accuracy == 0.85  # 8 of 10 pairs and a tie
    assert found.interval is not None
    # without each case: 0.75, 0.9167, 0.9167, 0.8333, 0.8333; variance 4/5 * 0.01944; worth 8.196 pairs
    assert found.interval.low == pytest.approx(0.5077, abs=1e-4)
    assert found.interval.high == pytest.approx(0.9689, abs=1e-4)


def test_no_pair_is_wrong() -> None:
    """A judge that is never wrong on few cases is not therefore certain."""
    found = qualify(rate([(level, level) for level in (1, 2, 3, 4, 5)]))
    assert found.interval is not None
    assert (found.interval.low, found.interval.high) == (pytest.approx(0.5655, abs=1e-4), 1.0)


def test_outputs_of_one_case() -> None:
    """Where all pairs hang on one case nothing is known of others: there is no interval."""
    assert qualify(rate([(1, 1), (3, 3), (5, 5)], case="one")).interval is None
    only_one_differs = qualify(rate([(1, 1)] + [(3, 3)] * 40))
    assert (only_one_differs.interval, only_one_differs.standing) == (None, Standing.TOO_FEW)


GOOD = [(level, level) for level in (1, 2, 3, 4, 5)]
CONTRARY = [(level, 6 - level) for level in (1, 2, 3, 4, 5)]


@pytest.mark.parametrize(
    ("levels", "standing"),
    [
        pytest.param((GOOD * 6)[:29], Standing.TOO_FEW, id="29 outputs"),
        pytest.param(GOOD * 6, Standing.QUALIFIED, id="30 outputs"),
        pytest.param(CONTRARY * 6, Standing.SMOKE, id="contrary"),
        pytest.param([(people, 3) for people, _ in GOOD * 6], Standing.SMOKE, id="always the same"),
        pytest.param(GOOD * 3 + CONTRARY * 3, Standing.SMOKE, id="half of each"),
        pytest.param(GOOD * 5 + CONTRARY, Standing.QUALIFIED, id="mostly right"),
        pytest.param([(3, 3)] * 40, Standing.TOO_FEW, id="all rated alike"),
        pytest.param([], Standing.TOO_FEW, id="none"),
    ],
)
def test_standing(levels: list[tuple[int, int]], standing: Standing) -> None:
    """Better than chance is qualified, no better is a smoke judge; below 30 outputs nothing follows."""
    assert qualify(rate(levels)).standing is standing


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), max_size=12))
def test_bounds(levels: list[tuple[int, int]]) -> None:
    """An accuracy lies within its interval, and both within 0..1."""
    found = qualify(rate(levels))
    if found.interval is not None:
        assert found.accuracy is not None
        assert 0 <= found.interval.low <= found.accuracy + 1e-9
        assert found.accuracy - 1e-9 <= found.interval.high <= 1


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=2, max_size=12))
def test_a_judge_turned_round(levels: list[tuple[int, int]]) -> None:
    """A judge that says the opposite has the opposite accuracy."""
    found, turned = qualify(rate(levels)), qualify(rate([(people, -judge) for people, judge in levels]))
    if found.accuracy is not None:
        assert turned.accuracy == pytest.approx(1 - found.accuracy)
