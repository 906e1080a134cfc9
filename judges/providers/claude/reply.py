"""What the client prints with `--output-format json`, as a completion or as the failure that it tells of."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from judges.core.errors import ProviderError
from judges.core.row import excerpt
from judges.core.usage import Usage
from judges.providers.base import Completion, Stop
from judges.providers.endpoint import Endpoint
from judges.providers.failures import malformed_failure, status_failure

LOG_IN = "Set ANTHROPIC_API_KEY or CLAUDE_CODE_OAUTH_TOKEN, or run claude and type /login."


def read_reply(output: bytes, endpoint: Endpoint, model: str) -> Completion | None:
    """Return the answer in the client's output, an array of events or the last of them alone.

    None: there is no result in it, so that how the client ended is all that can be said.

    Raises:
        ProviderError: the result is a failure.
    """
    events = _parse(output)
    result = next((event for event in reversed(events) if event.get("type") == "result"), None)
    if result is None:
        return None
    if not result.get("is_error") and isinstance(text := result.get("result"), str):
        if result.get("stop_reason") is None:
            raise malformed_failure(endpoint, model, "it was cut in the middle")
        return Completion(text=text, usage=_usage(result))
    if stop := _stop(result, events):
        return Completion(stop=stop, usage=_usage(result))
    raise _failure(result, events, endpoint, model)


def _parse(output: bytes) -> Sequence[Mapping[str, Any]]:
    try:
        document = json.loads(output)
    except (ValueError, RecursionError):
        return ()
    events = document if isinstance(document, list) else [document]
    return [event for event in events if isinstance(event, dict)]


def _stop(result: Mapping[str, Any], events: Sequence[Mapping[str, Any]]) -> Stop | None:
    if result.get("stop_reason") == "refusal":
        return Stop.REFUSAL
    return Stop.LENGTH if _error(events) == "max_output_tokens" else None


def _error(events: Sequence[Mapping[str, Any]]) -> object:
    """Return what the client calls the error that it speaks of in the model's place."""
    return next((event["error"] for event in reversed(events) if event.get("error")), None)


def _failure(
    result: Mapping[str, Any], events: Sequence[Mapping[str, Any]], endpoint: Endpoint, model: str
) -> ProviderError:
    said = result.get("result") or "; ".join(map(str, result.get("errors") or ())) or result.get("subtype")
    words = excerpt(endpoint.mask(" ".join(str(said).split()).rstrip(".")))
    status = result.get("api_error_status")
    if isinstance(status, int):
        return status_failure(endpoint, model, status, words, {}, datetime.now(UTC))
    if _error(events) == "authentication_failed":
        return ProviderError(f"{endpoint.describe(model)}: not logged in ({words}). {LOG_IN}", status=401)
    passing = result.get("terminal_reason") == "api_error"
    return ProviderError(f"{endpoint.describe(model)}: no answer ({words}).", retryable=passing)


def _usage(result: Mapping[str, Any]) -> Usage:
    """The tokens of all the client's requests, cached ones included, and the cost as it works it out."""
    used = result.get("usage") or {}
    kinds = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    cost = result.get("total_cost_usd")
    return Usage(
        calls=1,
        input_tokens=sum(used.get(kind) or 0 for kind in kinds),
        output_tokens=used.get("output_tokens") or 0,
        cost_usd=None if cost is None else Decimal(str(cost)),
    )
