"""What is left out of a request, and how that is learnt."""

from dataclasses import replace
from typing import Any

import pytest

from judges.core.errors import ProviderError
from judges.providers import Completion, Message, Request, ScriptedProvider
from judges.providers.negotiate import Negotiate, capabilities, known_refusals

REQUEST = Request(
    model="m", messages=(Message("user", "x"),), temperature=0.0, schema={"type": "object"}, max_tokens=100
)


def refusal(parameter: str | None) -> ProviderError:
    return ProviderError(f"no {parameter}", status=400, parameter=parameter)


def test_nothing_to_leave_out() -> None:
    """A model that takes everything gets everything, and nothing is reported."""
    endpoint = ScriptedProvider(["hi"])
    completion = Negotiate(endpoint, lambda model: ()).complete(REQUEST)
    assert completion == Completion(text="hi")
    assert endpoint.requests == [REQUEST]


def test_known_refusals_cost_no_request() -> None:
    """What the table knows is left out at once and reported as not sent."""
    endpoint = ScriptedProvider(["hi"])
    completion = Negotiate(endpoint, lambda model: {"temperature"}).complete(REQUEST)
    assert completion.effective == {"temperature": None}
    assert endpoint.requests == [replace(REQUEST, temperature=None)]


def test_not_asked_is_not_reported() -> None:
    """A parameter that was not asked for is not reported as left out."""
    endpoint = ScriptedProvider(["hi"])
    request = replace(REQUEST, temperature=None)
    assert Negotiate(endpoint, lambda model: {"temperature"}).complete(request).effective == {}


@pytest.mark.parametrize(
    ("parameter", "field"),
    [
        ("temperature", "temperature"),
        ("response_format", "schema"),
        ("response_format.json_schema", "schema"),
        ("output_config.format", "schema"),
        ("max_completion_tokens", "max_tokens"),
        ("max_tokens", "max_tokens"),
    ],
)
def test_a_refused_parameter_is_left_out_from_then_on(parameter: str, field: str) -> None:
    """A 400 that names a parameter costs one request for the whole run."""
    endpoint = ScriptedProvider([refusal(parameter), "one", "two"])
    layer = Negotiate(endpoint, lambda model: ())
    assert layer.complete(REQUEST) == Completion(text="one", effective={field: None})
    assert layer.complete(REQUEST) == Completion(text="two", effective={field: None})
    left_out: dict[str, Any] = {field: None}
    without = replace(REQUEST, **left_out)
    assert endpoint.requests == [REQUEST, without, without]


def test_several_refused_parameters() -> None:
    """Parameters that are refused one after the other are all left out."""
    endpoint = ScriptedProvider([refusal("temperature"), refusal("response_format"), "hi"])
    completion = Negotiate(endpoint, lambda model: ()).complete(REQUEST)
    assert completion.effective == {"temperature": None, "schema": None}
    assert endpoint.requests[-1] == replace(REQUEST, temperature=None, schema=None)


def test_models_are_remembered_apart() -> None:
    """What one model refuses is still sent to another."""
    endpoint = ScriptedProvider([refusal("temperature"), "one", "two"])
    layer = Negotiate(endpoint, lambda model: ())
    layer.complete(REQUEST)
    other = replace(REQUEST, model="other")
    assert layer.complete(other).effective == {}
    assert endpoint.requests[-1] == other


@pytest.mark.parametrize("parameter", ["messages", "model", None])
def test_what_cannot_be_left_out_is_an_error(parameter: str | None) -> None:
    """A 400 about something else is not retried."""
    endpoint = ScriptedProvider([refusal(parameter)])
    with pytest.raises(ProviderError, match=f"no {parameter}"):
        Negotiate(endpoint, lambda model: ()).complete(REQUEST)
    assert len(endpoint.requests) == 1


def test_a_refusal_of_what_was_not_sent_is_an_error() -> None:
    """An endpoint that goes on refusing a parameter after it was left out is not asked for ever."""
    endpoint = ScriptedProvider([refusal("temperature"), refusal("temperature")])
    with pytest.raises(ProviderError, match="no temperature"):
        Negotiate(endpoint, lambda model: ()).complete(REQUEST)
    assert len(endpoint.requests) == 2


@pytest.mark.parametrize(
    ("provider", "model", "fields"),
    [
        ("openai", "gpt-4o", set()),
        ("openai", "gpt-4.1-mini", set()),
        ("openai", "gpt-5", {"temperature"}),
        ("openai", "gpt-5-mini", {"temperature"}),
        ("openai", "gpt-5.1", set()),
        ("openai", "gpt-5.4", set()),
        ("openai", "gpt-5.5", {"temperature"}),
        ("openai", "gpt-6-luna", {"temperature"}),
        ("openai", "o3-mini", {"temperature"}),
        ("openai", "claude-sonnet-5", set()),
        ("anthropic", "claude-haiku-4-5", set()),
        ("anthropic", "claude-opus-4-20250514", set()),
        ("anthropic", "claude-opus-4-6", set()),
        ("anthropic", "claude-opus-4-7", {"temperature"}),
        ("anthropic", "claude-sonnet-4-6", set()),
        ("anthropic", "claude-sonnet-5", {"temperature"}),
        ("anthropic", "claude-haiku-5-5", {"temperature"}),
        ("anthropic", "claude-fable-1", {"temperature"}),
    ],
)
def test_table(provider: str, model: str, fields: set[str]) -> None:
    """The dated table knows which model families refuse a temperature."""
    assert known_refusals(provider, model) == fields


def test_the_table_is_dated() -> None:
    """The table says when it was right."""
    assert capabilities()["dated"] == "2026-11-30"
