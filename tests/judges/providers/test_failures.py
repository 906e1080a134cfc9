"""What an endpoint's failure says to a person, and to the retry loop."""

from datetime import UTC, datetime

import pytest

from judges.providers.endpoint import Endpoint
from judges.providers.failures import (
    connection_failure,
    malformed_failure,
    retry_after,
    status_failure,
    timeout_failure,
)

ENDPOINT = Endpoint(
    provider="openai",
    base_url="https://user:pw@api.example.com/v1?token=t",
    key="sk-secret-123456",
    key_variable="OPENAI_API_KEY",
)
NOW = datetime(2026, 11, 30, 12, 0, 0, tzinfo=UTC)
PLACE = "openai:gpt-4o at https://api.example.com/v1"


def openai_body(message: str, **more: str) -> dict[str, object]:
    return {"message": message, **more}


@pytest.mark.parametrize(
    ("status", "body", "message", "retryable"),
    [
        pytest.param(
            400,
            openai_body("Invalid schema."),
            f"{PLACE}: the request was refused (HTTP 400: Invalid schema).",
            False,
            id="400",
        ),
        pytest.param(
            401,
            openai_body("Incorrect API key provided: sk-secret-123456."),
            f"{PLACE}: the key was refused (HTTP 401: Incorrect API key provided: [key]). "
            "Check OPENAI_API_KEY.",
            False,
            id="401 that echoes the key",
        ),
        pytest.param(
            402,
            "",
            f"{PLACE}: the account cannot pay (HTTP 402: Payment Required). Check its plan and billing.",
            False,
            id="402",
        ),
        pytest.param(
            403,
            {"type": "error", "error": {"type": "permission_error", "message": "No access"}},
            f"{PLACE}: access was denied (HTTP 403: No access). "
            "Check that the key in OPENAI_API_KEY may use this model.",
            False,
            id="403 in Anthropic's shape",
        ),
        pytest.param(
            404,
            {"detail": "Not Found"},
            f"{PLACE}: not found (HTTP 404: {{'detail': 'Not Found'}}). "
            "Check the model's name, and that base_url is right (OpenAI's API ends in /v1).",
            False,
            id="404 in no known shape",
        ),
        pytest.param(
            404,
            {"error": {"message": "No such model: " + "m" * 300}},
            f"{PLACE}: not found (HTTP 404: No such model: {'m' * 104}…). "
            "Check the model's name, and that base_url is right (OpenAI's API ends in /v1).",
            False,
            id="404 in many words",
        ),
        pytest.param(
            413,
            "too big",
            f"{PLACE}: the request is too large (HTTP 413: too big). "
            "Shorten the input or the output under test.",
            False,
            id="413",
        ),
        pytest.param(
            429,
            openai_body("Rate limit reached"),
            f"{PLACE}: too many requests (HTTP 429: Rate limit reached). "
            "Lower --concurrency, or try again later.",
            True,
            id="429",
        ),
        pytest.param(
            429,
            openai_body("You exceeded your current quota", code="insufficient_quota"),
            f"{PLACE}: the quota is used up (HTTP 429: You exceeded your current quota). "
            "Check the plan and billing of the account.",
            False,
            id="429 for want of money",
        ),
        pytest.param(
            502,
            "<html><head><title>502\n Bad &amp; Gateway</title></head></html>",
            f"{PLACE}: the server failed (HTTP 502: an HTML page: 502 Bad & Gateway). Try again later.",
            True,
            id="502 page of a proxy",
        ),
        pytest.param(
            503,
            "<!doctype html><p>down",
            f"{PLACE}: the server failed (HTTP 503: an HTML page). Try again later.",
            True,
            id="page without a title",
        ),
        pytest.param(
            529,
            "overloaded,\n  wait",
            f"{PLACE}: the server failed (HTTP 529: overloaded, wait). Try again later.",
            True,
            id="529 as text",
        ),
        pytest.param(
            529,
            "",
            f"{PLACE}: the server failed (HTTP 529: no explanation). Try again later.",
            True,
            id="529 without a body",
        ),
        pytest.param(
            408, "", f"{PLACE}: the request was refused (HTTP 408: Request Timeout).", True, id="408"
        ),
        pytest.param(409, "", f"{PLACE}: the request was refused (HTTP 409: Conflict).", True, id="409"),
        pytest.param(
            304,
            "",
            f"{PLACE}: the server sends requests elsewhere (HTTP 304: Not Modified). "
            "Nothing was sent there. Set base_url to that address if it is the right one.",
            False,
            id="a redirect to nowhere",
        ),
    ],
)
def test_status(status: int, body: object, message: str, retryable: bool) -> None:
    """A status says where, what, the server's own words, and what to do; passing ones may be retried."""
    error = status_failure(ENDPOINT, "gpt-4o", status, body, {}, NOW)
    assert str(error) == message
    assert (error.retryable, error.status, error.retry_after) == (retryable, status, None)


def test_redirect() -> None:
    """A redirect says where it leads, without what an address may hold of secrets."""
    headers = {"location": "https://user:pw@other.example/v1/chat?token=t"}
    error = status_failure(ENDPOINT, "gpt-4o", 307, "", headers, NOW)
    assert "(HTTP 307: https://[key]@other.example/v1/chat)" in str(error)


