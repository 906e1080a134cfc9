"""How many programs run at once on this machine: one number for everything that shares it."""

import os
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from judges.core.errors import RunError

STOPPED = "the run was stopped before this was started"
_POLL_SECONDS = 0.2


class Slots:
    """Places for `jobs` programs; as many as there are cores, unless a number is given.

    A client at start-up keeps a core busy for a second: more at once make all of them late. Who waits is
    served in the order of coming. Safe to use from several threads.
    """

    def __init__(self, jobs: int | None = None) -> None:
        self.jobs = jobs or count_cores()
        self._free = _Line(self.jobs)
        self._serial = _Line(1)

    @contextmanager
    def slot(self, *, serial: bool = False, stopped: Callable[[], bool] = lambda: False) -> Iterator[None]:
        """Wait for a place and hold it. Those that are `serial` run one after the other.

        Raises:
            RunError: the run was stopped meanwhile.
        """
        with ExitStack() as held:
            for line in (self._serial, self._free) if serial else (self._free,):
                held.enter_context(line.place(stopped))
            if stopped():
                raise RunError(STOPPED)
            yield


class _Line:
    """A number of places, and those who wait for one, first come first served: a semaphore has no order."""

    def __init__(self, places: int) -> None:
        self._places = places
        self._waiting: deque[object] = deque()
        self._changed = threading.Condition()

    @contextmanager
    def place(self, stopped: Callable[[], bool]) -> Iterator[None]:
        with self._changed:
            self._wait(stopped)
            self._places -= 1
        try:
            yield
        finally:
            with self._changed:
                self._places += 1
                self._changed.notify_all()

    def _wait(self, stopped: Callable[[], bool]) -> None:
        """Return when there is a place, and nobody else has waited longer for it."""
        own = object()
        self._waiting.append(own)
        try:
            while not (self._places and self._waiting[0] is own):
                self._changed.wait(_POLL_SECONDS)
                if stopped():
                    raise RunError(STOPPED)
        finally:
            self._waiting.remove(own)
            self._changed.notify_all()  # with several places, the next in line may have one, too


def count_cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
