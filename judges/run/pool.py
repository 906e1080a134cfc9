"""Work in threads, results in the caller's thread, items taken only as they are needed."""

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from queue import SimpleQueue
from typing import Generic, TypeVar

T = TypeVar("T")
R = TypeVar("R")

_PAUSE_SECONDS = 0.005
_BUSY_PAUSE_SECONDS = 0.05  # to wake up costs more than short work itself
_BUSY = 0.5
"""The share of a pause in which this process had the processor, from which on more threads would not help."""
_MANY = 32
"""So much finished in a pause is short work, even where others have had the processor."""
_MOST = 256


def run_pool(items: Iterable[T], work: Callable[[T], R], *, concurrency: int) -> Iterator[R]:
    """Yield `work(item)` for every item, as `run_batches` does, one by one."""
    for batch in run_batches(items, work, concurrency=concurrency):
        yield from batch


def run_batches(items: Iterable[T], work: Callable[[T], R], *, concurrency: int) -> Iterator[list[R]]:
    """Yield `work(item)` for every item, in the order they finish, at most `concurrency` at a time.

    What has finished meanwhile comes together, up to 256 at once, and no worker hands over more while the
    caller has it: so short work is taken, and written, in few steps. It starts with one worker, and doubles
    them while the processor is idle: work that waits for others soon has all of them, while short computing
    stays in one thread, where more would only get in each other's way.

    Items are read lazily. An exception of `work`, or of reading the items, ends the pool and is raised here.
    When the caller stops iterating (or is interrupted) no further item is started; what is in flight is
    left behind in daemon threads, as a blocking call to a model cannot be taken back.
    """
    pool = _Pool(iter(items), work)
    workers = running = pool.start(1)
    busy, idle = False, 0
    try:
        while running:
            share = _pause(_BUSY_PAUSE_SECONDS if busy else _PAUSE_SECONDS)
            busy = share >= _BUSY or pool.results.qsize() >= _MANY
            idle = 0 if busy else idle + 1
            if idle > 1 and running == workers < concurrency:  # once may be a file that is opened
                more = pool.start(min(workers, concurrency - workers))
                workers, running = workers + more, running + more
            if workers < concurrency and pool.results.empty():
                continue
            first = pool.results.get()
            with pool.turn:
                batch, ended = _split([first, *pool.take_more()])
                if batch:
                    yield batch
            for done in ended:
                if done.error is not None:
                    raise done.error
            running -= len(ended)
    finally:
        pool.stopped.set()


def _pause(seconds: float) -> float:
    """Sleep a little; return the share of that time in which this process had the processor."""
    wall, busy = time.perf_counter(), time.process_time()
    time.sleep(seconds)
    return (time.process_time() - busy) / (time.perf_counter() - wall)


class _Done:
    """A worker's last word: nothing, or the exception that ended it."""

    def __init__(self, error: BaseException | None) -> None:
        self.error = error


def _split(results: Iterable[R | _Done]) -> tuple[list[R], list[_Done]]:
    batch: list[R] = []
    ended: list[_Done] = []
    for result in results:
        if isinstance(result, _Done):
            ended.append(result)
        else:
            batch.append(result)
    return batch, ended


class _Pool(Generic[T, R]):
    """What the workers share."""

    def __init__(self, items: Iterator[T], work: Callable[[T], R]) -> None:
        self.results: SimpleQueue[R | _Done] = SimpleQueue()
        self.stopped = threading.Event()
        self.turn = threading.Lock()
        """The caller has it while it handles what has finished."""
        self._items = items
        self._work = work
        self._lock = threading.Lock()

    def start(self, count: int) -> int:
        """Start so many more workers, and return how many."""
        for _ in range(count):
            threading.Thread(target=self.run_worker, daemon=True).start()
        return count

    def take_more(self) -> Iterator[R | _Done]:
        """Yield the results that are there, as far as they go together with a first one."""
        for _ in range(_MOST - 1):
            if self.results.empty():
                return
            yield self.results.get()

    def run_worker(self) -> None:
        try:
            for item in self._take():
                result = self._work(item)
                with self.turn:
                    self.results.put(result)
        except BaseException as error:  # noqa: BLE001  (raised in the caller's thread)
            self.results.put(_Done(error))
        else:
            self.results.put(_Done(None))

    def _take(self) -> Iterator[T]:
        """Yield items until there is none left or the pool is stopped; one thread at a time reads them."""
        while not self.stopped.is_set():
            try:
                with self._lock:
                    item = next(self._items)
            except StopIteration:
                return
            yield item