@pytest.mark.parametrize("before", range(180, 201))
def test_half_a_key_is_one_too(before: int) -> None:
    """A message that is cut where the key stands shows nothing of it."""
    endpoint = Endpoint(provider="openai", base_url="http://x", key="hunter2hunter2hunter2", key_variable="K")
    error = status_failure(endpoint, "m", 400, f"{'x' * before} {endpoint.key} refused", {}, NOW)
    assert "hunter2" not in str(error)


@pytest.mark.parametrize(
    ("status", "body", "parameter"),
    [
        pytest.param(400, openai_body("no", param="temperature"), "temperature", id="named by the API"),
        pytest.param(400, openai_body("about temperature", param="messages"), "messages", id="API's word"),
        pytest.param(
            400,
            {"error": {"message": "`temperature` is deprecated for this model"}},
            "temperature",
            id="mentioned",
        ),
        pytest.param(422, openai_body("extra field: response_format"), "response_format", id="422"),
        pytest.param(400, openai_body("max_tokens_total too large"), None, id="only a part of a word"),
        pytest.param(400, openai_body("the prompt is too long"), None, id="none"),
        pytest.param(400, "temperature", None, id="no JSON"),
        pytest.param(429, openai_body("temperature", param="temperature"), None, id="another status"),
    ],
)
def test_parameter(status: int, body: object, parameter: str | None) -> None:
    """The parameter that a 400 names, or mentions, is known."""
    assert status_failure(ENDPOINT, "gpt-4o", status, body, {}, NOW).parameter == parameter


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        pytest.param({}, None, id="absent"),
        pytest.param({"retry-after": "7"}, 7.0, id="seconds"),
        pytest.param({"retry-after": "0.5"}, 0.5, id="part of a second"),
        pytest.param({"retry-after-ms": "1500", "retry-after": "7"}, 1.5, id="milliseconds go first"),
        pytest.param({"retry-after": "Mon, 30 Nov 2026 12:00:30 GMT"}, 30.0, id="date"),
        pytest.param({"retry-after": "Mon, 30 Nov 2026 12:00:30 -0000"}, 30.0, id="date without a zone"),
        pytest.param({"retry-after": "Mon, 30 Nov 2026 11:00:00 GMT"}, 0.0, id="date gone by"),
        pytest.param({"retry-after": "-3"}, None, id="negative"),
        pytest.param({"retry-after": "nan"}, None, id="not a number"),
        pytest.param({"retry-after": "inf"}, None, id="forever"),
        pytest.param({"retry-after": "soon"}, None, id="words"),
    ],
)
def test_retry_after(headers: dict[str, str], seconds: float | None) -> None:
    """A wait is read as seconds, milliseconds or a date; anything else is no wait."""
    assert retry_after(headers, NOW) == seconds


def test_connection() -> None:
    """A connection that fails says why, masks keys, and may be retried."""
    error = connection_failure(ENDPOINT, "gpt-4o", "illegal header b'Bearer sk-secret-123456'.")
    assert str(error) == (
        f"{PLACE}: the connection failed (illegal header b'Bearer [key]'). "
        "Check that the server is running and that base_url is right."
    )
    assert error.retryable


def test_timeout() -> None:
    """A hang says how long was waited and which setting to raise, and may be retried."""
    error = timeout_failure(ENDPOINT, "gpt-4o", 120.0)
    assert str(error) == (
        f"{PLACE}: no answer within 120 s. Raise timeout_seconds if the model needs longer."
    )
    assert error.retryable


def test_malformed() -> None:
    """An answer in another form says what came instead, and may be retried."""
    error = malformed_failure(ENDPOINT, "gpt-4o", "<title>Sign in</title>")
    assert str(error) == (
        f"{PLACE}: the answer is not in this API's form (an HTML page: Sign in). "
        "Check that base_url is right and that no proxy answers in its place."
    )
    assert error.retryable


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        pytest.param("key sk-secret-123456 refused", "key [key] refused", id="own key"),
        pytest.param("provided: sk-proj-abc***wxyz.", "provided: [key]", id="half masked by the server"),
        pytest.param("Authorization: Bearer abc.def", "Authorization: Bearer [key]", id="bearer"),
        pytest.param("Basic dXNlcjpzay1zZWNyZXQtMTIzNDU2", "Basic dXNlcjp[key]", id="base64"),
        pytest.param("https://me:pw@host/v1 failed", "https://[key]@host/v1 failed", id="an address"),
        pytest.param("a task-based sketch", "a task-based sketch", id="words that only look alike"),
    ],
)
def test_mask(text: str, masked: str) -> None:
    """Whatever looks like a key is masked."""
    assert ENDPOINT.mask(text) == masked


def test_the_key_is_in_no_representation() -> None:
    """An endpoint can be logged."""
    assert "sk-secret" not in repr(ENDPOINT)


@pytest.mark.parametrize(
    ("url", "loopback"),
    [
        ("http://127.0.0.1:11434/v1", True),
        ("http://localhost:8000", True),
        ("http://[::1]:8000/v1", True),
        ("https://api.openai.com/v1", False),
        ("http://127.0.0.1.example.com", False),
    ],
)
def test_loopback(url: str, loopback: bool) -> None:
    """This machine is known by its names."""
    endpoint = Endpoint(provider="openai", base_url=url, key="k", key_variable="K")
    assert endpoint.is_loopback is loopback
