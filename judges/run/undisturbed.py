"""What Ctrl-C does not stop: the end of a run, which is short and makes of its files a whole."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def undisturbed() -> Iterator[None]:
    """Pass over interrupts. They reach the main thread alone: in another one there is nothing to do.

    Programs that are started meanwhile can be interrupted, as the signal is handled, not ignored.
    """
    before = signal.getsignal(signal.SIGINT)
    if before is None or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGINT, lambda *_: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
