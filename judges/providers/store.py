"""Texts by key in one SQLite file, shared by threads and by processes. It knows nothing of what they mean.

The file is in write-ahead mode: what was stored survives the end of the process, and half an entry never
shows. A store never fails a run: where it cannot be read or written it stops, and `problem` says why.
"""

import sqlite3
import threading
import time
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeVar

from judges.core.errors import RunError

T = TypeVar("T")

_BUSY_SECONDS = 10.0
_RETRY_SECONDS = 0.02
_READ_SECONDS = 0.05
_SCHEMA = """
CREATE TABLE IF NOT EXISTS entries (key TEXT PRIMARY KEY, value TEXT NOT NULL, stored REAL NOT NULL)
WITHOUT ROWID
"""
_BEYOND = """
DELETE FROM entries WHERE key IN (
    SELECT key FROM (
        SELECT key, SUM(LENGTH(CAST(value AS BLOB))) OVER (ORDER BY stored DESC, key) AS size FROM entries
    ) WHERE size > ?
)
"""


@dataclass(frozen=True, slots=True)
class StoreStats:
    """How much is stored: `bytes` on disk, and when the oldest and the newest entry were."""

    entries: int
    bytes: int
    oldest: datetime | None
    newest: datetime | None


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
        entries, oldest, newest = self._run(lambda connection: connection.execute(query).fetchone())
        return StoreStats(entries, self._size(), _moment(oldest), _moment(newest))

    def prune(self, *, older_than: timedelta | None = None, max_bytes: int | None = None) -> int:
        """Remove what was stored too long ago, then the oldest until `max_bytes` of text are left.

        Returns how many entries were removed; the file shrinks.

        Raises:
            RunError: the file cannot be written.
        """

        def remove(connection: sqlite3.Connection) -> int:
            removed = 0
            if older_than is not None:
                limit = self._now() - older_than.total_seconds()
                removed += connection.execute("DELETE FROM entries WHERE stored < ?", (limit,)).rowcount
            if max_bytes is not None:
                removed += connection.execute(_BEYOND, (max_bytes,)).rowcount
            connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            return removed

        return self._run(remove) if self.path.exists() else 0

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(
                self.path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            try:
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
            raise RunError(f"the cache at {self.path} cannot be used: {error}") from error

    def _stop(self, error: Exception) -> None:
        self.problem = f"the cache at {self.path} is off for the rest of the run: {error}"

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
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(_RETRY_SECONDS)


def _moment(seconds: float | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)
