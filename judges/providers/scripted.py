"""A provider that answers from a script: the test double for everything that calls a model."""

import json
import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from judges.core.errors import ProviderError
from judges.providers.base import Completion, Request

Reply: TypeAlias = str | Mapping[str, Any] | Completion | Exception


class ScriptedProvider:
    """Answers each request with the next reply, or with what a function makes of the request.

    A mapping is sent as JSON text, an exception is raised. `requests` holds what was asked. Safe to use from
    several threads.
    """

    def __init__(self, replies: Iterable[Reply] | Callable[[Request], Reply]) -> None:
        self.requests: list[Request] = []
        self._lock = threading.Lock()
        self._function = replies if callable(replies) else None
        self._replies = iter(()) if callable(replies) else iter(replies)

    def complete(self, request: Request) -> Completion:
        """Return the next scripted reply.

        Raises:
            ProviderError: the script is exhausted.
            Exception: the exception that the script holds.
        """
        with self._lock:
            self.requests.append(request)
            reply = self._function(request) if self._function else next(self._replies, None)
        if reply is None:
            raise ProviderError(f"the script has no reply left for request {len(self.requests)}")
        if isinstance(reply, Exception):
            raise reply
        if isinstance(reply, Completion):
            return reply
        return Completion(text=reply if isinstance(reply, str) else json.dumps(reply))
