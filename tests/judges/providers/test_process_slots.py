"""Slots: never more at once than there are, in any mix of threads, and first come first served."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from judges.core.errors import RunError
from judges.providers.process.slots import Slots, count_cores


class Meter:
    """Counts how many are inside at once."""

    def __init__(self) -> None:
        self.most = self._now = 0
        self._lock = threading.Lock()

    def work(self) -> None:
        with self._lock:
            self._now += 1
            self.most = max(self.most, self._now)
        time.sleep(0.05)
        with self._lock:
            self._now -= 1


@pytest.mark.parametrize(("jobs", "serial", "most"), [(1, False, 1), (3, False, 3), (3, True, 1)])
def test_most_at_once(jobs: int, serial: bool, most: int) -> None:
    """As many as there are jobs; serial ones one at a time."""
    slots, meter = Slots(jobs), Meter()

    def work(_: int) -> None:
        with slots.slot(serial=serial):
            meter.work()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    assert meter.most == most


def test_serial_ones_leave_room() -> None:
    """A serial one that waits for another holds no place that somebody else could have."""
    slots = Slots(2)

    def hold() -> None:
        with slots.slot(serial=True):
            pass

    with ThreadPoolExecutor(1) as pool:
        with slots.slot(serial=True):
            waiting = pool.submit(hold)
            time.sleep(0.1)
            with slots.slot():
                assert not waiting.done()
        waiting.result(5)


def test_a_slot_is_given_back() -> None:
    """Also by who fails."""
    slots = Slots(1)
    for _ in range(2):
        with pytest.raises(KeyError), slots.slot(serial=True):
            raise KeyError


@pytest.mark.parametrize("serial", [False, True])
def test_first_come_first_served(serial: bool) -> None:
    """Who waits longer than it takes to look again does not lose the turn, nor does a newcomer get it."""
    slots, served = Slots(1), list[int]()

    def work(number: int) -> None:
        with slots.slot(serial=serial):
            served.append(number)
            time.sleep(0.05)

    with ThreadPoolExecutor(12) as pool, slots.slot(serial=serial):
        for number in range(12):
            pool.submit(work, number)
            time.sleep(0.05)
    assert served == list(range(12))


def test_who_goes_away_keeps_nobody_waiting() -> None:
    """A place that the first in line gave up goes to the next at once."""
    slots, stop = Slots(1), threading.Event()

    def wait(stopped: Callable[[], bool]) -> None:
        with slots.slot(stopped=stopped):
            pass

    with ThreadPoolExecutor(2) as pool:
        with slots.slot():
            first = pool.submit(wait, stop.is_set)
            time.sleep(0.05)
            second = pool.submit(wait, lambda: False)
            stop.set()
            assert isinstance(first.exception(5), RunError)
        second.result(5)


def test_stopped() -> None:
    """Who waits when the run is stopped goes away, and leaves nothing locked."""
    slots, stop = Slots(1), threading.Event()
    threading.Timer(0.1, stop.set).start()
    waiting = slots.slot(serial=True, stopped=stop.is_set)
    with slots.slot(), pytest.raises(RunError, match="stopped before this was started"), waiting:
        raise AssertionError
    with slots.slot(serial=True):
        pass


def test_cores() -> None:
    """As many as there are cores, unless it is said."""
    assert Slots().jobs == count_cores() >= 1
