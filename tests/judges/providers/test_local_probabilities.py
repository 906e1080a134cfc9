"""Probabilities read from the log-probabilities of a reply's tokens."""

import json
import math
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.core.question import Choice, Predicate, Question, Score
from judges.providers.local.probabilities import read_probabilities

TONE = Score(name="criteria.tone", instructions="", levels=("", "", ""))
KIND = Predicate(name="checks.kind", instructions="")
WINNER = Choice(name="overall", instructions="", choices=("A", "B", "tie"))


def reply(*tokens: str | dict[str, float]) -> dict[str, Any]:
    """A reply of the API: a text was certain; of a table the first entry was written."""
    content = []
    for token in tokens:
        shares = {token: 1.0} if isinstance(token, str) else token
        top = [
            {"bytes": list(text.encode()), "logprob": math.log(share)}
            for text, share in sorted(shares.items(), key=lambda item: -item[1])
        ]
        written = next(iter(shares)).encode()
        content.append({**next(each for each in top if each["bytes"] == list(written)), "top_logprobs": top})
    return {"choices": [{"logprobs": {"content": content}}]}


def rounded(read: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    return {name: {label: round(p, 4) for label, p in shares.items()} for name, shares in read.items()}


LEVELS = {"2": 0.6, "3": 0.2, "1": 0.1, "0": 0.1}
HEAD = '{"criteria.tone": {"evidence": [], "reasoning": "", "answer":'


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [
        pytest.param(
            (HEAD, " ", LEVELS, "}}"), {"1": 0.1111, "2": 0.6667, "3": 0.2222}, id="a token a digit"
        ),
        pytest.param(
            (HEAD, {" 2": 0.5, " 3": 0.25, " 1": 0.25}, "}}"),
            {"1": 0.25, "2": 0.5, "3": 0.25},
            id="the space belongs to the digit",
        ),
        pytest.param(
            (HEAD[:-1], {": 2": 0.5, ": 3": 0.3, ', "x"': 0.2}, "}}"),
            {"2": 0.625, "3": 0.375},
            id="the colon belongs to the digit",
        ),
        pytest.param(
            (HEAD, {"2}}": 0.7, "3}}": 0.3}), {"2": 0.7, "3": 0.3}, id="the end belongs to the digit"
        ),
        pytest.param(
            (HEAD, {" ": 0.02, ' "': 0.98}, LEVELS, "}}"),
            {"1": 0.1111, "2": 0.6667, "3": 0.2222},
            id="what the schema ruled out before the value does not count",
        ),
        pytest.param(
            (HEAD, " ", {"2": 0.3, "\n ": 0.6, "3": 0.1}, "}}"),
            {"2": 0.75, "3": 0.25},
            id="a space that decides nothing does not count",
        ),
        pytest.param(
            ("```json\n", HEAD, " ", LEVELS, "}}\n```"),
            {"1": 0.1111, "2": 0.6667, "3": 0.2222},
            id="within a code fence",
        ),
        pytest.param(
            (HEAD.replace('""', r'"it says \"answer\": 3"'), " ", LEVELS, "}}"),
            {"1": 0.1111, "2": 0.6667, "3": 0.2222},
            id="a reason that holds the key",
        ),
        pytest.param(
            (HEAD, " ", {"2": 0.4, "yes": 0.4, "3": 0.05}, "}}"), None, id="too little on the levels"
        ),
        pytest.param((HEAD, " ", {"2": 0.6, "25": 0.4}, "}}"), {"2": 1.0}, id="a longer number is no level"),
        pytest.param(("I like it.",), None, id="no reply"),
        pytest.param(('{"criteria.tone": {"answer": 2}, "more": {"answer": 2}}',), None, id="an answer more"),
    ],
)
def test_levels(tokens: tuple[Any, ...], expected: dict[str, float] | None) -> None:
    """The levels' shares at the token that decides, made to sum to 1; or none at all."""
    read = rounded(read_probabilities(reply(*tokens), (TONE,)))
    assert read == ({} if expected is None else {"criteria.tone": expected})


@pytest.mark.parametrize(
    ("question", "tokens", "expected"),
    [
        pytest.param(
            KIND, (' "', {"YES": 0.6, "NO": 0.2, "Y": 0.1}, '"'), {"YES": 0.7778, "NO": 0.2222}, id="words"
        ),
        pytest.param(KIND, ({' "Y': 0.9, ' "N': 0.1}, 'ES"'), {"YES": 0.9, "NO": 0.1}, id="first letters"),
        pytest.param(KIND, (' "', {"Y": 0.1, "No": 0.5, "This": 0.4}, 'ES"'), None, id="another word"),
        pytest.param(
            WINNER,
            (' "', {"tie": 0.5, "A": 0.3, "B": 0.2}, '"'),
            {"A": 0.3, "B": 0.2, "tie": 0.5},
            id="choices",
        ),
    ],
)
def test_labels(question: Question, tokens: tuple[Any, ...], expected: dict[str, float] | None) -> None:
    """Labels and choices are read as levels are; tokens that begin one count for it."""
    said = reply(f'{{"{question.name}": {{"answer":', *tokens, "}}")
    assert rounded(read_probabilities(said, (question,))) == (
        {} if expected is None else {question.name: expected}
    )


def test_each_question_has_its_own() -> None:
    """Answers stand in the order of the questions; one that cannot be read does not touch the others."""
    said = reply(
        HEAD, " ", {"2": 0.1, "x": 0.9}, '}, "checks.kind": {"answer": "', {"NO": 0.8, "YES": 0.2}, '"}}'
    )
    assert rounded(read_probabilities(said, (TONE, KIND))) == {"checks.kind": {"YES": 0.2, "NO": 0.8}}


def test_a_digit_that_begins_several_levels_cannot_be_read() -> None:
    """Of ten levels a 1 may be 1 or 10: no probability is guessed."""
    ten = Score(name="criteria.tone", instructions="", levels=("",) * 10)
    assert read_probabilities(reply(HEAD, " ", {"1": 0.9, "2": 0.1}, "0}}"), (ten,)) == {}
    assert read_probabilities(reply(HEAD, " ", {"7": 0.9, "1": 0.1}, "}}"), (ten,)) == {}
    assert read_probabilities(reply(HEAD, " ", {"7": 0.9, "8": 0.1}, "}}"), (ten,)) != {}


@pytest.mark.parametrize(
    "said",
    [
        pytest.param({}, id="no choices"),
        pytest.param({"choices": [{"logprobs": None}]}, id="no log-probabilities"),
        pytest.param({"choices": [{"logprobs": {"content": [{"token": "2"}]}}]}, id="tokens without bytes"),
        pytest.param({"choices": [{"logprobs": {"content": []}}]}, id="no tokens"),
    ],
)
def test_replies_without_log_probabilities(said: dict[str, Any]) -> None:
    """What a server does not give is not there."""
    assert read_probabilities(said, (TONE,)) == {}


@given(cuts=st.sets(st.integers(1, 80)), level=st.sampled_from(["1", "2", "3"]))
def test_wherever_the_tokens_end(cuts: set[int], level: str) -> None:
    """However a certain reply falls into tokens, its level is found, with all of the probability."""
    said = {"criteria.tone": {"evidence": ["é"], "reasoning": "", "answer": int(level)}}
    text = json.dumps(said, ensure_ascii=False)
    ends = [0, *sorted(cut for cut in cuts if cut < len(text)), len(text)]
    tokens = [text[start:end] for start, end in pairwise(ends)]
    assert read_probabilities(reply(*tokens), (TONE,)) == {"criteria.tone": {level: 1.0}}
