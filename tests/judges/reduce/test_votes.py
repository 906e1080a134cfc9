"""From several votes to one answer: a missing vote is no vote for anything."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.core.question import Answer, Choice, Predicate, Question, Score, Unanswered, Vote
from judges.reduce.votes import Quorum, agreement, combine_votes, quorum_threshold

SCORE = Score(name="s", instructions="", levels=("",) * 5)
PREDICATE = Predicate(name="p", instructions="")
CHOICE = Choice(name="c", instructions="", choices=("A", "B", "tie"))


def votes(*values: Any) -> tuple[Vote, ...]:
    """One vote a value; None is a judge that gave no answer."""
    return tuple(
        Vote(
            judge=f"j{number}",
            replica=1,
            answer=Unanswered("no reply") if value is None else Answer(value=value, reasoning=f"r{number}"),
        )
        for number, value in enumerate(values)
    )


def value(answer: Answer | Unanswered) -> Any:
    return answer.value if isinstance(answer, Answer) else None


@pytest.mark.parametrize(
    ("question", "said", "expected"),
    [
        pytest.param(SCORE, (3,), 3, id="one"),
        pytest.param(SCORE, (5, 2, 4), 4, id="the median of three"),
        pytest.param(SCORE, (5, 2), 2, id="the lower of two"),
        pytest.param(SCORE, (5, 5, 1, 2), 2, id="the lower middle of four"),
        pytest.param(SCORE, (5, None, 4), 4, id="two of three are more than half"),
        pytest.param(SCORE, (5, None), None, id="one of two is not"),
        pytest.param(SCORE, (None, None, None), None, id="nobody"),
        pytest.param(PREDICATE, (True, True, False), True, id="two of three say yes"),
        pytest.param(PREDICATE, (False, False, True), False, id="two of three say no"),
        pytest.param(PREDICATE, (True, False), None, id="a draw is no majority"),
        pytest.param(PREDICATE, (True, None, None), None, id="one yes of three asked"),
        pytest.param(PREDICATE, (True, True, None), True, id="two yes of three asked"),
        pytest.param(CHOICE, ("A", "A", "B"), "A", id="a choice"),
        pytest.param(CHOICE, ("A", "B", "tie"), None, id="three choices"),
    ],
)
def test_majority(question: Question, said: tuple[Any, ...], expected: Any) -> None:
    """The lower median, or what more than half of all that were asked said; else nothing."""
    assert value(combine_votes(question, votes(*said))) == expected


@pytest.mark.parametrize(
    ("quorum", "good", "said", "expected"),
    [
        pytest.param("majority", True, (True, False), False, id="a tie never passes"),
        pytest.param("majority", False, (True, False), True, id="whatever passing means"),
        pytest.param("majority", True, (True, True, None), True, id="enough, one missing"),
        pytest.param("majority", True, (True, None, False), None, id="the missing one decides"),
        pytest.param("majority", True, (False, False, None), False, id="cannot be reached any more"),
        pytest.param("all", True, (True, True, True), True, id="all"),
        pytest.param("all", True, (True, True, False), False, id="all but one"),
        pytest.param("all", True, (True, True, None), None, id="all but a missing one"),
        pytest.param(1, True, (True, False, False), True, id="one is enough"),
        pytest.param(2, False, (False, True, None), None, id="two of one and perhaps another"),
    ],
)
def test_quorum(quorum: Quorum, good: bool, said: tuple[Any, ...], expected: Any) -> None:
    """A predicate passes with enough good votes, fails when they cannot come, and else is unmeasured."""
    assert value(combine_votes(PREDICATE, votes(*said), good=good, quorum=quorum)) == expected


def test_combined_answer() -> None:
    """It carries every vote, the words of one that agrees, and how many agree."""
    said = votes(1, 4, 4)
    answer = combine_votes(SCORE, said)
    assert isinstance(answer, Answer)
    assert (answer.value, answer.reasoning, answer.votes) == (4, "r1", said)
    assert answer.confidence == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        pytest.param([(4, True), (4, True), (4, False)], True, id="most"),
        pytest.param([(4, False), (4, False), (4, True)], False, id="most are not"),
        pytest.param([(4, True), (4, False)], False, id="half is not most"),
        pytest.param(
            [(4, True), (2, False), (2, False), (5, False), (4, True)], True, id="for another value"
        ),
        pytest.param(
            [(4, False), (4, None), (4, None)], False, id="those that were not checked do not count"
        ),
        pytest.param([(4, None), (4, None), (2, True)], None, id="none was checked"),
    ],
)
def test_support(said: list[tuple[int, bool | None]], expected: bool | None) -> None:
    """What a meta-judge said of the votes that the combined answer comes from, by majority."""
    cast = tuple(
        Vote(judge="judge", replica=replica, answer=Answer(value=level, supported=supported))
        for replica, (level, supported) in enumerate(said, start=1)
    )
    answer = combine_votes(SCORE, cast)
    assert isinstance(answer, Answer)
    assert (answer.value, answer.supported) == (4, expected)


def test_no_majority_says_who_said_what() -> None:
    """Where nothing comes of the votes they are all named."""
    assert combine_votes(PREDICATE, votes(True, False, None)) == Unanswered(
        "no majority of the 3 asked: j0 (1): YES, j1 (1): NO, j2 (1): no reply"
    )


@pytest.mark.parametrize(
    ("quorum", "asked", "expected"),
    [
        ("all", 3, 3),
        ("majority", 1, 1),
        ("majority", 2, 2),
        ("majority", 4, 3),
        ("majority", 5, 3),
        (2, 5, 2),
    ],
)
def test_threshold(quorum: Quorum, asked: int, expected: int) -> None:
    """More than half is a majority: a tie of an even number is none."""
    assert quorum_threshold(quorum, asked) == expected


def test_agreement() -> None:
    """The share of all votes that agree with what they came to."""
    answers = {
        "a": combine_votes(SCORE, votes(4, 4, 5)),
        "b": combine_votes(PREDICATE, votes(True, True, None)),
    }
    assert agreement(answers) == pytest.approx(4 / 6)
    assert agreement({"a": Answer(value=1)}) is None


@given(st.lists(st.integers(1, 5) | st.none(), min_size=1, max_size=7), st.data())
def test_score_lies_between_the_votes(said: list[int | None], data: st.DataObject) -> None:
    """What comes of levels is one of them, in any order of the votes."""
    combined = value(combine_votes(SCORE, votes(*said)))
    shuffled = value(combine_votes(SCORE, votes(*data.draw(st.permutations(said)))))
    assert combined == shuffled
    assert combined is None or combined in said


@given(st.lists(st.booleans() | st.none(), min_size=1, max_size=7), st.integers(1, 7), st.integers(0, 6))
def test_quorum_is_monotonic(said: list[bool | None], need: int, which: int) -> None:
    """A vote that turns good never makes a passing question fail."""
    quorum = min(need, len(said))
    better = list(said)
    better[which % len(said)] = True
    order = {False: 0, None: 1, True: 2}
    before = value(combine_votes(PREDICATE, votes(*said), quorum=quorum))
    after = value(combine_votes(PREDICATE, votes(*better), quorum=quorum))
    assert order[after] >= order[before]
