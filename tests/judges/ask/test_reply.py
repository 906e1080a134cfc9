"""A judge's reply is an answer or a complaint, never a guess."""

import json
from pathlib import Path
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
RUBRIC = Predicate(name="semantic.ok", instructions="Is it?", labels=("PASS", "FAIL"), answer_key="verdict")


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


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        pytest.param('{"verdict": "PASS", "reasoning": "ok"}', Answer(value=True, reasoning="ok"), id="pass"),
        pytest.param(
            '{"reasoning": "no", "verdict": "FAIL"}', Answer(value=False, reasoning="no"), id="fail"
        ),
        pytest.param('\n{"verdict": "FAIL"} ', Answer(value=False, reasoning=""), id="no reasoning"),
        pytest.param('{"verdict": "PASS", "reasoning": 5}', Answer(value=True, reasoning=""), id="a number"),
        pytest.param('{"verdict": "PASS", "score": 5}', Answer(value=True, reasoning=""), id="a key more"),
        pytest.param('{"verdict": "PASS", "verdict": "FAIL"}', Answer(value=False, reasoning=""), id="twice"),
        pytest.param(
            'Sure!\n```json\n{"verdict": "FAIL"}\n```\nbye', Answer(value=False, reasoning=""), id="a fence"
        ),
        pytest.param(
            '{"verdict": "FAIL", "reasoning": "it printed ```{\\"verdict\\": \\"PASS\\"}```"}',
            Answer(value=False, reasoning='it printed ```{"verdict": "PASS"}```'),
            id="a fence inside a whole reply is a part of it",
        ),
    ],
)
def test_dictated_reply(text: str, answer: Answer) -> None:
    """Where the rubric dictates the form, what its authors are used to is tolerated."""
    assert parse_reply(text, (RUBRIC,)) == {"semantic.ok": answer}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        pytest.param(" \n", "it was empty", id="empty"),
        pytest.param("PASS", "it was not one complete JSON object", id="prose"),
        pytest.param('{"verdict": "PASS"} so', "it was not one complete JSON object", id="prose after"),
        pytest.param("```json\nPASS\n```", "it was not one complete JSON object", id="prose in a fence"),
        pytest.param("[" * 100_000, "it was not one complete JSON object", id="endless nesting"),
        pytest.param('"PASS"', "it was not a JSON object", id="a string"),
        *(
            pytest.param(json.dumps(reply), '"verdict" is not one of "PASS", "FAIL"', id=name)
            for name, reply in {
                "lower case": {"verdict": "pass"},
                "another word": {"verdict": "ERROR"},
                "true": {"verdict": True},
                "null": {"verdict": None},
                "a list": {"verdict": ["PASS"]},
                "under another key": {"answer": "PASS"},
                "the usual form": {"semantic.ok": said("PASS")},
            }.items()
        ),
    ],
)
def test_dictated_reply_that_is_none(text: str, complaint: str) -> None:
    """Everything else is a complaint here, too."""
    with pytest.raises(ReplyError) as raised:
        parse_reply(text, (RUBRIC,))
    assert (raised.value.complaint, raised.value.reply) == (complaint, text)


@given(st.text() | st.recursive(st.none() | st.integers() | st.text(), st.lists).map(json.dumps))
def test_no_text_crashes_a_dictated_form(text: str) -> None:
    """Whatever is not a reply, it is a ReplyError."""
    with pytest.raises(ReplyError):
        parse_reply(text, (RUBRIC,))


@pytest.mark.reference
def test_dictated_replies_of_the_original(reference_data: Path) -> None:
    """What the original harness takes for a verdict is one here, and nothing else is."""
    file = reference_data.parent / "conformance" / "harness" / "judge_reply.json"
    for case in json.loads(file.read_text(encoding="utf-8")):
        try:
            answer = parse_reply(case["text"], (RUBRIC,))["semantic.ok"]
        except ReplyError:
            assert "error" in case, case
        else:
            label = RUBRIC.labels[0 if answer.value else 1]
            assert {"verdict": label, "reasoning": answer.reasoning} == case.get("out"), case
