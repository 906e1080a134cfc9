"""Answers from recorded judgements, by a model or a person. No call is made, nothing is spent."""

from collections import defaultdict
from collections.abc import Iterable

from judges.core.question import Answer, Choice, Predicate, Question, Score, Subject, Unanswered
from judges.core.replay import ReplayEntry, closest_question, digest_asked
from judges.core.usage import Usage
from judges.providers.base import Completion, Request

_CHANGED = ": {} changed since it was recorded"


class Replay:
    """Finds recorded answers by case, question, arm, replica, output and what was asked.

    An entry for exactly this output, or this arm, goes before one for any; of equal ones the last counts.
    With a `source` only what this judge has said counts; without one, what several came to, not what each of
    them said. `hint` goes with every reason why there is none.
    """

    def __init__(self, entries: Iterable[ReplayEntry], *, source: str | None = None, hint: str = "") -> None:
        self._entries: defaultdict[tuple[str, str], list[ReplayEntry]] = defaultdict(list)
        self._source = source
        self._hint = f"; {hint}" if hint else ""
        self._questions: defaultdict[str, set[str]] = defaultdict(set)
        for entry in entries:
            self._entries[entry.ref, entry.question].append(entry)
            self._questions[entry.ref].add(entry.question)

    def complete(self, request: Request) -> Completion:
        """Return the recorded answer to each question, or why there is none."""
        answers = {question.name: self._answer(question, request) for question in request.questions}
        return Completion(answers=answers, usage=Usage())

    def _answer(self, question: Question, request: Request) -> Answer | Unanswered:
        matching, why = self._find(question, request)
        if not matching:
            return Unanswered(f"no recorded answer{why or self._near(question, request)}{self._hint}")
        best = max(reversed(matching), key=_precision)
        value = read_value(question, best.answer)
        if value is None:
            return Unanswered(f"the recorded answer {best.answer!r} is not {_offered(question)}{self._hint}")
        return Answer(
            value=value,
            reasoning=best.reasoning,
            quotes=best.quotes,
            probabilities=best.probabilities,
            confidence=best.confidence,
        )

    def _near(self, question: Question, request: Request) -> str:
        """Return what was not found: the question and what it was perhaps called, or all of the case."""
        ref = request.subject.ref
        if ref not in self._questions:
            return f" about the case '{ref}'"
        others = self._questions[ref] - {each.name for each in request.questions}
        close = closest_question(question.name, others)
        return f" to {question.name}" + (f" (there is one to '{close}')" if close else "")

    def _find(self, question: Question, request: Request) -> tuple[list[ReplayEntry], str]:
        """Return the entries that answer a question, and what is in the way of those that almost do."""
        subject, source = request.subject, self._source
        asked = digest_asked(question, request.evidence, request.context)
        found = self._entries.get((subject.ref, question.name), [])
        why = ""
        for fits, otherwise in (
            (
                lambda entry: entry.arm in (None, subject.arm) and entry.replica == subject.replica,
                _trial(subject),
            ),
            (
                lambda entry: entry.source in (None, source) if source else entry.panel is None,
                f" of {source}" if source else " of all judges together",
            ),
            (
                lambda entry: entry.output_sha256 in (None, subject.output_sha256),
                _CHANGED.format("the output has"),
            ),
            (
                lambda entry: entry.asked_sha256 in (None, asked),
                _CHANGED.format("what the judge is asked has"),
            ),
        ):
            if not found:
                break
            found, why = [entry for entry in found if fits(entry)], otherwise
        return found, why


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


def _trial(subject: Subject) -> str:
    return f" for replica {subject.replica}" if subject.replica > 1 else f" for the arm {subject.arm}"


def _offered(question: Question) -> str:
    match question:
        case Score():
            return f"a level from 1 to {len(question.levels)}"
        case Predicate():
            return " or ".join(question.labels)
        case Choice():
            return f"one of {', '.join(question.choices)}"
