"""Text files: what is read, and what is refused with which words."""

import os
from pathlib import Path

import pytest

from judges.core.errors import ConfigError
from judges.files.text import display_path, line_and_column, read_text


def link_to_nowhere(path: Path) -> None:
    path.symlink_to("nowhere.md")


def loop(path: Path) -> None:
    path.symlink_to(path.name)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda path: None, "file.md: does not exist (check the path)"),
        (lambda path: path.mkdir(), "file.md: is a folder (name a file)"),
        (link_to_nowhere, "file.md: is a link to nowhere.md, which does not exist (correct the link)"),
        (
            loop,
            "file.md: cannot be read: Too many levels of symbolic links (check the path and its permissions)",
        ),
        (os.mkfifo, "file.md: is not a regular file (name a file)"),
        (lambda path: path.write_bytes(b"PK\0\1"), "file.md: is binary, not text (name a text file)"),
        (
            lambda path: path.write_bytes("hé".encode("utf-16")),
            "file.md: is UTF-16, not UTF-8 (save it as UTF-8)",
        ),
        (
            lambda path: path.write_bytes("é\nab\xff".encode("latin-1")),
            "file.md:1:1: is not UTF-8 text (save the file as UTF-8)",
        ),
        (
            lambda path: path.write_bytes("é\nab".encode() + b"\xff"),
            "file.md:2:3: is not UTF-8 text (save the file as UTF-8)",
        ),
        (
            lambda path: path.write_bytes(b"x" * 10_000_001),
            "file.md: is longer than 10 MB (shorten it, or keep cases in JSONL or CSV files)",
        ),
    ],
    ids=["missing", "folder", "dangling", "loop", "fifo", "binary", "utf-16", "latin-1", "later", "10 MB"],
)
def test_unreadable_files_are_explained(
    make: "os.PathLike[str]", message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each kind of unreadable file gives one sentence."""
    monkeypatch.chdir(tmp_path)
    make(Path("file.md"))  # type: ignore[operator]
    with pytest.raises(ConfigError) as caught:
        read_text(Path("file.md"))
    assert str(caught.value) == message


def test_errors_while_reading_are_explained() -> None:
    """A file that opens but cannot be read gives a sentence, not a traceback."""
    with pytest.raises(ConfigError, match=r"^/proc/self/mem: cannot be read: Input/output error"):
        read_text(Path("/proc/self/mem"))


def test_a_path_that_cannot_be_one_is_explained() -> None:
    """A NUL byte in a path gives a sentence."""
    with pytest.raises(ConfigError, match="cannot be read: embedded null byte"):
        read_text(Path("a\0b"))


def test_text_is_returned_without_its_byte_order_mark(tmp_path: Path) -> None:
    """Newlines stay as they are, the byte order mark goes."""
    path = tmp_path / "file.md"
    path.write_bytes(b"\xef\xbb\xbfa\r\nb\r")
    assert read_text(path) == "a\r\nb\r"


def test_paths_are_shown_as_short_as_possible(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Below the working directory a path is relative, elsewhere absolute."""
    monkeypatch.chdir(tmp_path)
    assert display_path(tmp_path / "a" / "b.md") == "a/b.md"
    assert display_path(Path("b.md")) == "b.md"
    assert display_path(Path("/etc/hosts")) == "/etc/hosts"
    assert display_path(Path("a/../../c/../b.md")) == f"{tmp_path.parent}/b.md"
    assert display_path(Path("a/../b.md")) == "b.md"
    (tmp_path / "link").symlink_to("/etc")
    assert display_path(Path("link/../b.md")) == "link/../b.md"


@pytest.mark.parametrize(
    ("offset", "place"), [(0, (1, 1)), (2, (1, 3)), (3, (2, 1)), (4, (3, 1)), (5, (3, 2))]
)
def test_positions_count_from_1(offset: int, place: tuple[int, int]) -> None:
    """Lines and columns are those that editors show."""
    assert line_and_column("ab\n\nc", offset) == place
