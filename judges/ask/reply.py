"""From a judge's text to answers. Strict: what is not exactly a reply is a complaint, never a verdict.

Only where a rubric dictates the form of its reply is more tolerated, as authors of such rubrics know it.
"""

import json
import re
from collections.abc import Mapping
from typing import Any, NoReturn

from judges.ask.render import dictated, offered
from judges.core.errors import ReplyError
from judges.core.question import Answer, Predicate, Question

_FENCE = re.compile(r"\A```(?:json)?[ \t]*\r?\n(.*?)\r?\n?```\Z", re.DOTALL | re.IGNORECASE)
_FENCE_ANYWHERE = re.compile(r"```(?:json)?(.*?)```", re.DOTALL)
_KEYS = {"evidence", "reasoning", "answer"}


def parse_reply(text: str, questions: tuple[Question, ...]) -> dict[str, Answer]:
    """Return the answer to each question by its name.

    One code fence around the reply is tolerated, prose is not; with a dictated form prose around a fence is.

    Raises:
        ReplyError: the text is not JSON of the required form, or an answer is not one of those offered.
    """
    if question := dictated(questions):
        return {question.name: _parse_dictated(question, text)}
    reply = _parse_object(text)
    expected = {question.name for question in questions}
    missing = [question.name for question in questions if question.name not in reply]
    if missing:
        _complain(f"it has no answer to {_quoted(missing)}", text)
    if len(reply) > len(expected):
        _complain(f"it has keys besides the {len(expected)} questions", text)
    return {question.name: _parse_answer(question, reply[question.name], text) for question in questions}


def _parse_object(text: str) -> Mapping[str, Any]:
    body = text.strip()
    if not body:
        _complain("it was empty", text)
    if fenced := _FENCE.match(body):
        body = fenced[1]
    try:
        reply = _decode(body)
    except (ValueError, RecursionError):
        _complain("it was not one complete JSON object", text)
    if not isinstance(reply, dict):
        _complain("it was not a JSON object", text)
    return reply


def _parse_dictated(question: Predicate, text: str) -> Answer:
    """The label must be exact; further keys, a key given twice, and reasoning that is no text do no harm."""
    reply = _parse_tolerantly(text)
    if not isinstance(reply, dict):
        _complain("it was not a JSON object", text)
    label, reasoning = reply.get(question.answer_key), reply.get("reasoning")
    if label not in question.labels:
        _complain(f'"{question.answer_key}" is not one of {_choices(question)}', text)
    return Answer(
        value=label == question.labels[0], reasoning=reasoning if isinstance(reasoning, str) else ""
    )


def _parse_tolerantly(text: str) -> Any:
    """Return the JSON value that the text is, or that stands in its first code fence."""
    if not text.strip():
        _complain("it was empty", text)
    fenced = _FENCE_ANYWHERE.search(text)
    for body in (text, *([fenced[1]] if fenced else [])):
        try:
            return json.loads(body.strip(), parse_constant=_no_constant)
        except (ValueError, RecursionError):
            continue
    raise ReplyError("it was not one complete JSON object", reply=text)


def _parse_answer(question: Question, value: Any, text: str) -> Answer:
    if not isinstance(value, dict) or value.keys() != _KEYS:
        _complain(f'"{question.name}" is not an object with the keys evidence, reasoning and answer', text)
    quotes, reasoning, answer = value["evidence"], value["reasoning"], value["answer"]
    if not isinstance(quotes, list) or not all(isinstance(quote, str) for quote in quotes):
        _complain(f'"evidence" of "{question.name}" is not a list of strings', text)
    if not isinstance(reasoning, str):
        _complain(f'"reasoning" of "{question.name}" is not a string', text)
    values = offered(question)
    # `True == 1` and `4.0 == 4` in Python: the type must be right too.
    if type(answer) is not type(values[0]) or answer not in values:
        _complain(f'"answer" of "{question.name}" is not one of {_choices(question)}', text)
    chosen = answer == question.labels[0] if isinstance(question, Predicate) else answer
    return Answer(value=chosen, reasoning=reasoning.strip(), quotes=tuple(quotes))


def _choices(question: Question) -> str:
    return ", ".join(json.dumps(choice, ensure_ascii=False) for choice in offered(question))


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError("a key stands twice")
    return value


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


_decode = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant).decode


def _quoted(names: list[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


def _complain(complaint: str, text: str) -> NoReturn:
    raise ReplyError(complaint, reply=text)
