"""A verdict is fragile when one level of one criterion would change it."""

from collections.abc import Mapping

import pytest

from judges.core.question import Answer, Predicate, Score, Unanswered
from judges.core.verdict import Verdict
from judges.reduce.fragile import is_fragile

QUESTIONS = (
    Score(name="a", instructions="", levels=("",) * 5),
    Score(name="b", instructions="", levels=("",) * 5),
    Predicate(name="p", instructions=""),
)


def decide(answers: Mapping[str, Answer | Unanswered]) -> Verdict:
    """Passes from a sum of 8 on."""
    levels = [answers[name] for name in ("a", "b")]
    return (
        Verdict.PASS
        if sum(int(each.value) for each in levels if isinstance(each, Answer)) >= 8
        else Verdict.FAIL
    )


@pytest.mark.parametrize(
    ("levels", "expected"),
    [((5, 5), False), ((5, 4), False), ((4, 4), True), ((3, 4), True), ((2, 4), False), ((5, 3), True)],
)
def test_fragile(levels: tuple[int, int], expected: bool) -> None:
    """One level away from the threshold is fragile, two are not; levels never leave the scale."""
    answers = {"a": Answer(value=levels[0]), "b": Answer(value=levels[1]), "p": Answer(value=True)}
    assert is_fragile(QUESTIONS, answers, decide) is expected


def test_unanswered_is_not_fragile() -> None:
    """Where there is no answer asking again is the retries' business."""
    answers = {"a": Unanswered("no reply"), "b": Answer(value=4), "p": Answer(value=True)}
    assert not is_fragile(QUESTIONS, answers, decide)
