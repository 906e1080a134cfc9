"""From a judge's text to answers. Strict: what is not exactly a reply is a complaint, never a verdict."""

import json
import re
from collections.abc import Mapping
from typing import Any, NoReturn

from judges.ask.render import offered
from judges.core.errors import ReplyError
from judges.core.question import Answer, Predicate, Question

_FENCE = re.compile(r"\A```(?:json)?[ \t]*\r?\n(.*?)\r?\n?```\Z", re.DOTALL | re.IGNORECASE)
_KEYS = {"evidence", "reasoning", "answer"}


def parse_reply(text: str, questions: tuple[Question, ...]) -> dict[str, Answer]:
    """Return the answer to each question by its name.

    One code fence around the reply is tolerated, prose is not.

    Raises:
        ReplyError: the text is not JSON of the required form, or an answer is not one of those offered.
    """
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
        reply = json.loads(body, object_pairs_hook=_unique, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        _complain("it was not one complete JSON object", text)
    if not isinstance(reply, dict):
        _complain("it was not a JSON object", text)
    return reply


def _parse_answer(question: Question, value: Any, text: str) -> Answer:
    if not isinstance(value, dict) or set(value) != _KEYS:
        _complain(f'"{question.name}" is not an object with the keys evidence, reasoning and answer', text)
    quotes, reasoning, answer = value["evidence"], value["reasoning"], value["answer"]
    if not isinstance(quotes, list) or not all(isinstance(quote, str) for quote in quotes):
        _complain(f'"evidence" of "{question.name}" is not a list of strings', text)
    if not isinstance(reasoning, str):
        _complain(f'"reasoning" of "{question.name}" is not a string', text)
    values = offered(question)
    # `True == 1` and `4.0 == 4` in Python: the type must be right too.
    if type(answer) is not type(values[0]) or answer not in values:
        choices = ", ".join(json.dumps(choice, ensure_ascii=False) for choice in values)
        _complain(f'"answer" of "{question.name}" is not one of {choices}', text)
    chosen = answer == question.labels[0] if isinstance(question, Predicate) else answer
    return Answer(value=chosen, reasoning=reasoning.strip(), quotes=tuple(quotes))


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({key for key, _ in pairs}) < len(pairs):
        raise ValueError("a key stands twice")
    return dict(pairs)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _quoted(names: list[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


def _complain(complaint: str, text: str) -> NoReturn:
    raise ReplyError(complaint, reply=text)
