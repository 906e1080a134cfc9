"""One writer at a time."""

import fcntl
import sys
import threading
from pathlib import Path

import pytest

from judges.core.errors import ConfigError
from judges.files.lock import locked


def test_the_lock_leaves_nothing(tmp_path: Path) -> None:
    """While the block runs the lock stands beside the file; afterwards it is gone, also after an error."""
    with locked(tmp_path / "a.yaml"):
        assert [each.name for each in tmp_path.iterdir()] == [".a.yaml.lock"]
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(ZeroDivisionError), locked(tmp_path / "a.yaml"):
        raise ZeroDivisionError
    assert list(tmp_path.iterdir()) == []


def test_a_link_is_locked_as_its_file(tmp_path: Path) -> None:
    """Two names of one file have one lock."""
    (tmp_path / "link.yaml").symlink_to(tmp_path / "a.yaml")
    with (
        locked(tmp_path / "a.yaml"),
        pytest.raises(ConfigError),
        locked(tmp_path / "link.yaml", wait_seconds=0),
    ):
        pass


def test_a_lock_of_a_killed_process_is_taken_over(tmp_path: Path) -> None:
    """A file that is left behind locks nobody out."""
    (tmp_path / ".a.yaml.lock").touch()
    with locked(tmp_path / "a.yaml", wait_seconds=0):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_lock_that_is_held_for_too_long(tmp_path: Path) -> None:
    """Nobody waits for ever: the file and what to do are named."""
    with (tmp_path / ".a.yaml.lock").open("w") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        with pytest.raises(ConfigError) as caught, locked(tmp_path / "a.yaml", wait_seconds=0.05):
            pass
    assert str(caught.value) == (
        f"{tmp_path}/a.yaml: is being written by another program (try again; if no other program writes it, "
        f"remove {tmp_path}/.a.yaml.lock)"
    )


def test_threads_take_turns(tmp_path: Path) -> None:
    """A block is never inside another one, in threads of one process either."""
    inside: list[int] = []
    most: list[int] = []

    def write() -> None:
        for _ in range(20):
            with locked(tmp_path / "a.yaml"):
                inside.append(1)
                most.append(len(inside))
                inside.pop()

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert (len(most), max(most)) == (80, 1)


def test_a_system_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where files cannot be locked it is said, and nothing is written."""
    monkeypatch.setitem(sys.modules, "fcntl", None)
    with pytest.raises(ConfigError, match="this system has no locks"), locked(tmp_path / "a.yaml"):
        pass
