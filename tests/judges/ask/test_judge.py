"""The judge asks once, asks again for a reply it cannot use, and never makes up an answer."""

import json
from typing import Any

import pytest

from judges.ask.judge import Judge, usable
from judges.ask.wording import version
from judges.core.errors import ProviderError
from judges.core.question import Answer, Evidence, Score, Subject, Unanswered
from judges.core.usage import Usage
from judges.providers import Completion, ScriptedProvider, Stop

TONE = Score(name="criteria.tone", instructions="Is it kind?", levels=("rude", "so-so", "kind"))
EVIDENCE = Evidence({"output": "Hello"})
GOOD = {"criteria.tone": {"evidence": ["Hello"], "reasoning": "It greets.", "answer": 3}}
KIND = Answer(value=3, reasoning="It greets.", quotes=("Hello",))


def judge(*replies: Any, **settings: Any) -> tuple[Judge, ScriptedProvider]:
    provider = ScriptedProvider(list(replies))
    return Judge(provider=provider, model="m", **settings), provider


def test_one_call() -> None:
    """A usable reply takes one call with all that the endpoint needs to know."""
    asked, provider = judge(GOOD, context="Be strict.")
    judgement = asked.ask((TONE,), EVIDENCE, Subject(ref="a", replica=2))
    assert judgement.answers == {"criteria.tone": KIND}
    (request,) = provider.requests
    assert (request.model, request.temperature, request.replica, request.attempt) == ("m", 0.0, 2, 1)
    assert (request.wording, request.subject.ref) == (version(), "a")
    assert judgement.calls[0].messages == request.messages
    assert judgement.calls[0].reply == json.dumps(GOOD)


def test_asked_again_with_the_complaint() -> None:
    """An unusable reply is asked for again with the complaint, and every call is counted."""
    asked, provider = judge("Well...", "{", GOOD)
    judgement = asked.ask((TONE,), EVIDENCE, Subject())
    assert judgement.answers == {"criteria.tone": KIND}
    assert [call.complaint for call in judgement.calls] == [
        "it was not one complete JSON object",
        "it was not one complete JSON object",
        None,
    ]
    assert judgement.usage == Usage(calls=3)
    assert [request.attempt for request in provider.requests] == [1, 2, 3]
    assert "it was not one complete JSON object" in provider.requests[1].messages[1].content
    assert "Well..." not in provider.requests[1].messages[1].content


@pytest.mark.parametrize(
    ("replies", "reason", "calls"),
    [
        pytest.param(
            ["", "", ""],
            "the judge's reply could not be used, asked 3 times: it was empty",
            3,
            id="never usable",
        ),
        pytest.param(
            [Completion(text=json.dumps(GOOD), stop=Stop.LENGTH)] * 3,
            "the judge's reply could not be used, asked 3 times: it was cut off at the token limit",
            3,
            id="always cut",
        ),
        pytest.param(
            [Completion(text="I'd rather not.", stop=Stop.REFUSAL)],
            "the judge refused to answer",
            1,
            id="refused: not asked again",
        ),
        pytest.param(
            [ProviderError("openai:m answered 500", status=500)],
            "openai:m answered 500",
            1,
            id="the endpoint failed: its retries are the provider's",
        ),
    ],
)
def test_no_answer(replies: list[Any], reason: str, calls: int) -> None:
    """Where there is no answer there is a reason, for every question, and no verdict."""
    asked, provider = judge(*replies)
    judgement = asked.ask((TONE,), EVIDENCE, Subject())
    assert judgement.answers == {"criteria.tone": Unanswered(reason)}
    assert len(provider.requests) == calls


def test_cut_reply_gets_more_room() -> None:
    """A reply that was cut is asked for again with twice the tokens."""
    asked, provider = judge(Completion(text="{", stop=Stop.LENGTH), GOOD, max_tokens=100)
    asked.ask((TONE,), EVIDENCE, Subject())
    assert [request.max_tokens for request in provider.requests] == [100, 200]


def test_typed_answers_are_taken_as_they_are() -> None:
    """An endpoint that decides the questions itself needs no reply to be read."""
    answers = {"criteria.tone": Unanswered("no recorded answer")}
    asked, _ = judge(Completion(answers=answers))
    assert asked.ask((TONE,), EVIDENCE, Subject()).answers == answers


@pytest.mark.parametrize(
    ("completion", "expected"),
    [
        (Completion(text=json.dumps(GOOD)), True),
        (Completion(text="{}"), False),
        (Completion(text=json.dumps(GOOD), stop=Stop.LENGTH), False),
        (Completion(answers={"criteria.tone": KIND}), True),
        (Completion(answers={"criteria.tone": Unanswered("refused")}), False),
    ],
)
def test_only_usable_replies_are_worth_keeping(completion: Completion, expected: bool) -> None:
    """What may be cached is exactly what answers every question."""
    asked, _ = judge()
    assert usable(asked.build_request((TONE,), EVIDENCE, Subject()), completion) is expected
