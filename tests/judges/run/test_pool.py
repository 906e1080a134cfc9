"""Work in threads: lazily read, at most so much at a time, errors in the caller's thread."""

import signal
import threading
import time
from collections.abc import Iterator

import pytest

from judges.run import pool
from judges.run.pool import run_batches, run_pool


def test_every_item_once() -> None:
    """Every item is worked on exactly once, whatever the order."""
    assert sorted(run_pool(range(200), lambda item: item * 2, concurrency=8)) == list(range(0, 400, 2))


def test_no_items() -> None:
    """Nothing to do is done at once."""
    assert list(run_pool([], lambda item: item, concurrency=4)) == []


def test_concurrency_is_reached_and_kept() -> None:
    """As many as allowed run at a time, and never more."""
    barrier = threading.Barrier(4, timeout=10)
    running = threading.Semaphore(4)

    def work(item: int) -> bool:
        free = running.acquire(blocking=False)
        barrier.wait()
        running.release()
        return free

    assert all(run_pool(range(16), work, concurrency=4))


def test_items_are_read_as_needed() -> None:
    """No more items are taken than there are workers, while nothing has finished."""
    taken: list[int] = []
    started = threading.Barrier(4, timeout=10)
    go = threading.Event()

    def work(item: int) -> None:
        if item < 3:
            started.wait()
            go.wait(10)

    source = (taken.append(item) or item for item in range(100))
    caller = threading.Thread(target=lambda: list(run_pool(source, work, concurrency=3)))
    caller.start()
    started.wait()
    assert taken == [0, 1, 2]
    go.set()
    caller.join(10)
    assert len(taken) == 100


@pytest.mark.parametrize("fails", ["work", "items"])
def test_errors_reach_the_caller(fails: str) -> None:
    """An exception of the work, or of reading the items, is raised where the results are used."""

    def items() -> Iterator[int]:
        yield 1
        if fails == "items":
            raise ValueError("broken")
        yield 2

    def work(item: int) -> int:
        if fails == "work" and item == 2:
            raise ValueError("broken")
        return item

    with pytest.raises(ValueError, match="broken"):
        list(run_pool(items(), work, concurrency=2))


def test_stopping_starts_nothing_more() -> None:
    """When the caller stops, what is in flight ends and nothing else begins."""
    started: list[int] = []

    def work(item: int) -> int:
        started.append(item)
        time.sleep(0.02)
        return item

    results = run_pool(range(1000), work, concurrency=2)
    next(results)
    results.close()
    time.sleep(0.1)
    assert len(started) <= 6


def test_what_has_finished_comes_together() -> None:
    """Short work comes in batches of a limited size, and nothing is left out of them."""
    batches = list(run_batches(range(2000), lambda item: item, concurrency=2))
    assert sorted(item for batch in batches for item in batch) == list(range(2000))
    assert 1 < max(map(len, batches)) <= 256


def test_results_before_an_error_are_given() -> None:
    """What was finished when some work failed comes first, then the error."""

    def work(item: int) -> int:
        if item == 3:
            raise ValueError("no")
        return item

    given: list[int] = []

    def take() -> None:
        for batch in run_batches(range(10), work, concurrency=1):
            given.extend(batch)

    with pytest.raises(ValueError, match="no"):
        take()
    assert given == [0, 1, 2]


def test_what_has_finished_is_given_before_an_interrupt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C while nothing is handed over loses nothing that is done, and starts nothing more."""
    monkeypatch.setattr(pool, "_PAUSE_SECONDS", 0.5)  # all of it is done in the first pause
    started: list[int] = []
    caller = threading.get_ident()

    def work(item: int) -> int:
        started.append(item)
        if item == 2:
            signal.pthread_kill(caller, signal.SIGINT)
            time.sleep(0.2)
        return item

    given: list[int] = []

    def take() -> None:
        for batch in run_batches(range(10), work, concurrency=1):
            given.extend(batch)

    with pytest.raises(KeyboardInterrupt):
        take()
    time.sleep(0.3)
    assert (given, started) == ([0, 1], [0, 1, 2])
