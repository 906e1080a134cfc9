"""What went wrong at an endpoint, as a `ProviderError` that a person can act on. Pure: no SDK, no clock."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from html import unescape
from http import HTTPStatus
from typing import Any

from judges.core.errors import ProviderError
from judges.core.row import EXCERPT_LENGTH, excerpt
from judges.providers.endpoint import Endpoint

# Parameters that some models or servers refuse; a 400 that names one can be answered by leaving it out.
_PARAMETERS = (
    "temperature",
    "response_format",
    "output_config",
    "output_format",
    "max_completion_tokens",
    "max_tokens",
)
_RETRYABLE = {HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.CONFLICT, HTTPStatus.TOO_MANY_REQUESTS}
_NAMING_PARAMETERS = {HTTPStatus.BAD_REQUEST, HTTPStatus.UNPROCESSABLE_ENTITY}
_TITLE = re.compile(r"<title[^>]*>(.*?)</title>", re.DOTALL | re.IGNORECASE)

_WORDING = {
    401: ("the key was refused", "Check {key_variable}."),
    402: ("the account cannot pay", "Check its plan and billing."),
    403: ("access was denied", "Check that the key in {key_variable} may use this model."),
    404: ("not found", "Check the model's name, and that base_url is right (OpenAI's API ends in /v1)."),
    413: ("the request is too large", "Shorten the input or the output under test."),
    429: ("too many requests", "Lower --concurrency, or try again later."),
}
_QUOTED = 120
"""The most characters of a server's own words: what to do comes after them, and is not to be cut off."""
_QUOTA = ("the quota is used up", "Check the plan and billing of the account.")
_SERVER = ("the server failed", "Try again later.")
_REFUSED = ("the request was refused", "")
_MOVED = (
    "the server sends requests elsewhere",
    "Nothing was sent there. Set base_url to that address if it is the right one.",
)


def status_failure(
    endpoint: Endpoint, model: str, status: int, body: object, headers: Mapping[str, str], now: datetime
) -> ProviderError:
    """Return the error for an HTTP status that is no success. `body` is the parsed body, or its text."""
    error = _error_of(body)
    exhausted = error.get("code") == "insufficient_quota"
    what, advice = _QUOTA if exhausted else _WORDING.get(status, _other_wording(status))
    length = _QUOTED if advice else EXCERPT_LENGTH
    moved = headers.get("location", "").partition("?")[0] if what is _MOVED[0] else ""
    detail = excerpt(_short(endpoint, moved) if moved else _detail(endpoint, body, status), length)
    advice = f" {advice.format(key_variable=endpoint.key_variable)}" if advice else ""
    return ProviderError(
        f"{endpoint.describe(model)}: {what} (HTTP {status}: {detail}).{advice}",
        retryable=not exhausted and (status in _RETRYABLE or status >= 500),
        status=status,
        retry_after=retry_after(headers, now),
        parameter=_parameter(error) if status in _NAMING_PARAMETERS else None,
    )


def connection_failure(endpoint: Endpoint, model: str, reason: str) -> ProviderError:
    """Return the error for a connection that could not be made, or broke."""
    return ProviderError(
        f"{endpoint.describe(model)}: the connection failed ({endpoint.mask(reason).rstrip('.')}). "
        "Check that the server is running and that base_url is right.",
        retryable=True,
    )


def timeout_failure(endpoint: Endpoint, model: str, seconds: float) -> ProviderError:
    """Return the error for an answer that did not come in time."""
    return ProviderError(
        f"{endpoint.describe(model)}: no answer within {seconds:g} s. "
        "Raise timeout_seconds if the model needs longer.",
        retryable=True,
    )


def malformed_failure(endpoint: Endpoint, model: str, body: object) -> ProviderError:
    """Return the error for an answer that is not of the API's form, such as a proxy's own page."""
    detail = _detail(endpoint, body, HTTPStatus.OK)
    return ProviderError(
        f"{endpoint.describe(model)}: the answer is not in this API's form ({detail}). "
        "Check that base_url is right and that no proxy answers in its place.",
        retryable=True,
    )


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Return the seconds that a server asks to wait, by `retry-after-ms` or `retry-after` (seconds, a date).

    The names of the headers are in lower case, or the mapping does not mind.
    """
    milliseconds = _number(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    value = headers.get("retry-after", "")
    seconds = _number(value)
    return _seconds_until(value, now) if seconds is None else seconds


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if 0 <= number < float("inf") else None


def _seconds_until(date: str, now: datetime) -> float | None:
    try:
        moment = parsedate_to_datetime(date)
    except ValueError:
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (moment - now).total_seconds())


def _error_of(body: object) -> Mapping[str, Any]:
    match body:
        case {"error": dict(error)} | dict(error):
            return error
    return {}


def _other_wording(status: int) -> tuple[str, str]:
    if status >= 500:
        return _SERVER
    return _REFUSED if status >= 400 else _MOVED


def _detail(endpoint: Endpoint, body: object, status: int) -> str:
    if isinstance(message := _error_of(body).get("message"), str) and message:
        return _short(endpoint, message)
    if isinstance(body, str) and body.lstrip().startswith("<"):
        title = _TITLE.search(body)
        return f"an HTML page: {_short(endpoint, unescape(title[1]))}" if title else "an HTML page"
    if isinstance(body, str) and body.strip():
        return _short(endpoint, body)
    return _phrase(status) if body in ("", None) else _short(endpoint, str(body))


def _short(endpoint: Endpoint, text: str) -> str:
    """Return the start of a text on one line; it is masked whole, as half a key is one too."""
    return excerpt(endpoint.mask(" ".join(text.split()).rstrip(".")))


def _phrase(status: int) -> str:
    if status == HTTPStatus.OK:
        return "it is empty"
    return HTTPStatus(status).phrase if status in set(HTTPStatus) else "no explanation"


def _parameter(error: Mapping[str, Any]) -> str | None:
    """The parameter as the API names it, or the first known one that its message mentions."""
    if isinstance(parameter := error.get("param"), str) and parameter:
        return parameter
    message = str(error.get("message", ""))
    return next((name for name in _PARAMETERS if re.search(rf"\b{name}\b", message)), None)
