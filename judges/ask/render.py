"""From questions and evidence to the messages and the reply schema of one call.

What stays the same for all cases of a suite (instructions, the author's context, questions) comes first, the
evidence last, so that an endpoint can reuse the common part.
"""

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from judges.ask.wording import fill, text, version
from judges.core.case import digest
from judges.core.question import Choice, Evidence, Predicate, Question, Score
from judges.providers.base import Message


def render_messages(
    questions: tuple[Question, ...], evidence: Evidence, *, context: str = "", complaint: str | None = None
) -> tuple[Message, ...]:
    """Return the system message with the task and the user message with the fenced evidence."""
    user = render_evidence(evidence)
    if complaint:
        user += "\n\n" + fill("complaint", complaint=complaint)
    return _render_task(_instructions(questions, evidence), questions, context), Message("user", user)


def _instructions(questions: tuple[Question, ...], evidence: Evidence) -> str:
    if dictated(questions):
        return "semantic"
    return "instructions" if "output" in evidence.fields else "comparison"


def dictated(questions: tuple[Question, ...]) -> Predicate | None:
    """Return the question whose rubric dictates the form of the reply; None where the form is the usual one.

    Such a question is asked alone. Its reply is one object with the keys `reasoning` and its `answer_key`.
    """
    match questions:
        case (Predicate(answer_key=key) as question,) if key != "answer":
            return question
    return None


def wording_version(questions: tuple[Question, ...]) -> str:
    """Return the version of the wording that these questions are asked with."""
    return version("semantic" if dictated(questions) else "suite")


@lru_cache(maxsize=256)
def _render_task(instructions: str, questions: tuple[Question, ...], context: str) -> Message:
    parts = [text(instructions)]
    if context.strip():
        parts.append(fill("context", context=context.strip()))
    parts += [render_question(question) for question in questions]
    form = "dictated" if dictated(questions) else "format"
    parts.append(fill(form, example=json.dumps(_example(questions), ensure_ascii=False)))
    return Message("system", "\n\n".join(parts))


def render_context(context: str, specs: Mapping[str, str]) -> str:
    """Return what a suite's author says about the work: in words of their own, and in whole documents.

    It is the same for all cases. The documents have a fence of their own, so that it stays so.
    """
    if not specs:
        return context
    fields = {f"spec.{name}": text.rstrip("\n") for name, text in specs.items()}
    documents = fill("specs", specs=render_evidence(Evidence(fields)))
    return "\n\n".join(filter(None, (context.strip(), documents)))


def render_question(question: Question) -> str:
    """Return one question in words."""
    match question:
        case Score():
            levels = "\n".join(
                f"{number}: {description or 'between the described levels around it'}"
                for number, description in reversed(list(enumerate(question.levels, start=1)))
            )
            return fill(
                "score",
                name=question.name,
                top=str(len(question.levels)),
                instructions=question.instructions,
                levels=levels,
            )
        case Predicate():
            yes, no = question.labels
            return fill("predicate", name=question.name, yes=yes, no=no, instructions=question.instructions)
        case Choice():
            choices = ", ".join(f'"{choice}"' for choice in question.choices)
            return fill("choice", name=question.name, choices=choices, instructions=question.instructions)


def render_evidence(evidence: Evidence) -> str:
    """Return the fields between marks that carry the digest of all of them.

    No field can hold its own closing mark, since the mark depends on every letter of the field; and equal
    evidence gives equal requests, so that a cache can answer them.
    """
    mark = digest(json.dumps(list(evidence.fields.items())))[:16]
    return "\n\n".join(
        f"<field-{mark} name={_quoted(name)}>\n{content}\n</field-{mark}>"
        for name, content in evidence.fields.items()
    )


@lru_cache(maxsize=256)
def _quoted(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)


@lru_cache(maxsize=256)
def reply_schema(questions: tuple[Question, ...]) -> Mapping[str, Any]:
    """Return the strict JSON schema of the reply: evidence, reasoning, answer for each question, in order.

    A reply in a dictated form has reasoning and answer alone, the same way round.
    """
    if question := dictated(questions):
        return _object({"reasoning": {"type": "string"}, question.answer_key: _value_schema(question)})
    return _object({question.name: _answer_schema(question) for question in questions})


@lru_cache(maxsize=256)
def offered(question: Question) -> tuple[int | str, ...]:
    """Return the values that may be answered."""
    match question:
        case Score():
            return tuple(range(1, len(question.levels) + 1))
        case Predicate():
            return question.labels
        case Choice():
            return question.choices


def _answer_schema(question: Question) -> dict[str, Any]:
    return _object(
        {
            "evidence": {"type": "array", "items": {"type": "string"}},
            "reasoning": {"type": "string"},
            "answer": _value_schema(question),
        }
    )


def _value_schema(question: Question) -> dict[str, Any]:
    kind = "integer" if isinstance(question, Score) else "string"
    return {"type": kind, "enum": list(offered(question))}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _example(questions: tuple[Question, ...]) -> dict[str, Any]:
    """A shape without any value that could be taken for a recommendation."""
    if question := dictated(questions):
        return {"reasoning": "...", question.answer_key: _all_offered(question)}
    return {
        question.name: {"evidence": ["..."], "reasoning": "...", "answer": _all_offered(question)}
        for question in questions
    }


def _all_offered(question: Question) -> str:
    return f"<{'|'.join(str(value) for value in offered(question))}>"
