"""The power of a corpus: exact, against a count of all outcomes and against simulated edits."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import comb, prod
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judges.reduce.gate import Sample, compute_verdict
from judges.reduce.gate_power import chance_to_catch, detectable_loss

T = "target"

KNOWN = [  # with a current text that is always right, by the binomial distribution alone
    pytest.param(8, 1, 0.1, 1.0, 1 - 0.9**8 - 8 * 0.1 * 0.9**7, id="8 tasks, one sample"),
    pytest.param(2, 1, 1.0, 1.0, 1.0, id="all is lost"),
    pytest.param(1, 1, 1.0, 1.0, 0.0, id="one task can never lose more than one"),
    pytest.param(8, 3, 0.0, 1.0, 0.0, id="nothing is lost, nothing varies"),
    pytest.param(3, 2, 0.5, 1.0, sum(comb(6, lost) for lost in (3, 4, 5, 6)) / 2**6, id="3 tasks, 2 samples"),
]


@pytest.mark.parametrize(("tasks", "samples", "loss", "rate", "chance"), KNOWN)
def test_known_chances(tasks: int, samples: int, loss: float, rate: float, chance: float) -> None:
    """A loss of exactly one task is never caught."""
    found = chance_to_catch(tasks=tasks, samples=samples, loss=loss, current_rate=rate)
    assert found == pytest.approx(chance, abs=1e-12)


def outcomes(n: int, rate: float) -> Iterator[tuple[tuple[int, ...], float]]:
    for values in product((0, 1), repeat=n):
        yield values, prod(rate if value else 1 - rate for value in values)


def test_the_chance_is_that_of_the_gate_itself() -> None:
    """Every outcome of both texts, weighed by how likely it is, and decided by the gate."""
    tasks, rate, loss = 3, 0.7, 0.4
    caught = 0.0
    for before, chance in outcomes(tasks, rate):
        for after, other in outcomes(tasks, rate - loss):
            verdict = compute_verdict(_samples(before), [*_samples(after), Sample(T, Fraction(1))], T)
            caught += chance * other * bool(verdict.corpus_regressed)
    found = chance_to_catch(tasks=tasks, samples=1, loss=loss, current_rate=rate)
    assert found == pytest.approx(caught, abs=1e-12)


def test_simulated_edits_are_caught_as_often_as_is_said() -> None:
    """Of 3000 edits, within three standard errors."""
    random, tasks, samples = Random(6), 8, 3
    n, caught = tasks * samples, 0
    for _ in range(3000):
        before, after = (sum(random.random() < rate for _ in range(n)) for rate in (0.9, 0.8))
        caught += Fraction(after, n) < Fraction(before, n) - Fraction(1, tasks)
    expected = chance_to_catch(tasks=tasks, samples=samples, loss=0.1, current_rate=0.9)
    assert caught / 3000 == pytest.approx(expected, abs=3 * (expected * (1 - expected) / 3000) ** 0.5)


def _samples(values: tuple[int, ...]) -> list[Sample]:
    return [Sample(f"t{number}", Fraction(value)) for number, value in enumerate(values)]


@settings(max_examples=40)
@given(st.integers(1, 12), st.integers(1, 4), st.integers(0, 10), st.integers(0, 9))
def test_a_larger_loss_is_caught_more_often(tasks: int, samples: int, rate: int, loss: int) -> None:
    """Chances are 0..1 and grow with the loss."""
    smaller, larger = (
        chance_to_catch(tasks=tasks, samples=samples, loss=each / 10, current_rate=rate / 10)
        for each in (loss, loss + 1)
    )
    assert 0 <= smaller <= larger + 1e-12 <= 1 + 1e-12


def test_the_smallest_loss_that_is_caught() -> None:
    """It is caught 4 of 5 times, and one that is a hundredth smaller is not."""
    found = detectable_loss(tasks=8, samples=9, current_rate=0.95)
    assert found is not None
    chances = [
        chance_to_catch(tasks=8, samples=9, loss=loss, current_rate=0.95) for loss in (found - 0.01, found)
    ]
    assert chances[0] < 0.8 <= chances[1]


def test_a_corpus_may_catch_nothing() -> None:
    """With one task a loss is never more than one task."""
    assert detectable_loss(tasks=1, samples=3, current_rate=1.0) is None


def test_a_large_corpus_is_no_problem() -> None:
    """Thousands of tasks leave the range of a float in every factor, not in the chance."""
    assert chance_to_catch(tasks=3000, samples=9, loss=0.1, current_rate=0.9) == pytest.approx(1.0)


@pytest.mark.parametrize(
    "wrong", [{"tasks": 0}, {"samples": 0}, {"loss": -0.1}, {"current_rate": 1.5}], ids=str
)
def test_impossible_questions_are_refused(wrong: dict[str, float]) -> None:
    """They are mistakes of the caller."""
    with pytest.raises(ValueError, match="impossible"):
        chance_to_catch(**{"tasks": 8, "samples": 3, "loss": 0.1, "current_rate": 0.9, **wrong})  # type: ignore[arg-type]
