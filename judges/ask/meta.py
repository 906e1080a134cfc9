"""The meta-judge: does a judge's reasoning support its answer? It never changes an answer."""

from collections.abc import Mapping
from dataclasses import replace

from judges.ask.render import render_question
from judges.ask.wording import fill
from judges.core.question import Answer, Evidence, Predicate, Question, Unanswered

_PREFIX = "meta."
_UNSUPPORTED_FACTOR = 0.5


def meta_questions(
    questions: tuple[Question, ...], answers: Mapping[str, Answer | Unanswered]
) -> tuple[Predicate, ...]:
    """Return a question about each answer that has reasoning."""
    return tuple(
        Predicate(name=_PREFIX + question.name, instructions=fill("meta", name=question.name))
        for question in questions
        if isinstance(answer := answers[question.name], Answer) and answer.reasoning
    )


def meta_evidence(
    questions: tuple[Question, ...], answers: Mapping[str, Answer | Unanswered], evidence: Evidence
) -> Evidence:
    """Return the evidence with what was asked and answered about it, as fields like the others."""
    fields = dict(evidence.fields)
    for question in questions:
        answer = answers[question.name]
        if isinstance(answer, Answer) and answer.reasoning:
            fields[f"question.{question.name}"] = render_question(question)
            fields[f"judge.{question.name}"] = _in_words(question, answer)
    return Evidence(fields)


def apply_meta(
    answers: Mapping[str, Answer | Unanswered], said: Mapping[str, Answer | Unanswered]
) -> dict[str, Answer | Unanswered]:
    """Return the answers with what the meta-judge said of them; an unsupported one has half the confidence.

    Its value stays. Where the meta-judge gave no answer nothing is changed.
    """
    return {name: _apply(answer, said.get(_PREFIX + name)) for name, answer in answers.items()}


def meta_remarks(said: Mapping[str, Answer | Unanswered]) -> tuple[str, ...]:
    """Return a sentence for each answer that the meta-judge does not find supported, or could not check."""
    remarks = []
    for name, answer in said.items():
        asked = name.removeprefix(_PREFIX)
        if isinstance(answer, Unanswered):
            remarks.append(f"{asked}: the meta-judge gave no answer: {answer.reason}")
        elif not answer.value:
            why = f": {answer.reasoning}" if answer.reasoning else ""
            remarks.append(f"{asked}: the meta-judge does not find the answer supported{why}")
    return tuple(remarks)


def _apply(answer: Answer | Unanswered, said: Answer | Unanswered | None) -> Answer | Unanswered:
    if not isinstance(answer, Answer) or not isinstance(said, Answer):
        return answer
    if said.value:
        return replace(answer, supported=True)
    confidence = 1.0 if answer.confidence is None else answer.confidence
    return replace(answer, supported=False, confidence=confidence * _UNSUPPORTED_FACTOR)


def _in_words(question: Question, answer: Answer) -> str:
    value = answer.value
    if isinstance(question, Predicate):
        value = question.labels[0] if value else question.labels[1]
    quotes = "".join(f"\n- {quote}" for quote in answer.quotes)
    return f"answer: {value}\nreasoning: {answer.reasoning}\nquotes:{quotes or ' none'}"
