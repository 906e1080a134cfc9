"""The OpenAI adapter: the real client in front of a loopback server."""

import socket
import traceback
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from decimal import Decimal
from threading import Barrier
from typing import Any

import pytest
from loopback import Loopback, Reply, openai_error, openai_refusal, openai_text

from judges.core.errors import ProviderError
from judges.core.usage import Usage
from judges.providers import Completion, Message, Request, Stop
from judges.providers.endpoint import Endpoint
from judges.providers.openai import OpenAIChat
from judges.providers.prices import PriceList

SCHEMA = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
REQUEST = Request(
    model="gpt-4o",
    messages=(Message("system", "Judge."), Message("user", "Hello 😀")),
    schema=SCHEMA,
    temperature=0.0,
    max_tokens=4096,
    timeout_seconds=10.0,
)


def adapter(url: str, concurrency: int = 8) -> OpenAIChat:
    endpoint = Endpoint(
        provider="openai",
        base_url=f"{url}/v1",
        key="sk-secret-123456",
        key_variable="OPENAI_API_KEY",
        concurrency=concurrency,
    )
    return OpenAIChat(endpoint, PriceList(provider="openai", base_url=endpoint.base_url))


def failure(url: str, request: Request = REQUEST) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        adapter(url).complete(request)
    return caught.value


def test_request(loopback: Loopback) -> None:
    """The request carries messages, a strict schema, and the parameters that were given."""
    server = loopback(openai_text("{}"))
    adapter(server.url).complete(REQUEST)
    assert server.requests[0].path == "/v1/chat/completions"
    assert server.requests[0].headers["authorization"] == "Bearer sk-secret-123456"
    assert server.requests[0].json == {
        "model": "gpt-4o",
        "messages": [
            {"role": "system", "content": "Judge."},
            {"role": "user", "content": "Hello 😀"},
        ],
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "reply", "strict": True, "schema": SCHEMA},
        },
        "temperature": 0.0,
        "max_completion_tokens": 4096,
    }


def test_parameters_left_to_the_endpoint(loopback: Loopback) -> None:
    """Parameters that are None are not sent."""
    server = loopback(openai_text("hi"))
    adapter(server.url).complete(Request(model="gpt-4o", messages=(Message("user", "x"),)))
    assert sorted(server.requests[0].json) == ["messages", "model"]


def test_completion(loopback: Loopback) -> None:
    """Text, tokens, cost by the price list, and latency are read from the reply."""
    server = loopback(openai_text('{"a": 1}', tokens=(1000, 100), cached_tokens=400))
    completion = adapter(server.url).complete(REQUEST)
    assert completion.latency_ms is not None
    assert 0 < completion.latency_ms < 10_000
    assert replace(completion, latency_ms=None) == Completion(
        text='{"a": 1}',
        stop=Stop.END,
        # 600 at 2.50, 400 cached at 1.25, 100 out at 10.00 USD a million
        usage=Usage(calls=1, input_tokens=1000, output_tokens=100, cost_usd=Decimal("0.003")),
    )


@pytest.mark.parametrize(
    ("reply", "text", "stop"),
    [
        pytest.param(openai_refusal("I cannot help."), "I cannot help.", Stop.REFUSAL, id="refusal"),
        pytest.param(openai_text(None, finish_reason="content_filter"), "", Stop.REFUSAL, id="filtered"),
        pytest.param(openai_text('{"a', finish_reason="length"), '{"a', Stop.LENGTH, id="cut"),
        pytest.param(openai_text(None), "", Stop.END, id="no content"),
        pytest.param(openai_text(""), "", Stop.END, id="empty"),
        pytest.param(openai_text("```json\n{}\n```"), "```json\n{}\n```", Stop.END, id="fence"),
        pytest.param(openai_text("Well, fine."), "Well, fine.", Stop.END, id="prose"),
        pytest.param(
            replace(openai_text("{}"), headers={"Content-Type": "text/plain"}), "{}", Stop.END, id="as text"
        ),
    ],
)
def test_what_models_say(loopback: Loopback, reply: Reply, text: str, stop: Stop) -> None:
    """Refusals, cut and empty replies are told apart; the text is left as it came."""
    completion = adapter(loopback(reply).url).complete(REQUEST)
    assert (completion.text, completion.stop) == (text, stop)


def test_unknown_usage_has_no_price(loopback: Loopback) -> None:
    """A server that reports no tokens makes an unknown cost, not a cost of nothing."""
    server = loopback(Reply(body={"choices": [{"message": {"content": "hi"}}]}))
    assert adapter(server.url).complete(REQUEST).usage == Usage(calls=1, cost_usd=None)


