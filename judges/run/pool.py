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
_BUSY = 0.85
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
    When the caller stops iterating no further item is started; what is in flight is left behind in daemon
    threads, as a blocking call to a model cannot be taken back. So it is with an interrupt, which is raised
    once what has finished is given.
    """
    pool = _Pool(iter(items), work, concurrency)
    try:
        pool.start(1)
        while pool.running:
            pool.wait()
            with pool.turn:
                if batch := pool.take():
                    yield batch
            if pool.error is not None:
                raise pool.error
    except KeyboardInterrupt:
        pool.stopped.set()
        with pool.turn:
            if batch := pool.take():
                yield batch
        raise
    finally:
        pool.stopped.set()


class _Done:
    """A worker's last word: nothing, or the exception that ended it."""

    def __init__(self, error: BaseException | None) -> None:
        self.error = error


class _Pool(Generic[T, R]):
    """The workers and what they share. `turn` is the caller's while it handles what has finished."""

    def __init__(self, items: Iterator[T], work: Callable[[T], R], most: int) -> None:
        self.stopped = threading.Event()
        self.turn = threading.Lock()
        self.running = 0
        self.error: BaseException | None = None
        self._items = items
        self._work = work
        self._most = most
        self._workers = 0
        self._busy, self._idle = False, 0
        self._lock = threading.Lock()
        self._results: SimpleQueue[R | _Done] = SimpleQueue()
        self._first: list[R | _Done] = []

    def wait(self) -> None:
        """Return once there is a result, after a pause; start workers as long as the processor is idle."""
        self._pause()
        while self._results.empty() and self._workers < self._most:
            self._pause()
        self._first.append(self._results.get())

    def take(self) -> list[R]:
        """Return the results that are there, some at least after `wait`, and take note of who has ended."""
        taken, self._first = self._first, []
        while len(taken) < _MOST and not self._results.empty():
            taken.append(self._results.get())
        batch = [result for result in taken if not isinstance(result, _Done)]
        for done in taken:
            if isinstance(done, _Done):
                self.running -= 1
                self.error = self.error or done.error
        return batch

    def _pause(self) -> None:
        """Sleep a little; double the workers where the processor was idle, but for once: files are opened."""
        wall, used = time.perf_counter(), time.process_time()
        time.sleep(_BUSY_PAUSE_SECONDS if self._busy else _PAUSE_SECONDS)
        share = (time.process_time() - used) / (time.perf_counter() - wall)
        self._busy = share >= _BUSY or self._results.qsize() >= _MANY
        self._idle = 0 if self._busy else self._idle + 1
        if self._idle > 1 and self.running == self._workers < self._most:
            self.start(min(self._workers, self._most - self._workers))

    def start(self, count: int) -> None:
        """Start so many more workers."""
        self._workers += count
        self.running += count
        for _ in range(count):
            threading.Thread(target=self._run_worker, daemon=True).start()

    def _run_worker(self) -> None:
        try:
            for item in self._take_items():
                result = self._work(item)
                with self.turn:
                    self._results.put(result)
        except BaseException as error:  # noqa: BLE001  (raised in the caller's thread)
            self._results.put(_Done(error))
        else:
            self._results.put(_Done(None))

    def _take_items(self) -> Iterator[T]:
        """Yield items until there is none left or the pool is stopped; one thread at a time reads them."""
        while not self.stopped.is_set():
            try:
                with self._lock:
                    item = next(self._items)
            except StopIteration:
                return
            yield item
