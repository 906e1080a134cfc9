"""The one way adapters talk: a POST through an SDK's own client, shared by all threads.

The SDKs' documented call for any path is used, not their typed methods: it takes a third less CPU a call,
takes parameters that the typed methods no longer know, and gives plain JSON, which adapters match and never
trust. The SDKs' own retries are off: `judges.providers.limit` has the one retry loop.
"""

import json
import time
import weakref
from collections.abc import Mapping
from datetime import UTC, datetime
from types import ModuleType
from typing import Any, Protocol

from judges.core.errors import ProviderError
from judges.providers.base import Request
from judges.providers.endpoint import Endpoint
from judges.providers.failures import (
    connection_failure,
    malformed_failure,
    status_failure,
    timeout_failure,
)

_CONNECT_SECONDS = 10.0


class Client(Protocol):
    """What is used of an SDK's client."""

    def post(self, path: str, *, cast_to: Any, body: Any, options: Any) -> Any:
        """Send a body to a path below the base URL."""

    def close(self) -> None:
        """Close all connections."""


class Wire:
    """An SDK client and the endpoint it belongs to."""

    def __init__(self, sdk: ModuleType, client: Client, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self._sdk = sdk
        self._client = client
        weakref.finalize(self, client.close)

    def post(self, path: str, body: Mapping[str, Any], request: Request) -> tuple[Mapping[str, Any], float]:
        """Return the JSON object that the endpoint answers, and the milliseconds it took.

        Raises:
            ProviderError: it could not be reached, answered an error, or not a JSON object.
        """
        import httpx2

        started = time.perf_counter()
        connect = min(request.timeout_seconds, _CONNECT_SECONDS)
        options = {"timeout": httpx2.Timeout(request.timeout_seconds, connect=connect)}
        try:
            response = self._client.post(path, cast_to=httpx2.Response, body=body, options=options)
        except self._sdk.APIError as error:
            # The SDK's own error may quote what the server said, with the key in it.
            raise self._failure(error, request) from None
        except UnicodeEncodeError as error:
            raise ProviderError(
                f"{self.endpoint.describe(request.model)}: the request holds half a surrogate pair "
                f"({error.object[error.start]!r}), which is no text that can be sent."
            ) from error
        latency_ms = (time.perf_counter() - started) * 1000
        return self._read(response.text, request), latency_ms

    def malformed(self, body: object, request: Request) -> ProviderError:
        """Return the error for a JSON object that is not of the API's form."""
        return malformed_failure(self.endpoint, request.model, body)

    def _read(self, text: str, request: Request) -> Mapping[str, Any]:
        try:
            body = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise self.malformed(text, request) from error
        if not isinstance(body, dict):
            raise self.malformed(body, request)
        return body

    def _failure(self, error: Exception, request: Request) -> ProviderError:
        import httpx2

        endpoint, model, cause = self.endpoint, request.model, error.__cause__
        if isinstance(error, self._sdk.APIStatusError):
            headers, now = error.response.headers, datetime.now(UTC)
            return status_failure(endpoint, model, error.status_code, error.body, headers, now)
        if isinstance(error, self._sdk.APITimeoutError) and not isinstance(cause, httpx2.ConnectTimeout):
            return timeout_failure(endpoint, model, request.timeout_seconds)
        return connection_failure(endpoint, model, str(cause or error))


def http_settings(endpoint: Endpoint) -> dict[str, Any]:
    """Return the settings of the HTTP client: as many connections as requests, no proxy to this machine.

    What is sent is for the configured server alone: it is followed nowhere else.
    """
    import httpx2

    connections = max(endpoint.concurrency, 1)
    limits = httpx2.Limits(max_connections=connections, max_keepalive_connections=connections)
    return {"limits": limits, "trust_env": not endpoint.is_loopback, "follow_redirects": False}
