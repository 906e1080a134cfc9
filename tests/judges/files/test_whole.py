"""Files written whole: what they hold, who may read them, and what becomes of an earlier one."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from judges.files.whole import write_whole


@pytest.fixture
def umask() -> Iterator[None]:
    """Let the owner write, the group read, and nobody else do anything."""
    before = os.umask(0o027)
    yield
    os.umask(before)


def mode(path: Path) -> str:
    return oct(path.stat().st_mode & 0o7777)


@pytest.mark.parametrize("kept", ["0o640", "0o600", "0o664", "0o755", "0o444"])
@pytest.mark.usefixtures("umask")
def test_an_earlier_file_keeps_its_permissions(tmp_path: Path, kept: str) -> None:
    """They hold from the first byte on, whatever the umask says, and where a link leads there, too."""
    path, link = tmp_path / "report.json", tmp_path / "link.json"
    path.write_text("old")
    path.chmod(int(kept, 8))
    link.symlink_to(path)
    with write_whole(link) as file:
        assert mode(Path(file.name)) == kept
        file.write("new")
    assert (path.read_text(), mode(path), link.is_symlink()) == ("new", kept, True)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["link.json", "report.json"]


@pytest.mark.usefixtures("umask")
def test_a_new_file_has_what_the_umask_leaves(tmp_path: Path) -> None:
    """As any file that a program makes."""
    with write_whole(tmp_path / "new.txt") as file:
        file.write("x")
    assert mode(tmp_path / "new.txt") == "0o640"


def test_an_earlier_file_stays_where_writing_fails(tmp_path: Path) -> None:
    """With its text and its permissions, and with nothing beside it."""
    path = tmp_path / "report.json"
    path.write_text("old")
    path.chmod(0o600)
    with pytest.raises(UnicodeEncodeError), write_whole(path) as file:
        file.write("new, then half a character: \ud800")
    assert (path.read_text(), mode(path), list(tmp_path.iterdir())) == ("old", "0o600", [path])
