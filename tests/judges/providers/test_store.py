"""The file behind the cache: several users, sudden ends, and disks that will not do."""

import random
import resource
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from judges.core.errors import RunError
from judges.providers.store import Pruned, Store, StoreStats

WRITER = """
import sys
from pathlib import Path
from judges.providers.store import Store

store, name = Store(Path(sys.argv[1])), sys.argv[2]
for number in range(int(sys.argv[3])):
    store.put(f"{name}-{number}", "x" * 500)
    print(store.problem or number, flush=True)
"""

USER = """
import sys, time
from pathlib import Path
from judges.providers.store import Store

store, name, end = Store(Path(sys.argv[1])), sys.argv[2], time.monotonic() + float(sys.argv[3])
number, longest = 0, 0.0
assert store.get("5")
print("ready", flush=True)
while time.monotonic() < end:
    start = time.monotonic()
    if name == "stores":
        store.put(f"new-{number}", "x" * 2000)
    if name != "idles":
        assert store.get("5")
    longest = max(longest, time.monotonic() - start)
    number += 1
    time.sleep(0.001 if name != "idles" else 0.1)
print(number, longest, store.problem)
"""


def user(path: Path, name: str, seconds: float) -> subprocess.Popen[str]:
    """Another process that has read the entry 5, and goes on to use the file as its name says."""
    command = [sys.executable, "-c", USER, str(path), name, str(seconds)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def writer(path: Path, name: str, entries: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITER, str(path), name, str(entries)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_put_and_get(tmp_path: Path) -> None:
    """What was stored is found again, also after the file was closed; the newest value counts."""
    store = Store(tmp_path / "new" / "folder" / "cache.db")
    assert store.get("k") is None
    store.put("k", "old")
    store.put("k", "über 😀")
    assert store.get("k") == "über 😀"
    store.close()
    assert store.get("k") == "über 😀"
    assert Store(store.path).get("k") == "über 😀"
    assert store.problem is None


def test_threads(tmp_path: Path) -> None:
    """One store serves many threads."""
    store = Store(tmp_path / "cache.db")
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: store.put(str(number), "x"), range(400)))
        assert list(pool.map(lambda number: store.get(str(number)), range(400))) == ["x"] * 400
    assert store.problem is None


def test_processes(tmp_path: Path) -> None:
    """Processes that start at the same moment share one file."""
    path = tmp_path / "cache.db"
    processes = [writer(path, name, 50) for name in "abc"]
    outputs = [process.communicate(timeout=60)[0].split() for process in processes]
    assert outputs == [[str(number) for number in range(50)]] * 3
    assert Store(path).stats().entries == 150


def test_kill(tmp_path: Path) -> None:
    """After any sudden end all that was reported as stored is there, and the file is whole."""
    path = tmp_path / "cache.db"
    moments = random.Random(1)
    for name in range(20):
        process = writer(path, str(name), 100_000)
        assert process.stdout is not None
        reported = [process.stdout.readline() for _ in range(moments.randint(1, 40))]
        process.send_signal(signal.SIGKILL)
        reported += process.stdout.readlines()
        process.wait()
        process.stdout.close()
        store = Store(path)
        stored = [store.get(f"{name}-{number}") for number in range(len(reported))]
        store.close()
        assert stored == ["x" * 500] * len(reported)
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()


def test_full_disk(tmp_path: Path) -> None:
    """A full disk stops the storing with a sentence, keeps what was stored, and the program goes on."""
    path = tmp_path / "cache.db"
    limit = 200_000
    process = subprocess.run(
        [sys.executable, "-c", WRITER, str(path), "a", "600"],
        capture_output=True,
        text=True,
        check=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )
    lines = process.stdout.splitlines()
    stored = [line for line in lines if line.isdigit()]
    assert 10 < len(stored) < 600
    assert len(lines) == 600
    assert lines[-1].startswith(f"the cache at {path} is off for the rest of the run: ")
    store = Store(path)
    assert {store.get(f"a-{number}") for number in stored} == {"x" * 500}


