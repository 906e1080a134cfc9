"""Whether a verdict hangs by a level: then it is worth asking again."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TypeAlias

from judges.core.question import Answer, Question, Score, Unanswered
from judges.core.verdict import Verdict

Answers: TypeAlias = Mapping[str, Answer | Unanswered]


def is_fragile(
    questions: tuple[Question, ...], answers: Answers, decide: Callable[[Answers], Verdict]
) -> bool:
    """Whether one criterion, one level up or down, would change the verdict. Unanswered is not fragile."""
    if any(isinstance(answer, Unanswered) for answer in answers.values()):
        return False
    verdict = decide(answers)
    return any(decide(moved) is not verdict for moved in _one_level_moves(questions, answers))


def _one_level_moves(questions: tuple[Question, ...], answers: Answers) -> Iterator[Answers]:
    for question in questions:
        answer = answers[question.name]
        if isinstance(question, Score) and isinstance(answer, Answer):
            for level in (int(answer.value) - 1, int(answer.value) + 1):
                if 1 <= level <= len(question.levels):
                    moved = replace(answer, value=level, probabilities=None)
                    yield {**answers, question.name: moved}
