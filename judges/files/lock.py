"""One writer at a time: a lock on a file that several processes and threads add to."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from judges.core.errors import ConfigError, Problem
from judges.files.text import display_path
from judges.files.whole import named_errors

WAIT_SECONDS = 30.0
_PAUSE_SECONDS = 0.01


@contextmanager
def locked(path: Path, wait_seconds: float = WAIT_SECONDS) -> Iterator[None]:
    """Keep every other writer away from a file while the block runs.

    The lock is a file beside it, `.NAME.lock`, which is gone afterwards. One that a killed process left is
    taken over at once: what counts is the operating system's lock on it.

    Raises:
        ConfigError: another writer has held the lock for too long, or this system has no such locks.
        OSError: the folder cannot be written.
    """
    place = path.resolve()
    lock = place.with_name(f".{place.name}.lock")
    with named_errors(path, lock):
        handle = _take(lock, path, time.monotonic() + wait_seconds)
    try:
        yield
    finally:
        lock.unlink(missing_ok=True)  # while it is held: whoever waits for it sees that it is gone
        os.close(handle)


def _take(lock: Path, path: Path, deadline: float) -> int:
    while True:
        handle = os.open(lock, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            if _is_ours(handle, lock, path):
                return handle
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)
        if time.monotonic() > deadline:
            hint = f"try again; if no other program writes it, remove {display_path(lock)}"
            raise ConfigError([Problem("is being written by another program", display_path(path), hint=hint)])
        time.sleep(_PAUSE_SECONDS)


def _is_ours(handle: int, lock: Path, path: Path) -> bool:
    """Whether the lock could be taken, and is still the file of that name."""
    try:
        import fcntl
    except ImportError:
        message = "cannot be written safely: this system has no locks that several programs share"
        raise ConfigError([Problem(message, display_path(path), hint="edit the file by hand")]) from None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return os.path.samestat(os.fstat(handle), lock.stat())
    except (BlockingIOError, FileNotFoundError):
        return False
