"""The Anthropic adapter: the real client in front of a loopback server."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from loopback import Loopback, Reply, anthropic_error, anthropic_text

from judges.core.errors import ProviderError
from judges.core.usage import Usage
from judges.providers import Completion, Message, Request, Stop
from judges.providers.anthropic import AnthropicMessages
from judges.providers.endpoint import Endpoint
from judges.providers.prices import PriceList

SCHEMA = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
REQUEST = Request(
    model="claude-haiku-4-5",
    messages=(
        Message("system", "Judge."),
        Message("user", "Hello"),
        Message("assistant", "Hi"),
        Message("user", "Again"),
        Message("system", "Be strict."),
    ),
    schema=SCHEMA,
    temperature=0.0,
    max_tokens=1024,
    timeout_seconds=10.0,
)


def adapter(url: str) -> AnthropicMessages:
    endpoint = Endpoint(
        provider="anthropic", base_url=url, key="sk-ant-secret-1", key_variable="ANTHROPIC_API_KEY"
    )
    return AnthropicMessages(endpoint, PriceList(provider="anthropic", base_url=url))


def failure(url: str, request: Request = REQUEST) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        adapter(url).complete(request)
    return caught.value


def test_request(loopback: Loopback) -> None:
    """System messages stand apart; schema and temperature are sent as the API wants them."""
    server = loopback(anthropic_text("{}"))
    adapter(server.url).complete(REQUEST)
    assert server.requests[0].path == "/v1/messages"
    assert "sk-ant-secret-1" in str(server.requests[0].headers)
    assert server.requests[0].json == {
        "model": "claude-haiku-4-5",
        "max_tokens": 1024,
        "system": "Judge.\n\nBe strict.",
        "messages": [
            {"role": "user", "content": "Hello"},
            {"role": "assistant", "content": "Hi"},
            {"role": "user", "content": "Again"},
        ],
        "output_config": {"format": {"type": "json_schema", "schema": SCHEMA}},
        "temperature": 0.0,
    }


def test_parameters_left_to_the_endpoint(loopback: Loopback) -> None:
    """Only the number of tokens, which the API requires, is sent unasked."""
    server = loopback(anthropic_text("hi"))
    adapter(server.url).complete(Request(model="claude-haiku-4-5", messages=(Message("user", "x"),)))
    assert server.requests[0].json == {
        "model": "claude-haiku-4-5",
        "max_tokens": 4096,
        "messages": [{"role": "user", "content": "x"}],
    }


def test_completion(loopback: Loopback) -> None:
    """The text after the thinking is read; cached tokens count as input, at their own price."""
    server = loopback(anthropic_text('{"a": 1}', tokens=(600, 100), cached_tokens=400))
    completion = adapter(server.url).complete(REQUEST)
    assert completion.latency_ms is not None
    assert 0 < completion.latency_ms < 10_000
    assert replace(completion, latency_ms=None) == Completion(
        text='{"a": 1}',
        stop=Stop.END,
        # 600 at 1.00, 400 cached at 0.10, 100 out at 5.00 USD a million
        usage=Usage(calls=1, input_tokens=1000, output_tokens=100, cost_usd=Decimal("0.00114")),
    )


@pytest.mark.parametrize(
    ("reply", "text", "stop"),
    [
        pytest.param(anthropic_text("no", stop_reason="refusal"), "no", Stop.REFUSAL, id="refusal"),
        pytest.param(anthropic_text(None, stop_reason="refusal"), "", Stop.REFUSAL, id="silent refusal"),
        pytest.param(anthropic_text('{"a', stop_reason="max_tokens"), '{"a', Stop.LENGTH, id="cut"),
        pytest.param(
            anthropic_text("x", stop_reason="model_context_window_exceeded"), "x", Stop.LENGTH, id="too long"
        ),
        pytest.param(anthropic_text(None), "", Stop.END, id="only thinking"),
        pytest.param(anthropic_text("Well."), "Well.", Stop.END, id="prose"),
    ],
)
def test_what_models_say(loopback: Loopback, reply: Reply, text: str, stop: Stop) -> None:
    """Refusals, cut and empty replies are told apart; the text is left as it came."""
    completion = adapter(loopback(reply).url).complete(REQUEST)
    assert (completion.text, completion.stop) == (text, stop)


@pytest.mark.parametrize(
    ("reply", "detail"),
    [
        pytest.param(Reply(body=""), "it is empty", id="nothing"),
        pytest.param(Reply(body={"content": []}), "{'content': []}", id="no stop reason"),
        pytest.param(
            Reply(body="<title>Sign in</title>", headers={"Content-Type": "text/html"}),
            "an HTML page: Sign in",
            id="page of a proxy",
        ),
    ],
)
def test_answers_in_another_form(loopback: Loopback, reply: Reply, detail: str) -> None:
    """An answer that is not one of the API is a failure that may pass, never a text."""
    server = loopback(reply)
    error = failure(server.url)
    assert str(error) == (
        f"anthropic:claude-haiku-4-5 at {server.url}: the answer is not in this API's form ({detail}). "
        "Check that base_url is right and that no proxy answers in its place."
    )
    assert error.retryable


@pytest.mark.parametrize(
    ("reply", "message", "retryable", "parameter"),
    [
        pytest.param(
            anthropic_error(400, "`temperature` is deprecated for this model"),
            "the request was refused (HTTP 400: `temperature` is deprecated for this model).",
            False,
            "temperature",
            id="400",
        ),
        pytest.param(
            anthropic_error(401, "invalid x-api-key sk-ant-secret-1", kind="authentication_error"),
            "the key was refused (HTTP 401: invalid x-api-key [key]). Check ANTHROPIC_API_KEY.",
            False,
            None,
            id="401",
        ),
        pytest.param(
            anthropic_error(404, "model: claude-haiku-4-5", kind="not_found_error"),
            "not found (HTTP 404: model: claude-haiku-4-5). "
            "Check the model's name, and that base_url is right (OpenAI's API ends in /v1).",
            False,
            None,
            id="404",
        ),
        pytest.param(
            anthropic_error(529, "Overloaded", kind="overloaded_error"),
            "the server failed (HTTP 529: Overloaded). Try again later.",
            True,
            None,
            id="529",
        ),
    ],
)
def test_status(
    loopback: Loopback, reply: Reply, message: str, retryable: bool, parameter: str | None
) -> None:
    """An HTTP error says what happened and what to do; one request is made."""
    server = loopback(reply)
    error = failure(server.url)
    assert str(error) == f"anthropic:claude-haiku-4-5 at {server.url}: {message}"
    assert (error.retryable, error.parameter) == (retryable, parameter)
    assert len(server.requests) == 1


def test_rate_limit(loopback: Loopback) -> None:
    """A 429 carries the wait that the server asks for."""
    server = loopback(anthropic_error(429, "slow down", headers={"retry-after": "12"}))
    error = failure(server.url)
    assert (error.status, error.retryable, error.retry_after) == (429, True, 12.0)


def test_hang(loopback: Loopback) -> None:
    """An answer that does not come in time may be asked for again."""
    server = loopback(anthropic_text("late", delay=30))
    error = failure(server.url, replace(REQUEST, timeout_seconds=0.2))
    assert str(error) == (
        f"anthropic:claude-haiku-4-5 at {server.url}: no answer within 0.2 s. "
        "Raise timeout_seconds if the model needs longer."
    )
    assert error.retryable


@pytest.mark.parametrize("drop", ["before", "middle"])
def test_dropped_connection(loopback: Loopback, drop: Any) -> None:
    """A connection that breaks is a failure that may pass."""
    error = failure(loopback(replace(anthropic_text("hello"), drop=drop)).url)
    assert ": the connection failed (" in str(error)
    assert error.retryable


def test_no_server() -> None:
    """A refused connection says so."""
    assert str(failure("http://127.0.0.1:9")) == (
        "anthropic:claude-haiku-4-5 at http://127.0.0.1:9: "
        "the connection failed ([Errno 111] Connection refused). "
        "Check that the server is running and that base_url is right."
    )