@pytest.mark.parametrize(
    ("reply", "detail"),
    [
        pytest.param(Reply(body=""), "it is empty", id="nothing"),
        pytest.param(Reply(body='{"choices": [{"me'), '{"choices": [{"me', id="cut JSON"),
        pytest.param(Reply(body=b"\xff\xfe\x00"), "��\x00", id="garbage"),
        pytest.param(Reply(body="[1]"), "[1]", id="no object"),
        pytest.param(Reply(body={"choices": []}), "{'choices': []}", id="no choices"),
        pytest.param(Reply(body={"choices": ["x"]}), "{'choices': ['x']}", id="odd choices"),
        pytest.param(
            Reply(body={"error": {"message": "upstream down."}}), "upstream down", id="error as 200"
        ),
        pytest.param(
            Reply(body="<html><title>Sign in</title>", headers={"Content-Type": "text/html"}),
            "an HTML page: Sign in",
            id="page of a proxy",
        ),
        pytest.param(Reply(body="[" * 100_000), "[" * 199 + "…", id="too deep"),
    ],
)
def test_answers_in_another_form(loopback: Loopback, reply: Reply, detail: str) -> None:
    """An answer that is not one of the API is a failure that may pass, never a text."""
    server = loopback(reply)
    error = failure(server.url)
    assert str(error) == (
        f"openai:gpt-4o at {server.url}/v1: the answer is not in this API's form ({detail}). "
        "Check that base_url is right and that no proxy answers in its place."
    )
    assert (error.retryable, error.status) == (True, None)


def test_status(loopback: Loopback) -> None:
    """An HTTP error carries its status, wait and parameter, and the key is masked; one request is made."""
    reply = openai_error(
        400, "Unsupported: sk-secret-123456", param="temperature", headers={"Retry-After": "3"}
    )
    server = loopback(reply)
    error = failure(server.url)
    assert str(error) == (
        f"openai:gpt-4o at {server.url}/v1: the request was refused (HTTP 400: Unsupported: [key])."
    )
    assert (error.status, error.retryable, error.retry_after, error.parameter) == (
        400,
        False,
        3.0,
        "temperature",
    )
    assert len(server.requests) == 1
    assert "sk-secret" not in "".join(traceback.format_exception(error))


@pytest.mark.parametrize("status", [408, 409, 429, 500, 503])
def test_the_client_does_not_retry(loopback: Loopback, status: int) -> None:
    """The SDK's own retries are off: one call is one request."""
    server = loopback(openai_error(status, "no"))
    assert failure(server.url).retryable
    assert len(server.requests) == 1


def test_hang(loopback: Loopback) -> None:
    """An answer that does not come in time may be asked for again."""
    server = loopback(openai_text("late", delay=30))
    error = failure(server.url, replace(REQUEST, timeout_seconds=0.2))
    assert str(error) == (
        f"openai:gpt-4o at {server.url}/v1: no answer within 0.2 s. "
        "Raise timeout_seconds if the model needs longer."
    )
    assert error.retryable


def test_no_server() -> None:
    """A refused connection says so."""
    error = failure("http://127.0.0.1:9")
    assert str(error) == (
        "openai:gpt-4o at http://127.0.0.1:9/v1: the connection failed ([Errno 111] Connection refused). "
        "Check that the server is running and that base_url is right."
    )
    assert error.retryable


def test_server_that_takes_no_connection() -> None:
    """A server that lets connections wait is told apart from one that thinks for long."""
    with socket.create_server(("127.0.0.1", 0), backlog=0) as full:
        waiting = [socket.socket() for _ in range(3)]
        for client in waiting:
            client.setblocking(False)
            client.connect_ex(full.getsockname())
        url = f"http://127.0.0.1:{full.getsockname()[1]}"
        error = failure(url, replace(REQUEST, timeout_seconds=0.3))
        for client in waiting:
            client.close()
    assert str(error) == (
        f"openai:gpt-4o at {url}/v1: the connection failed (timed out). "
        "Check that the server is running and that base_url is right."
    )
    assert error.retryable


@pytest.mark.parametrize(
    ("drop", "reason"),
    [
        ("before", "Server disconnected without sending a response"),
        ("middle", "peer closed connection without sending complete message body"),
    ],
)
def test_dropped_connection(loopback: Loopback, drop: Any, reason: str) -> None:
    """A connection that breaks before or within the answer is a failure that may pass."""
    error = failure(loopback(replace(openai_text("hello"), drop=drop)).url)
    assert f": the connection failed ({reason}" in str(error)
    assert error.retryable


def test_text_that_cannot_be_sent(loopback: Loopback) -> None:
    """Half a surrogate pair is named instead of crashing the run."""
    server = loopback(openai_text("hi"))
    error = failure(server.url, Request(model="gpt-4o", messages=(Message("user", "a\ud800"),)))
    assert str(error) == (
        f"openai:gpt-4o at {server.url}/v1: the request holds half a surrogate pair ('\\ud800'), "
        "which is no text that can be sent."
    )
    assert not error.retryable
    assert server.requests == []


def test_one_client_for_all_threads(loopback: Loopback) -> None:
    """As many requests are open at once as the concurrency allows, and connections are used again."""
    everybody = Barrier(20)

    def together(_: dict[str, Any]) -> Reply:
        everybody.wait(timeout=30)
        return openai_text("hi")

    server = loopback(together)
    provider = adapter(server.url, concurrency=20)
    with ThreadPoolExecutor(20) as pool:
        texts = [completion.text for completion in pool.map(provider.complete, [REQUEST] * 60)]
    assert texts == ["hi"] * 60
    assert server.connections == 20


def test_no_proxy_to_this_machine(loopback: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy for the outside world is not asked for a server on this machine."""
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    assert adapter(loopback(openai_text("hi")).url).complete(REQUEST).text == "hi"