def test_folder_that_cannot_be_written(tmp_path: Path) -> None:
    """A place that cannot hold a file turns the store off with a sentence."""
    (tmp_path / "file").write_text("")
    path = tmp_path / "file" / "cache.db"
    store = Store(path)
    assert store.get("k") is None
    store.put("k", "v")
    assert store.problem == (
        f"the cache at {path} is off for the rest of the run: [Errno 17] File exists: '{tmp_path / 'file'}'"
    )


def test_file_of_another_kind(tmp_path: Path) -> None:
    """A file that is no cache is left alone and named."""
    path = tmp_path / "cache.db"
    path.write_text("not a database, but long enough to be one" * 100)
    store = Store(path)
    assert store.get("k") is None
    store.put("k", "v")
    assert store.problem == (f"the cache at {path} is off for the rest of the run: file is not a database")
    with pytest.raises(RunError) as caught:
        store.stats()
    assert str(caught.value) == f"the cache at {path} cannot be used: file is not a database"
    assert path.read_text().startswith("not a database")


def test_stats(tmp_path: Path) -> None:
    """The number of entries, their span of time and the size on disk."""
    times = iter([1_000_000_000.0, 1_000_000_100.0])
    store = Store(tmp_path / "cache.db", now=lambda: next(times))
    assert store.stats() == StoreStats(0, 0, None, None)
    assert not store.path.exists()
    store.put("a", "x")
    store.put("b", "x" * 10_000)
    stats = store.stats()
    assert stats.entries == 2
    assert stats.bytes > 10_000
    assert stats.oldest == datetime(2001, 9, 9, 1, 46, 40, tzinfo=UTC)
    assert stats.newest == datetime(2001, 9, 9, 1, 48, 20, tzinfo=UTC)


def filled(path: Path) -> Store:
    """Ten entries of 1,000 bytes, stored ten seconds apart; it is now 100."""
    times = iter([float(number * 10) for number in range(10)])
    store = Store(path, now=lambda: next(times, 100.0))
    for number in range(10):
        store.put(str(number), "x" * 1000)
    return store


@pytest.mark.parametrize(
    ("older_than", "max_bytes", "left"),
    [
        pytest.param(timedelta(seconds=30), None, "789", id="by age"),
        pytest.param(None, 4500, "6789", id="by size"),
        pytest.param(timedelta(seconds=30), 1000, "9", id="by both"),
        pytest.param(None, 0, "", id="all"),
        pytest.param(None, None, "0123456789", id="none"),
    ],
)
def test_prune(tmp_path: Path, older_than: timedelta | None, max_bytes: int | None, left: str) -> None:
    """The oldest entries go first, and only they."""
    store = filled(tmp_path / "cache.db")
    removed = store.prune(older_than=older_than, max_bytes=max_bytes)
    assert removed == Pruned(10 - len(left))
    assert "".join(str(number) for number in range(10) if store.get(str(number))) == left


def test_prune_frees_the_disk(tmp_path: Path) -> None:
    """The file is smaller afterwards."""
    store = filled(tmp_path / "cache.db")
    for number in range(200):
        store.put(f"more-{number}", "x" * 1000)
    before = store.stats().bytes
    store.prune(max_bytes=0)
    assert store.stats().bytes < before / 10


def test_prune_of_an_older_file(tmp_path: Path) -> None:
    """A file that an earlier version made, which cannot shrink in steps, is made one that can."""
    path = tmp_path / "cache.db"
    older = sqlite3.connect(path)
    older.execute("PRAGMA journal_mode = WAL")
    older.execute(
        "CREATE TABLE entries (key TEXT PRIMARY KEY, value TEXT NOT NULL, stored REAL NOT NULL) WITHOUT ROWID"
    )
    older.executemany("INSERT INTO entries VALUES (?, ?, ?)", [(str(n), "x" * 5000, n) for n in range(200)])
    older.commit()
    older.close()
    assert Store(path, now=lambda: 200.0).prune(older_than=timedelta(seconds=10)) == Pruned(190)
    assert path.stat().st_size < 200_000
    newer = sqlite3.connect(path)
    assert newer.execute("PRAGMA auto_vacuum").fetchone() == (2,)
    assert newer.execute("SELECT COUNT(*) FROM entries").fetchone() == (10,)
    newer.close()


