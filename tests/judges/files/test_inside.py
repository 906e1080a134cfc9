"""Files in a folder that a program filled."""

import os
from pathlib import Path

import pytest

from judges.core.errors import RunError
from judges.files.inside import Inside, look_inside, read_inside


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a file, and with everything that is not one."""
    folder = tmp_path / "work"
    (folder / "sub").mkdir(parents=True)
    (folder / "sub" / "a.txt").write_bytes(b"caf\xc3\xa9 \xff\n")
    (tmp_path / "secret").write_text("secret")
    (folder / "near").symlink_to("sub/a.txt")
    (folder / "far").symlink_to(tmp_path / "secret")
    (folder / "up").symlink_to("..")
    (folder / "nowhere").symlink_to("none")
    (folder / "loop").symlink_to("loop")
    os.mkfifo(folder / "pipe")
    return folder


COMPLAINTS = {
    "sub": "sub is not a regular file",
    "pipe": "pipe is not a regular file",
    "far": "far leads out of the workspace",
    "up/secret": "up/secret leads out of the workspace",
    "../secret": "../secret leads out of the workspace",
    "nowhere": "nowhere is a link to nothing",
}


def test_a_file_and_a_link_to_it_are_found(folder: Path) -> None:
    """A link inside the folder counts as the file that it leads to."""
    real = (folder / "sub" / "a.txt").resolve()
    assert look_inside(folder, "sub/a.txt") == look_inside(folder, "near") == Inside(real)


@pytest.mark.parametrize("name", ["none", "none/a.txt", "sub/a.txt/b", "a\0b"])
def test_what_is_not_there_is_absent(folder: Path, name: str) -> None:
    """Nothing there is told apart from something that is no file."""
    assert look_inside(folder, name) == Inside(complaint=f"there is no {name}", absent=True)


@pytest.mark.parametrize(("name", "complaint"), COMPLAINTS.items(), ids=COMPLAINTS)
def test_what_is_no_file_inside_says_so(folder: Path, name: str, complaint: str) -> None:
    """Folders, pipes and links that lead out are no files, and they are not absent."""
    assert look_inside(folder, name) == Inside(complaint=complaint)


def test_an_absolute_path_leads_out(folder: Path) -> None:
    """A path of its own is outside, wherever it is."""
    name = str(folder.parent / "secret")
    assert look_inside(folder, name) == Inside(complaint=f"{name} leads out of the workspace")


def test_a_place_that_cannot_be_looked_at_is_an_error(folder: Path, tmp_path: Path) -> None:
    """A link to itself, and a folder that is gone, could not be measured."""
    with pytest.raises(RunError, match=r"^loop cannot be looked at: "):
        look_inside(folder, "loop")
    with pytest.raises(RunError, match=r"^the workspace is not there any more$"):
        look_inside(tmp_path / "gone", "a.txt")


def test_a_text_is_read(folder: Path) -> None:
    """Bytes that are no UTF-8 are replaced."""
    assert read_inside(folder / "sub" / "a.txt", 8) == "café \ufffd\n"


def test_what_cannot_be_read_is_an_error(folder: Path) -> None:
    """A file over the limit, a pipe that took a file's place, and a link that did are not read."""
    with pytest.raises(RunError, match=r"^a\.txt is larger than 7e-06 MB$"):
        read_inside(folder / "sub" / "a.txt", 7)
    with pytest.raises(RunError, match=r"^pipe is not a regular file$"):
        read_inside(folder / "pipe", 100)
    with pytest.raises(RunError, match=r"^far cannot be read: Too many levels of symbolic links$"):
        read_inside(folder / "far", 100)
