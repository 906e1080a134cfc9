"""Texts by key in one SQLite file, shared by threads and by processes. It knows nothing of what they mean.

The file is in write-ahead mode: what was stored survives the end of the process, and half an entry never
shows. A store never fails a run: where it cannot be read or written it stops, and `problem` says why.
"""

import os
import sqlite3
import threading
import time
import weakref
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

from judges.core.errors import RunError

T = TypeVar("T")

_BUSY_SECONDS = 30.0
_RETRY_SECONDS = 0.02
_READ_SECONDS = 0.05
_SHRINK_SECONDS = 1.0
_ENTRIES, _PAGES = 500, 1000  # removed in one step: others that store wait for tens of milliseconds at most
_SCHEMA = """
CREATE TABLE IF NOT EXISTS entries (key TEXT PRIMARY KEY, value TEXT NOT NULL, stored REAL NOT NULL)
WITHOUT ROWID
"""
_OLDER = "SELECT key, stored FROM entries WHERE stored < ?"
_BEYOND = """
SELECT key, stored FROM (
    SELECT key, stored, SUM(LENGTH(CAST(value AS BLOB))) OVER (ORDER BY stored DESC, key) AS size FROM entries
) WHERE size > ?
"""


@dataclass(frozen=True, slots=True)
class StoreStats:
    """How much is stored: `bytes` on disk, and when the oldest and the newest entry were."""

    entries: int
    bytes: int
    oldest: datetime | None
    newest: datetime | None


@dataclass(frozen=True, slots=True)
class Pruned:
    """How many entries were removed; `in_use` tells that a reader keeps the file from shrinking for now."""

    entries: int
    in_use: bool = False


