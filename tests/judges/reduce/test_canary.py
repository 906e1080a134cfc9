"""Whether a judge tells a good output from a bad one."""

from decimal import Decimal

import pytest

from judges.core.question import Answer, Unanswered
from judges.files.suite import Criterion
from judges.reduce.canary import decide_canary

CRITERIA = tuple(
    Criterion(name=name, weight=Decimal(weight), instructions="", levels=("",) * 5, rubric_sha256="")
    for name, weight in (("tone", "0.75"), ("safety", "0.25"))
)


def answers(tone: int, safety: int) -> dict[str, Answer | Unanswered]:
    return {"criteria.tone": Answer(value=tone), "criteria.safety": Answer(value=safety)}


@pytest.mark.parametrize(
    ("good", "bad", "failure"),
    [
        pytest.param((5, 5), (1, 1), None, id="clearly better"),
        pytest.param((3, 1), (2, 3), None, id="better by its weights"),
        pytest.param((3, 3), (3, 3), "it scored the good output 50 and the bad one 50", id="no difference"),
        pytest.param((1, 5), (5, 1), "it scored the good output 25 and the bad one 75", id="the wrong way"),
    ],
)
def test_ranking(good: tuple[int, int], bad: tuple[int, int], failure: str | None) -> None:
    """A judge passes that scores the good output above the bad one, by the weights of the criteria."""
    assert decide_canary(CRITERIA, answers(*good), answers(*bad)) == failure


@pytest.mark.parametrize("name", ["good", "bad"])
def test_no_answer(name: str) -> None:
    """A judge that gives no usable answer fails, and the reason is told."""
    silent = {**answers(5, 5), "criteria.tone": Unanswered("the judge refused to answer")}
    given = {"good": answers(5, 5), "bad": answers(1, 1), name: silent}
    said = decide_canary(CRITERIA, given["good"], given["bad"])
    assert said == f"no usable answer about the {name} output: the judge refused to answer"


def test_probabilities() -> None:
    """Where a suite decides by expected levels, so does its canary."""
    good = {**answers(3, 3), "criteria.tone": Answer(value=3, probabilities={"3": 0.6, "5": 0.4})}
    assert decide_canary(CRITERIA, good, answers(3, 3), expected=True) is None
    assert decide_canary(CRITERIA, good, answers(3, 3)) == "it scored the good output 50 and the bad one 50"
