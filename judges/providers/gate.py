"""How many requests may be open at one endpoint, and since when: shared by all its callers.

A 429 halves the number once for all requests that were open at the time; every success lets it grow back a
little. A server's `Retry-After` holds for everybody.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Protocol

from judges.core.errors import ProviderError, RunError

LONGEST_WAIT_SECONDS = 120.0
_LONGEST_SILENCE_SECONDS = 60.0
_POLL_SECONDS = 0.2


class Clock(Protocol):
    """Time, as far as waiting needs it."""

    def now(self) -> float:
        """Return a time in seconds that never goes back."""

    def sleep(self, seconds: float) -> None:
        """Wait.

        Raises:
            RunError: the run was stopped.
        """


class SystemClock:
    """The real time. Once `stop` is set, every wait ends at once."""

    def __init__(self, stop: threading.Event | None = None) -> None:
        self._stop = stop or threading.Event()

    def now(self) -> float:
        """Return a time in seconds that never goes back."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Wait.

        Raises:
            RunError: the run was stopped.
        """
        if self._stop.wait(seconds):
            raise RunError("the run was stopped before an answer came")


class Gate:
    """Lets at most `most` requests through at a time, fewer when the server complains."""

    def __init__(self, most: int, clock: Clock) -> None:
        self.successes = 0
        self._pauses = 0
        self._clock = clock
        self._most = most
        self._limit = float(most)
        self._in_flight = 0
        self._open_at = self._halved_at = self._silent_since = clock.now()
        self._changed = threading.Condition()

    @property
    def limit(self) -> int:
        """How many requests may be open at present."""
        return int(self._limit)

    def waits_in_vain(self, pauses: int) -> bool:
        """Whether the server was given more than so many pauses, a minute at least, and answered nobody."""
        with self._changed:
            silent = self._clock.now() - self._silent_since
            return self._pauses > pauses and silent >= _LONGEST_SILENCE_SECONDS

    @contextmanager
    def slot(self) -> Iterator[None]:
        """Wait for a place, and learn from what becomes of the request.

        Raises:
            RunError: the run was stopped while waiting.
        """
        started = self._enter()
        try:
            yield
            self._grow()
        except ProviderError as error:
            self._slow_down(error, started)
            raise
        finally:
            with self._changed:
                self._in_flight -= 1
                self._changed.notify_all()

    def _enter(self) -> float:
        while True:
            with self._changed:
                now = self._clock.now()
                pause = self._open_at - now
                if pause <= 0 and self._in_flight < self.limit:
                    self._in_flight += 1
                    return now
                if pause <= 0:
                    self._changed.wait(_POLL_SECONDS)
            self._clock.sleep(max(pause, 0.0))

    def _grow(self) -> None:
        with self._changed:
            self.successes += 1
            self._pauses = 0
            self._limit = min(self._most, self._limit + 1 / self._limit)

    def _slow_down(self, error: ProviderError, started: float) -> None:
        with self._changed:
            now = self._clock.now()
            if error.status == HTTPStatus.TOO_MANY_REQUESTS and started >= self._halved_at:
                self._limit = max(1.0, self._limit / 2)
                self._halved_at = now
            if error.retryable and error.retry_after and error.retry_after <= LONGEST_WAIT_SECONDS:
                if not self._pauses:
                    self._silent_since = now
                self._pauses += started >= self._open_at  # requests that were open together count once
                self._open_at = max(self._open_at, now + error.retry_after)
