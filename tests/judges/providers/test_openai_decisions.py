"""The OpenAI decisions adapter: the real client in front of a loopback server."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from loopback import Loopback, Reply, openai_decision

from judges.core.errors import ProviderError
from judges.core.question import Answer, Choice, Evidence, Predicate, Score, Unanswered
from judges.core.usage import Usage
from judges.providers import Completion, Request
from judges.providers.endpoint import Endpoint
from judges.providers.openai_decisions import OpenAIDecisions
from judges.providers.prices import PriceList

TONE = Score(name="criteria.tone", instructions="How kind?", levels=("rude", "", "kind"))
TRUE = Predicate(name="checks.true", instructions="Is it true?")
BEST = Choice(name="overall", instructions="Which is better?", choices=("A", "B", "tie"))


def score(*probabilities: float, **more: Any) -> dict[str, Any]:
    rows = [
        {"label": str(index + 1), "value": index, "probability": probability}
        for index, probability in enumerate(probabilities)
    ]
    expected = sum(index * probability for index, probability in enumerate(probabilities))
    return {"type": "score", "score": expected, "confidence": 0.7, "probabilities": rows, **more}


def choice(chosen: str, **more: Any) -> dict[str, Any]:
    rows = [{"value": value, "probability": 0.5 if value == chosen else 0.25} for value in ("A", "B", "tie")]
    return {"type": "choice", "choice": chosen, "confidence": 0.5, "probabilities": rows, **more}


def decide(url: str, *questions: Score | Predicate | Choice, context: str = "") -> Completion:
    endpoint = Endpoint(provider="openai-decisions", base_url=url, key="k-1", key_variable="OPENAI_API_KEY")
    prices = PriceList(provider="openai", base_url=url, free_output=True)
    request = Request(
        model="gpt-6-luna",
        messages=(),
        questions=questions,
        evidence=Evidence({"input.text": "Hi", "output": 'Hello "you"'}),
        context=context,
        temperature=0.0,
    )
    return OpenAIDecisions(endpoint, prices).complete(request)


def test_request(loopback: Loopback) -> None:
    """Questions go as the API's own types, levels lowest first, and the evidence as JSON."""
    server = loopback(openai_decision([score(0, 0, 1), {"type": "predicate", "probability": 1}, choice("A")]))
    decide(server.url, TONE, TRUE, BEST)
    assert server.requests[0].path == "/decisions"
    assert server.requests[0].json == {
        "model": "gpt-6-luna",
        "input": [
            {
                "role": "user",
                "content": [
                    {"type": "input_json", "data": {"input.text": "Hi", "output": 'Hello "you"'}},
                ],
            }
        ],
        "questions": [
            {
                "type": "score",
                "name": "criteria.tone",
                "instructions": "How kind?",
                "levels": [
                    {"label": "1", "description": "rude"},
                    {"label": "2"},
                    {"label": "3", "description": "kind"},
                ],
            },
            {"type": "predicate", "name": "checks.true", "instructions": "Is it true?"},
            {
                "type": "choice",
                "name": "overall",
                "instructions": "Which is better?",
                "choices": [{"value": "A"}, {"value": "B"}, {"value": "tie"}],
            },
        ],
    }


def test_the_authors_own_wording(loopback: Loopback) -> None:
    """The author's context for the judge stands before the evidence, apart from it."""
    server = loopback(openai_decision([score(0, 0, 1)]))
    decide(server.url, TONE, context="Orders are numbers.")
    assert server.requests[0].json["input"][0] == {"role": "developer", "content": "Orders are numbers."}
    assert [message["role"] for message in server.requests[0].json["input"]] == ["developer", "user"]


def test_completion(loopback: Loopback) -> None:
    """Answers come with probabilities and confidence; only input tokens cost."""
    answers = [score(0.1, 0.3, 0.6), {"type": "predicate", "probability": 0.25}, choice("tie")]
    completion = decide(loopback(openai_decision(answers, tokens=1000)).url, TONE, TRUE, BEST)
    assert replace(completion, latency_ms=None) == Completion(
        answers={
            "criteria.tone": Answer(value=3, confidence=0.7, probabilities={"1": 0.1, "2": 0.3, "3": 0.6}),
            "checks.true": Answer(value=False, confidence=0.75, probabilities={"YES": 0.25, "NO": 0.75}),
            "overall": Answer(value="tie", confidence=0.5, probabilities={"A": 0.25, "B": 0.25, "tie": 0.5}),
        },
        usage=Usage(calls=1, input_tokens=1000, output_tokens=0, cost_usd=Decimal("0.0001")),
    )


