"""How probable each answer was to the model, read from the log-probabilities of the tokens it wrote. Pure.

The log-probabilities are those before the JSON schema ruled tokens out, so what the offered answers sum to
tells whether the model meant any of them. Where a reply cannot be read so, there are no probabilities.
"""

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from judges.core.question import Choice, Predicate, Question, Score

SMALLEST_SHARE = 0.5
"""How probable the offered answers must be together; below, the model meant something else."""

_STRING = re.compile(rb'"((?:[^"\\]|\\.)*)"(\s*:)?', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Token:
    """One token of a reply: its bytes, where they start, and the most probable ones in its place (0..1)."""

    text: bytes
    start: int
    alternatives: Mapping[bytes, float]


def read_probabilities(reply: Any, questions: tuple[Question, ...]) -> dict[str, dict[str, float]]:
    """Return the probabilities (label -> 0..1, sum 1) of the answers to each question where they can be read.

    `reply` is the API's reply to a request with `logprobs`. Labels are the levels of a Score, the labels of a
    Predicate and the choices of a Choice; one that is not among the most probable tokens is left out.
    """
    tokens = _read_tokens(reply)
    text = b"".join(token.text for token in tokens)
    starts = [match.end() for match in _STRING.finditer(text) if match[1] == b"answer" and match[2]]
    if len(starts) != len(questions):
        return {}
    read = {
        question.name: _read_answer(tokens, text, start, _labels(question))
        for question, start in zip(questions, starts, strict=True)
    }
    return {name: probabilities for name, probabilities in read.items() if probabilities}


def _read_tokens(reply: Any) -> list[Token]:
    match reply:
        case {"choices": [{"logprobs": {"content": [*entries]}}, *_]}:
            pass
        case _:
            return []
    tokens: list[Token] = []
    start = 0
    for entry in entries:
        ranked = dict(_read_ranked(entry))
        if not ranked:
            return []
        written = bytes(entry["bytes"])
        tokens.append(Token(written, start, ranked))
        start += len(written)
    return tokens


def _read_ranked(entry: Any) -> Iterator[tuple[bytes, float]]:
    """Yield the token that was written, first, and those that were the most probable, each with its share."""
    match entry:
        case {"bytes": [*written], "logprob": float() | int() as logprob, **others}:
            yield bytes(written), math.exp(logprob)
            match others:
                case {"top_logprobs": [*ranked]}:
                    yield from chain.from_iterable(map(_read_ranked, ranked))


def _labels(question: Question) -> dict[str, bytes]:
    """Return how each label is written in the reply."""
    match question:
        case Score():
            return {str(level): str(level).encode() for level in range(1, len(question.levels) + 1)}
        case Predicate():
            labels: Sequence[str] = question.labels
        case Choice():
            labels = question.choices
    return {label: json.dumps(label, ensure_ascii=False).encode() for label in labels}


def _read_answer(
    tokens: Sequence[Token], text: bytes, start: int, labels: Mapping[str, bytes]
) -> dict[str, float]:
    """Read the first token that decides between the labels; nothing before it may rule one of them out."""
    for token in tokens:
        if token.start + len(token.text) <= start:
            continue
        written = _possible(token.text, token.start, text, start, labels)
        if len(written) == len(labels):
            continue
        return _share(token, text, start, labels) if len(written) == 1 else {}
    return {}


def _share(token: Token, text: bytes, start: int, labels: Mapping[str, bytes]) -> dict[str, float]:
    shares: dict[str, float] = {}
    undecided = 0.0
    for alternative, probability in token.alternatives.items():
        possible = _possible(alternative, token.start, text, start, labels)
        if len(possible) == 1:
            shares[possible[0]] = shares.get(possible[0], 0.0) + probability
        elif len(possible) == len(labels):
            undecided += probability
        elif possible:
            return {}
    total = sum(shares.values())
    if total < SMALLEST_SHARE * (1 - undecided):
        return {}
    return {label: shares[label] / total for label in labels if label in shares}


def _possible(token: bytes, at: int, text: bytes, start: int, labels: Mapping[str, bytes]) -> list[str]:
    """Return the labels that the value can still be when this token stands at `at`; it starts at `start`."""
    before = min(at, start)
    written = text[before:at] + token
    if not written.startswith(text[before:start]):
        return []
    value = written[start - before :].lstrip()
    return [label for label, form in labels.items() if form.startswith(value) or _is_whole(value, form)]


def _is_whole(value: bytes, form: bytes) -> bool:
    """Whether the value begins with the whole label, and not with a longer number."""
    return value.startswith(form) and not value[len(form) : len(form) + 1].isdigit()
