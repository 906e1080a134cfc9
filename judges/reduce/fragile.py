"""Whether a verdict hangs by a level: then it is worth asking again."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from judges.core.question import Answer, Question, Score, Unanswered
from judges.core.verdict import Verdict

Answers: TypeAlias = Mapping[str, Answer | Unanswered]


@dataclass(frozen=True, slots=True)
class Flip:
    """The answer to one question, one level up or down, and the verdict that it would lead to."""

    question: str
    level: int
    verdict: Verdict


def is_fragile(
    questions: tuple[Question, ...], answers: Answers, decide: Callable[[Answers], Verdict]
) -> bool:
    """Whether one criterion, one level up or down, would change the verdict. Unanswered is not fragile."""
    return any(find_flips(questions, answers, decide))


def find_flips(
    questions: tuple[Question, ...], answers: Answers, decide: Callable[[Answers], Verdict]
) -> Iterator[Flip]:
    """Yield each change of one answer by one level that would change the verdict; Unanswered has none."""
    if any(isinstance(answer, Unanswered) for answer in answers.values()):
        return
    verdict = decide(answers)
    for name, moved in _one_level_moves(questions, answers):
        changed = decide({**answers, name: moved})
        if changed is not verdict:
            yield Flip(name, int(moved.value), changed)


def _one_level_moves(questions: tuple[Question, ...], answers: Answers) -> Iterator[tuple[str, Answer]]:
    for question in questions:
        answer = answers[question.name]
        if isinstance(question, Score) and isinstance(answer, Answer):
            for level in (int(answer.value) - 1, int(answer.value) + 1):
                if 1 <= level <= len(question.levels):
                    yield question.name, replace(answer, value=level, probabilities=None)