@pytest.mark.parametrize(("probability", "holds"), [(0.5, True), (0.49999, False), (0, False), (1, True)])
def test_predicate_holds_from_one_half(loopback: Loopback, probability: float, holds: bool) -> None:
    """A predicate holds at a probability of one half or more."""
    server = loopback(openai_decision([{"type": "predicate", "probability": probability}]))
    answer = (decide(server.url, TRUE).answers or {})["checks.true"]
    assert isinstance(answer, Answer)
    assert answer.value is holds


@pytest.mark.parametrize(
    ("probabilities", "level"),
    [
        pytest.param((0.1, 0.2, 0.7), 3, id="the most probable level, not the expected one"),
        pytest.param((0.4, 0.2, 0.4), 1, id="of equal ones the lowest"),
        pytest.param((0.0, 1.0, 0.0), 2, id="certain"),
    ],
)
def test_level(loopback: Loopback, probabilities: tuple[float, ...], level: int) -> None:
    """The most probable level is chosen, counted from 1."""
    answer = (decide(loopback(openai_decision([score(*probabilities)])).url, TONE).answers or {})[
        "criteria.tone"
    ]
    assert isinstance(answer, Answer)
    assert answer.value == level


def test_refusal_of_one_question(loopback: Loopback) -> None:
    """A refused question is unanswered, the others are answered."""
    server = loopback(openai_decision([{"type": "refusal", "name": "criteria.tone"}, choice("A")]))
    answers = decide(server.url, TONE, BEST).answers or {}
    assert answers["criteria.tone"] == Unanswered("the judge declined to answer this question")
    assert isinstance(answers["overall"], Answer)


@pytest.mark.parametrize(
    ("answers", "why"),
    [
        pytest.param([], "0 answers to 1 questions", id="too few"),
        pytest.param([score(0, 0, 1)] * 2, "2 answers to 1 questions", id="too many"),
        pytest.param([choice("A")], "no usable answer to 'criteria.tone'", id="another type"),
        pytest.param(["x"], "no usable answer to 'criteria.tone'", id="no object"),
        pytest.param(
            [score(0, 0, 1, name="criteria.other")],
            "an answer to 'criteria.other' in the place of 'criteria.tone'",
            id="another question",
        ),
        pytest.param(
            [score(0, 0, 0, 1)], "'4' is not one of the answers offered for 'criteria.tone'", id="level 4"
        ),
        pytest.param(
            [score(1, probabilities=[{"label": "1", "probability": 1}] * 2)],
            "'1' is not one of the answers offered for 'criteria.tone'",
            id="a level twice",
        ),
        pytest.param([score()], "no probabilities for 'criteria.tone'", id="no level"),
        pytest.param([score(0, 0, 1.2)], "1.2 is no probability, for 'criteria.tone'", id="over 1"),
        pytest.param([score(0, 0, -0.1)], "-0.1 is no probability, for 'criteria.tone'", id="below 0"),
        pytest.param(
            [score(0, 0, 1, confidence=None)], "None is no probability, for 'criteria.tone'", id="confidence"
        ),
    ],
)
def test_answers_that_do_not_fit(loopback: Loopback, answers: list[Any], why: str) -> None:
    """Answers to other questions, or outside of what was offered, are a failure, never an answer."""
    server = loopback(openai_decision(answers))
    with pytest.raises(ProviderError) as caught:
        decide(server.url, TONE)
    assert str(caught.value) == (
        f"openai-decisions:gpt-6-luna at {server.url}: the answers do not fit the questions ({why})."
    )
    assert not caught.value.retryable


def test_choice_that_was_not_offered(loopback: Loopback) -> None:
    """A choice that was not offered is a failure."""
    server = loopback(openai_decision([choice("C")]))
    with pytest.raises(ProviderError, match="no usable answer to 'overall'"):
        decide(server.url, BEST)


def test_answer_in_another_form(loopback: Loopback) -> None:
    """An answer without answers is not of this API."""
    server = loopback(Reply(body={"choices": []}))
    with pytest.raises(ProviderError, match=r"the answer is not in this API's form \({'choices': \[\]}\)"):
        decide(server.url, TONE)