@pytest.mark.parametrize(
    ("names", "in_use"),
    [
        pytest.param(["idles"], True, id="one that has read, and does nothing"),
        pytest.param(["idles", "stores"], True, id="one that does nothing, and one that stores"),
        pytest.param(["reads", "reads"], False, id="two that read all the while"),
        pytest.param(["reads", "stores"], False, id="one that reads, and one that stores"),
    ],
)
def test_prune_while_others_use_the_file(tmp_path: Path, names: list[str], in_use: bool) -> None:
    """Nobody waits long for anybody, and each comes to the right end."""
    store = filled(tmp_path / "cache.db")
    for number in range(1500):
        store.put(f"old-{number}", "x" * 3000)
    store.put("5", "x")
    others = [user(store.path, name, 4) for name in names]
    time.sleep(0.1)
    start = time.monotonic()
    pruned = Store(store.path, now=lambda: 101.0).prune(max_bytes=1_000_000)
    took = time.monotonic() - start
    ends = [each.communicate(timeout=60)[0].split() for each in others]
    assert took < 4
    assert 1000 < pruned.entries <= 1511
    assert pruned.in_use is in_use
    assert [problem for _, _, problem in ends] == ["None"] * len(names)
    assert max(float(longest) for _, longest, _ in ends) < 2
    assert store.prune() == Pruned(0)
    assert store.path.stat().st_size < 4_000_000 + 10_000 * sum(int(number) for number, *_ in ends)
    connection = sqlite3.connect(store.path)
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()


def test_a_file_that_is_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that another program does not let go of is told in words, whether answers are kept or removed."""
    monkeypatch.setattr("judges.providers.store._BUSY_SECONDS", 0.2)
    path = filled(tmp_path / "cache.db").path
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    store = Store(path)
    store.put("late", "v")
    with pytest.raises(RunError) as caught:
        Store(path).prune(max_bytes=0)
    other.close()
    held = "another program has been writing it for 0 seconds"
    assert store.problem == f"the cache at {path} is off for the rest of the run: {held}"
    assert str(caught.value) == f"the cache at {path} cannot be used: {held}"


def test_what_was_pruned_is_nowhere(tmp_path: Path) -> None:
    """Of removed answers nothing is left between those that stay."""
    times = iter([float(number % 2) for number in range(400)])
    store = Store(tmp_path / "cache.db", now=lambda: next(times, 2.0))
    for number in range(400):
        store.put(f"{number * 7919 % 401:03}", f"{'kept' if number % 2 else 'secret'} {number}" * 5)
    assert store.prune(older_than=timedelta(seconds=1.5)) == Pruned(200)
    data = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert (data.count(b"secret"), data.count(b"kept")) == (0, 1000)


def test_prune_of_nothing(tmp_path: Path) -> None:
    """Where there is no cache, none is made."""
    store = Store(tmp_path / "cache.db")
    assert store.prune(max_bytes=0) == Pruned(0)
    assert not store.path.exists()


def test_a_busy_file_is_waited_for(tmp_path: Path) -> None:
    """Another process that writes just now is waited for."""
    store = filled(tmp_path / "cache.db")
    other = sqlite3.connect(store.path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    timer = threading.Timer(0.2, lambda: other.execute("COMMIT"))
    timer.start()
    store.put("late", "v")
    timer.join()
    other.close()
    assert store.problem is None
    assert store.get("late") == "v"


def test_what_others_store_is_seen(tmp_path: Path) -> None:
    """Hits share a transaction, but not for long, and a miss ends it: what another one stored is found."""
    mine, theirs = Store(tmp_path / "answers.sqlite"), Store(tmp_path / "answers.sqlite")
    mine.put("known", "1")
    assert mine.get("known") == "1"
    theirs.put("new", "2")
    mine.get("new")
    assert mine.get("new") == "2"
    assert mine.get("known") == "1"
    theirs.put("known", "3")
    time.sleep(0.06)
    assert mine.get("known") == "3"
