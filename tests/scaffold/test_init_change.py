"""What setting up a project changes, and what it leaves."""

import errno
from functools import partial
from pathlib import Path

import pytest

import scaffold.init.change
from judges.core.errors import ScaffoldError
from scaffold.init.change import Change, State, plan_changes, render_diff, write_changes
from scaffold.init.merge import add_lines, check_include
from scaffold.init.wanted import WantedFile

MINE = WantedFile(Path("sub/mine.txt"), "new\n")
LINES = WantedFile(Path("lines"), "a\nb\n", partial(add_lines, lines=["a", "b"]))
INCLUDE = WantedFile(Path("ci.yml"), "include: x\n", partial(check_include, path="x"))


@pytest.mark.parametrize(
    ("file", "old", "state", "new"),
    [
        (MINE, None, State.NEW, "new\n"),
        (MINE, b"new\n", State.SAME, "new\n"),
        (MINE, b"\xef\xbb\xbfnew\r\n", State.SAME, "new\r\n"),
        (MINE, b"old\n", State.DIFFERS, "new\n"),
        (MINE, b"", State.DIFFERS, "new\n"),
        (MINE, b"\xff\xfe", State.BY_HAND, "new\n"),
        (LINES, b"b\nc", State.ADDED, "b\nc\na\n"),
        (LINES, b"b\nc\na", State.SAME, "b\nc\na"),
        (LINES, b"\n", State.ADDED, "a\nb\n"),
        (INCLUDE, b"stages: []\n", State.BY_HAND, "include: x\n"),
    ],
    ids=[
        "missing", "same", "same but for the coding", "other", "empty", "no text", "lacks", "lacks nothing",
        "blank", "refused",
    ],
)  # fmt: skip
def test_states(tmp_path: Path, file: WantedFile, old: bytes | None, state: State, new: str) -> None:
    """A file of the setup beside the one that is there."""
    place = tmp_path / file.path
    place.parent.mkdir(exist_ok=True)
    if old is not None:
        place.write_bytes(old)
    (change,) = plan_changes(tmp_path, [file])
    assert (change.path, change.state, change.new) == (file.path, state, new)
    assert change.writes == (state in ("new", "added to"))
    assert bool(change.why) == (state == "by hand")


@pytest.mark.parametrize("kind", ["folder", "dangling link"])
def test_what_is_no_file_is_left_to_a_person(tmp_path: Path, kind: str) -> None:
    """It is not followed, and not replaced."""
    place = tmp_path / "lines"
    if kind == "folder":
        place.mkdir()
    else:
        place.symlink_to(tmp_path / "nowhere")
    (change,) = plan_changes(tmp_path, [LINES])
    assert (change.state, change.why.startswith("cannot be read (")) == ("by hand", True)
    write_changes(tmp_path, [change])
    assert not (tmp_path / "nowhere").exists()


def test_a_diff_can_be_read_and_applied() -> None:
    """New files come from nowhere, a last line without its end is marked, and there is none by hand."""
    assert (
        render_diff(Change(Path("a/b"), State.NEW, None, "x\n"))
        == "--- /dev/null\n+++ b/a/b\n@@ -0,0 +1 @@\n+x\n"
    )
    assert render_diff(Change(Path("a"), State.ADDED, "x", "x\ny\n")) == (
        "--- a/a\n+++ b/a\n@@ -1 +1,2 @@\n-x\n\\ No newline at end of file\n+x\n+y\n"
    )
    assert render_diff(Change(Path("a"), State.SAME, "x", "x")) == ""
    assert render_diff(Change(Path("a"), State.BY_HAND, "x", "y", "is odd")) == ""


def test_files_keep_their_mark_and_mode(tmp_path: Path) -> None:
    """What is added to a file changes nothing else about it."""
    place = tmp_path / "lines"
    place.write_bytes(b"\xef\xbb\xbfb\r\n")
    place.chmod(0o640)
    write_changes(tmp_path, plan_changes(tmp_path, [LINES]))
    assert (place.read_bytes(), place.stat().st_mode & 0o777) == (b"\xef\xbb\xbfb\r\na\r\n", 0o640)


def test_a_failure_takes_everything_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk is full at the third file: the new folder is gone, the other file is as it was."""
    create = scaffold.init.change.create_text

    def fill(path: Path, text: str) -> None:
        if path.name == "ci.yml":
            raise OSError(errno.ENOSPC, "No space left on device")
        create(path, text)

    monkeypatch.setattr(scaffold.init.change, "create_text", fill)
    (tmp_path / "lines").write_text("b\n")
    changes = plan_changes(tmp_path, [MINE, LINES, INCLUDE])
    with pytest.raises(ScaffoldError, match=r"ci\.yml: cannot be written \(No space.*no file was changed"):
        write_changes(tmp_path, changes)
    assert [path.name for path in tmp_path.iterdir()] == ["lines"]
    assert (tmp_path / "lines").read_text() == "b\n"
