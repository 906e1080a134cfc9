"""A judge's reply is an answer or a complaint, never a guess."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.ask.reply import parse_reply
from judges.core.errors import ReplyError
from judges.core.question import Answer, Choice, Predicate, Score

SCORE = Score(name="criteria.tone", instructions="Is it kind?", levels=("rude", "", "kind"))
CHECK = Predicate(name="checks.made_up", instructions="Is it made up?")
CHOICE = Choice(name="overall", instructions="Which is better?", choices=("A", "B", "tie"))
ALL = (SCORE, CHECK, CHOICE)


def said(answer: Any, **changes: Any) -> dict[str, Any]:
    return {"evidence": ["hello"], "reasoning": " It greets. ", "answer": answer, **changes}


GOOD = {"criteria.tone": said(3), "checks.made_up": said("NO"), "overall": said("tie")}


@pytest.mark.parametrize(
    "wrap",
    [
        pytest.param("{}", id="bare"),
        pytest.param("```json\n{}\n```", id="one fence"),
        pytest.param("```\n{}\n```\n", id="a fence without a language"),
        pytest.param("\n  {}  \n", id="white space around"),
        pytest.param("```JSON\r\n{}\r\n```", id="a fence with CRLF"),
    ],
)
def test_good_reply(wrap: str) -> None:
    """A reply of the right form gives typed answers, with or without one fence."""
    answers = parse_reply(wrap.replace("{}", json.dumps(GOOD)), ALL)
    assert answers == {
        "criteria.tone": Answer(value=3, reasoning="It greets.", quotes=("hello",)),
        "checks.made_up": Answer(value=False, reasoning="It greets.", quotes=("hello",)),
        "overall": Answer(value="tie", reasoning="It greets.", quotes=("hello",)),
    }


def tone(value: Any) -> str:
    return json.dumps({"criteria.tone": value})


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        pytest.param("", "it was empty", id="empty"),
        pytest.param(" \n", "it was empty", id="white space"),
        pytest.param("I like it.", "it was not one complete JSON object", id="prose"),
        pytest.param("Sure!\n" + tone(said(3)), "it was not one complete JSON object", id="prose before"),
        pytest.param(tone(said(3)) + "\nDone.", "it was not one complete JSON object", id="prose after"),
        pytest.param(tone(said(3)) * 2, "it was not one complete JSON object", id="two objects"),
        pytest.param(tone(said(3))[:-9], "it was not one complete JSON object", id="cut"),
        pytest.param("[" * 100_000, "it was not one complete JSON object", id="endless nesting"),
        pytest.param("[3]", "it was not a JSON object", id="a list"),
        pytest.param("3", "it was not a JSON object", id="a number"),
        pytest.param(
            '{"criteria.tone": 1, "criteria.tone": 3}', "it was not one complete JSON object", id="key twice"
        ),
        pytest.param("{}", 'it has no answer to "criteria.tone"', id="no answer"),
        pytest.param(
            json.dumps({"criteria.tone": said(3), "criteria.extra": said(3)}),
            "it has keys besides the 1 questions",
            id="an answer too many",
        ),
        pytest.param(
            tone(3),
            '"criteria.tone" is not an object with the keys evidence, reasoning and answer',
            id="only the level",
        ),
        pytest.param(
            tone(said(3, total=90)),
            '"criteria.tone" is not an object with the keys evidence, reasoning and answer',
            id="a total of its own",
        ),
        pytest.param(
            tone(said(3, evidence="hello")),
            '"evidence" of "criteria.tone" is not a list of strings',
            id="evidence is no list",
        ),
        pytest.param(
            tone(said(3, reasoning=None)), '"reasoning" of "criteria.tone" is not a string', id="no reasoning"
        ),
        *(
            pytest.param(tone(said(answer)), '"answer" of "criteria.tone" is not one of 1, 2, 3', id=name)
            for name, answer in {
                "level 0": 0,
                "a level too high": 4,
                "a level as text": "3",
                "a level with a fraction": 2.5,
                "a whole number as float": 3.0,
                "true is not level 1": True,
                "null": None,
                "a list": [3],
            }.items()
        ),
        pytest.param(
            '{"criteria.tone": {"evidence": [], "reasoning": "", "answer": NaN}}',
            "it was not one complete JSON object",
            id="NaN",
        ),
    ],
)
def test_bad_reply(text: str, complaint: str) -> None:
    """Every other text is a complaint that says what was wrong and never quotes the reply."""
    with pytest.raises(ReplyError) as raised:
        parse_reply(text, (SCORE,))
    assert (raised.value.complaint, raised.value.reply) == (complaint, text)


@pytest.mark.parametrize("answer", ["yes", "Yes", "YES.", True, "MAYBE", ""])
def test_only_offered_labels(answer: Any) -> None:
    """A label that was not offered is no answer, however close it is."""
    with pytest.raises(ReplyError, match='is not one of "YES", "NO"'):
        parse_reply(json.dumps({"checks.made_up": said(answer)}), (CHECK,))


@given(st.text() | st.recursive(st.none() | st.integers() | st.text(), st.lists).map(json.dumps))
def test_no_text_crashes(text: str) -> None:
    """Whatever a judge says, it is answers or a ReplyError."""
    try:
        assert parse_reply(text, (SCORE,))["criteria.tone"].value in (1, 2, 3)
    except ReplyError as error:
        assert error.complaint
