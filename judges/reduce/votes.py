"""From several answers to the same question to one: by several judges, or by one judge asked again.

A vote that is missing is no vote for anything: what counts is always the share of all that were asked.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias

from judges.core.question import Answer, Choice, Predicate, Question, Score, Unanswered, Vote

Quorum: TypeAlias = Literal["all", "majority"] | int

NO_MAJORITY = "no majority of the"
"""How the reason of an Unanswered begins that several contrary answers came to."""


def quorum_threshold(quorum: Quorum, asked: int) -> int:
    """Return how many of `asked` must agree: all of them, more than half, or the number itself."""
    if quorum == "all":
        return asked
    return asked // 2 + 1 if quorum == "majority" else quorum


def combine_votes(
    question: Question, votes: tuple[Vote, ...], *, good: bool = True, quorum: Quorum | None = None
) -> Answer | Unanswered:
    """Return what the votes come to, or why they come to nothing.

    A Score is the lower median of the levels given, if more than half of all that were asked gave one. A
    Choice, and a Predicate without a quorum, is what more than half of all that were asked said. With a
    quorum a Predicate has its `good` answer when enough gave it, the other one when so many cannot be
    reached any more, and none in between.

    The combined answer's reasoning and quotes are those of the first vote for it; its confidence is the
    share of all asked that agree with it. It is supported if a meta-judge supports more than half of those
    votes for it that it checked; None where it checked none.
    """
    given = [vote.answer for vote in votes if isinstance(vote.answer, Answer)]
    value: int | bool | str | None
    match question:
        case Score():
            value = _lower_median([int(answer.value) for answer in given], len(votes))
        case Predicate() if quorum is not None:
            value = _by_quorum([answer.value is good for answer in given], len(votes), quorum, good)
        case Predicate() | Choice():
            value = _majority([answer.value for answer in given], len(votes))
    if value is None:
        return Unanswered(_why_none(question, votes))
    agreed = [answer for answer in given if answer.value == value]
    return Answer(
        value=value,
        reasoning=agreed[0].reasoning,
        quotes=agreed[0].quotes,
        confidence=len(agreed) / len(votes),
        votes=votes,
        supported=_supported(agreed),
    )


def agreement(answers: Mapping[str, Answer | Unanswered]) -> float | None:
    """Return the share, 0..1, of all votes that agree with what they came to; None without votes."""
    pairs = [
        isinstance(vote.answer, Answer) and vote.answer.value == answer.value
        for answer in answers.values()
        if isinstance(answer, Answer)
        for vote in answer.votes
    ]
    return sum(pairs) / len(pairs) if pairs else None


def _lower_median(levels: list[int], asked: int) -> int | None:
    return sorted(levels)[(len(levels) - 1) // 2] if 2 * len(levels) > asked else None


def _by_quorum(goods: list[bool], asked: int, quorum: Quorum, good: bool) -> bool | None:
    needed = quorum_threshold(quorum, asked)
    reached, missing = sum(goods), asked - len(goods)
    if reached >= needed:
        return good
    return None if reached + missing >= needed else not good


def _majority(values: Iterable[int | bool | str], asked: int) -> int | bool | str | None:
    counted = Counter(values).most_common(1)
    return counted[0][0] if counted and 2 * counted[0][1] > asked else None


def _supported(agreed: list[Answer]) -> bool | None:
    checked = [answer.supported for answer in agreed if answer.supported is not None]
    return 2 * sum(checked) > len(checked) if checked else None


def _why_none(question: Question, votes: tuple[Vote, ...]) -> str:
    said = ", ".join(f"{vote.judge} ({vote.replica}): {_words(question, vote.answer)}" for vote in votes)
    return f"{NO_MAJORITY} {len(votes)} asked: {said}"


def _words(question: Question, answer: Answer | Unanswered) -> str:
    if isinstance(answer, Unanswered):
        return answer.reason
    if isinstance(question, Predicate):
        return question.labels[0] if answer.value else question.labels[1]
    return str(answer.value)
