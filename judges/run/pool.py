"""Work in threads, results in the caller's thread, items taken only as they are needed."""

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from queue import SimpleQueue
from typing import Generic, TypeVar

T = TypeVar("T")
R = TypeVar("R")

_PAUSE_SECONDS = 0.005
_MOST = 64


def run_pool(items: Iterable[T], work: Callable[[T], R], *, concurrency: int) -> Iterator[R]:
    """Yield `work(item)` for every item, as `run_batches` does, one by one."""
    for batch in run_batches(items, work, concurrency=concurrency):
        yield from batch


def run_batches(items: Iterable[T], work: Callable[[T], R], *, concurrency: int) -> Iterator[list[R]]:
    """Yield `work(item)` for every item, in the order they finish, at most `concurrency` at a time.

    What has finished meanwhile comes together, up to 64 at once: so short work is taken, and written, in few
    steps.

    Items are read lazily. An exception of `work`, or of reading the items, ends the pool and is raised here.
    When the caller stops iterating (or is interrupted) no further item is started; what is in flight is
    left behind in daemon threads, as a blocking call to a model cannot be taken back.
    """
    pool = _Pool(iter(items), work)
    for _ in range(concurrency):
        threading.Thread(target=pool.run_worker, daemon=True).start()
    running = concurrency
    try:
        while running:
            if pool.results.empty():  # to wake up for each result would cost more than short work itself
                time.sleep(_PAUSE_SECONDS)
            batch, ended = _split(pool.take())
            if batch:
                yield batch
            for done in ended:
                if done.error is not None:
                    raise done.error
            running -= len(ended)
    finally:
        pool.stopped.set()


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
        self._items = items
        self._work = work
        self._lock = threading.Lock()

    def take(self) -> Iterator[R | _Done]:
        """Wait for a result, and yield it with those that are there by then."""
        yield self.results.get()
        for _ in range(_MOST - 1):
            if self.results.empty():
                return
            yield self.results.get()

    def run_worker(self) -> None:
        try:
            for item in self._take():
                self.results.put(self._work(item))
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
