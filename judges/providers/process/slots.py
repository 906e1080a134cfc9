"""How many programs run at once on this machine: one number for everything that shares it."""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from judges.core.errors import RunError

STOPPED = "the run was stopped before this was started"
_POLL_SECONDS = 0.2


class Slots:
    """Places for `jobs` programs; as many as there are cores, unless a number is given.

    A client at start-up keeps a core busy for a second: more at once make all of them late. Safe to use from
    several threads.
    """

    def __init__(self, jobs: int | None = None) -> None:
        self.jobs = jobs or count_cores()
        self._free = threading.Semaphore(self.jobs)
        self._serial = threading.Lock()

    @contextmanager
    def slot(self, *, serial: bool = False, stopped: Callable[[], bool] = lambda: False) -> Iterator[None]:
        """Wait for a place and hold it. Those that are `serial` run one after the other.

        Raises:
            RunError: the run was stopped meanwhile.
        """
        locks = (self._serial, self._free) if serial else (self._free,)
        held: list[threading.Lock | threading.Semaphore] = []
        try:
            for lock in locks:
                _acquire(lock, stopped)
                held.append(lock)
            if stopped():
                raise RunError(STOPPED)
            yield
        finally:
            for lock in reversed(held):
                lock.release()


def count_cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _acquire(lock: "threading.Lock | threading.Semaphore", stopped: Callable[[], bool]) -> None:
    while not lock.acquire(timeout=_POLL_SECONDS):
        if stopped():
            raise RunError(STOPPED)