class Store:
    """One file of entries. It is opened, and created, at the first use. `now` returns seconds since 1970."""

    def __init__(self, path: Path, now: Callable[[], float] = time.time) -> None:
        self.path = path
        self.problem: str | None = None
        self._now = now
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._read_until = 0.0

    def get(self, key: str) -> str | None:
        """Return the text of a key, or None."""
        if self.problem:
            return None
        try:
            with self._lock:
                connection = self._reading()
                row = connection.execute("SELECT value FROM entries WHERE key = ?", (key,)).fetchone()
                if row is None:
                    self._end_reading()
        except (sqlite3.Error, OSError) as error:
            self._stop(error)
            return None
        return str(row[0]) if row else None

    def put(self, key: str, value: str) -> None:
        """Store a text. It is safe once this returns, unless `problem` is set."""
        if self.problem:
            return
        try:
            with self._lock:
                row = (key, value, self._now())
                self._end_reading()
                self._open().execute("INSERT OR REPLACE INTO entries VALUES (?, ?, ?)", row)
        except (sqlite3.Error, OSError) as error:
            self._stop(error)

    def stats(self) -> StoreStats:
        """Return how much is stored.

        Raises:
            RunError: the file cannot be read.
        """
        if not self.path.exists():
            return StoreStats(0, 0, None, None)
        query = "SELECT COUNT(*), MIN(stored), MAX(stored) FROM entries"
        entries, oldest, newest = self._look(query)
        return StoreStats(entries, self._size(), _moment(oldest), _moment(newest))

    def _look(self, query: str) -> Any:
        """Return the one row that a query finds, also where the file's folder cannot be written."""
        try:
            return self._run(lambda connection: connection.execute(query).fetchone())
        except RunError:
            if os.access(self.path, os.W_OK) and os.access(self.path.parent, os.W_OK):
                raise
        try:
            address = f"{self.path.absolute().as_uri()}?immutable=1"  # else SQLite needs files beside it
            with closing(sqlite3.connect(address, uri=True)) as connection:
                return connection.execute(query).fetchone()
        except sqlite3.Error as error:
            raise RunError(f"the cache at {self.path} cannot be read: {error}") from error

    def prune(self, *, older_than: timedelta | None = None, max_bytes: int | None = None) -> Pruned:
        """Remove what was stored too long ago, then the oldest until `max_bytes` of text are left.

        The file shrinks; where another program reads it all the while, its end is left to that program. Other
        programs may store meanwhile.

        Raises:
            RunError: the file cannot be written.
        """

        def remove(connection: sqlite3.Connection) -> Pruned:
            connection.execute("PRAGMA secure_delete = ON")  # what is removed is nowhere in the file
            removed = 0
            if older_than is not None:
                removed += _remove(connection, _OLDER, self._now() - older_than.total_seconds())
            if max_bytes is not None:
                removed += _remove(connection, _BEYOND, max_bytes)
            return Pruned(removed, in_use=not _shrink(connection))

        return self._run(remove) if self.path.exists() else Pruned(0)

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            is_new = not self.path.exists()
            connection = sqlite3.connect(
                self.path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            try:
                if is_new:
                    connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
                _write_ahead(connection)
                connection.execute("PRAGMA synchronous = NORMAL")
                connection.execute(_SCHEMA)
            except sqlite3.Error:
                connection.close()
                raise
            self._connection = connection
            # Not at the end of the process: after an interrupt a thread may still be inside SQLite then.
            weakref.finalize(self, connection.close).atexit = False
        return self._connection

    def _reading(self) -> sqlite3.Connection:
        """Return the connection in a transaction that hits in a row share: each would take locks of its own.

        It is kept short, so that what other processes store is seen, and ended by whatever else is done.
        """
        connection, now = self._open(), time.monotonic()
        if connection.in_transaction and now > self._read_until:
            connection.execute("COMMIT")
        if not connection.in_transaction:
            connection.execute("BEGIN")
            self._read_until = now + _READ_SECONDS
        return connection

    def _end_reading(self) -> None:
        if self._connection is not None and self._connection.in_transaction:
            self._connection.execute("COMMIT")

    def _run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        try:
            with self._lock:
                self._end_reading()
                return work(self._open())
        except (sqlite3.Error, OSError) as error:
            raise RunError(f"the cache at {self.path} cannot be used: {_explain(error)}") from error

    def _stop(self, error: Exception) -> None:
        self.problem = f"the cache at {self.path} is off for the rest of the run: {_explain(error)}"

    def _size(self) -> int:
        files = (self.path, self.path.with_name(self.path.name + "-wal"))
        return sum(file.stat().st_size for file in files if file.exists())


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Switch the file's mode. SQLite does not wait here when another process is doing the same."""
    deadline = time.monotonic() + _BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if not _is_busy(error) or time.monotonic() > deadline:
                raise
            time.sleep(_RETRY_SECONDS)


def _remove(connection: sqlite3.Connection, query: str, limit: float) -> int:
    """Remove what a query finds, but for what was stored anew meanwhile; return how many entries."""
    found = connection.execute(query, (limit,)).fetchall()
    removed = 0
    for start in range(0, len(found), _ENTRIES):
        connection.execute("BEGIN IMMEDIATE")
        with connection:
            removed += connection.executemany(
                "DELETE FROM entries WHERE key = ? AND stored = ?", found[start : start + _ENTRIES]
            ).rowcount
        time.sleep(_RETRY_SECONDS)
    return removed


def _shrink(connection: sqlite3.Connection) -> bool:
    """Give free pages back to the disk; return whether all could be."""
    if not connection.execute("PRAGMA auto_vacuum").fetchone()[0]:  # made by an earlier version: once
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        connection.execute("VACUUM")
    for _ in range(0, connection.execute("PRAGMA freelist_count").fetchone()[0], _PAGES):
        connection.executescript(f"PRAGMA incremental_vacuum({_PAGES})")  # `execute` would stop at the first
        time.sleep(_RETRY_SECONDS)
    return _fold(connection)


def _fold(connection: sqlite3.Connection) -> bool:
    """Move the write-ahead file into the main one; return whether that came to its end.

    It takes all readers to go on to what is newest, and nobody else writes while SQLite waits for them: it
    is given a little more than what a reader takes, again and again, as it does not see that one has gone on.
    """
    deadline = time.monotonic() + _SHRINK_SECONDS
    _wait_for(connection, 2 * _READ_SECONDS)
    try:
        while connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
            if time.monotonic() > deadline:
                return False
        return True
    finally:
        _wait_for(connection, _BUSY_SECONDS)


def _wait_for(connection: sqlite3.Connection, seconds: float) -> None:
    connection.execute(f"PRAGMA busy_timeout = {seconds * 1000:.0f}")


def _is_busy(error: Exception) -> bool:
    return isinstance(error, sqlite3.Error) and error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY


def _explain(error: Exception) -> str:
    if _is_busy(error):
        return f"another program has been writing it for {_BUSY_SECONDS:.0f} seconds"
    return str(error)


def _moment(seconds: float | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)
