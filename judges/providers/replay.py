"""Answers from recorded judgements, by a model or a person. No call is made, nothing is spent."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from judges.core.question import Answer, Choice, Predicate, Question, Score, Subject, Unanswered
from judges.core.replay import ReplayEntry
from judges.core.usage import Usage
from judges.providers.base import Completion, Request


class Replay:
    """Finds recorded answers by case, question, arm, replica and output.

    An entry for exactly this output, or this arm, goes before one for any; of equal ones the last counts.
    """

    def __init__(self, entries: Iterable[ReplayEntry]) -> None:
        self._entries: defaultdict[tuple[str, str], list[ReplayEntry]] = defaultdict(list)
        for entry in entries:
            self._entries[entry.ref, entry.question].append(entry)

    def complete(self, request: Request) -> Completion:
        """Return the recorded answer to each question, or why there is none."""
        answers = {question.name: self._answer(question, request.subject) for question in request.questions}
        return Completion(answers=answers, usage=Usage())

    def _answer(self, question: Question, subject: Subject) -> Answer | Unanswered:
        entries = self._entries.get((subject.ref, question.name), [])
        of_trial = [
            entry
            for entry in entries
            if entry.arm in (None, subject.arm) and entry.replica == subject.replica
        ]
        matching = [entry for entry in of_trial if entry.output_sha256 in (None, subject.output_sha256)]
        if not matching:
            return Unanswered(_why_none(entries, of_trial, subject))
        best = max(reversed(matching), key=_precision)
        value = read_value(question, best.answer)
        if value is None:
            return Unanswered(f"the recorded answer {best.answer!r} is not {_offered(question)}")
        return Answer(value=value, reasoning=best.reasoning, quotes=best.quotes)


def read_value(question: Question, answer: int | bool | str) -> int | bool | str | None:
    """Return the value of a recorded answer, or None where the question does not offer it."""
    match question:
        case Score():
            is_level = type(answer) is int and 1 <= answer <= len(question.levels)
            return answer if is_level else None
        case Predicate():
            words = [word.casefold() for word in (*question.labels, "true", "false")]
            word = str(answer).casefold()
            return words.index(word) % 2 == 0 if word in words else None
        case Choice():
            return answer if answer in question.choices else None


def _precision(entry: ReplayEntry) -> tuple[bool, bool]:
    return entry.output_sha256 is not None, entry.arm is not None


def _why_none(entries: Sequence[ReplayEntry], of_trial: Sequence[ReplayEntry], subject: Subject) -> str:
    if of_trial:
        return "no recorded answer: the output has changed since it was recorded"
    if entries and subject.replica > 1:
        return f"no recorded answer for replica {subject.replica}"
    if entries:
        return f"no recorded answer for the arm {subject.arm}"
    return "no recorded answer"


def _offered(question: Question) -> str:
    match question:
        case Score():
            return f"a level from 1 to {len(question.levels)}"
        case Predicate():
            return " or ".join(question.labels)
        case Choice():
            return f"one of {', '.join(question.choices)}"
