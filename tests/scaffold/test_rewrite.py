import errno
from pathlib import Path

import pytest

from scaffold.rewrite import create_text, free_name, replace_text


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "prompt-meta.yaml"
    path.write_bytes(b"old\n")
    return path


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_new_text_takes_the_place_of_the_old(file: Path) -> None:
    """Nothing else is left behind."""
    assert replace_text(file, "new\r\nä\n") is None
    assert file.read_bytes() == "new\r\nä\n".encode()
    assert names(file.parent) == ["prompt-meta.yaml"]


def test_the_old_text_is_kept_on_demand(file: Path) -> None:
    """Every backup has a name of its own."""
    assert replace_text(file, "two", backup=True) == file.with_name("prompt-meta.yaml.bak")
    assert replace_text(file, "three", backup=True) == file.with_name("prompt-meta.yaml.bak-2")
    contents = [path.read_text() for path in sorted(file.parent.iterdir())]
    assert contents == ["three", "old\n", "two"]


def test_a_byte_order_mark_and_permissions_stay(file: Path) -> None:
    """The file is still read by whoever could read it."""
    file.write_bytes(b"\xef\xbb\xbfold\n")
    file.chmod(0o640)
    replace_text(file, "new\n")
    assert file.read_bytes() == b"\xef\xbb\xbfnew\n"
    assert file.stat().st_mode & 0o777 == 0o640


def test_a_link_still_points_to_the_file(file: Path, tmp_path: Path) -> None:
    """What it points to is changed."""
    link = tmp_path / "link.yaml"
    link.symlink_to(file)
    replace_text(link, "new")
    assert link.is_symlink()
    assert file.read_text() == "new"


@pytest.mark.parametrize("backup", [False, True])
def test_what_cannot_be_written_changes_nothing(
    file: Path, monkeypatch: pytest.MonkeyPatch, backup: bool
) -> None:
    """A failure at the last moment leaves the old file, and no half of a new one."""

    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "no space")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="no space") as caught:
        replace_text(file, "new", backup=backup)
    assert caught.value.filename == str(file)
    assert file.read_text() == "old\n"
    assert names(file.parent) == ["prompt-meta.yaml"] + ["prompt-meta.yaml.bak"] * backup


def test_text_that_is_none_changes_nothing(file: Path) -> None:
    """Half of a surrogate pair cannot be written."""
    with pytest.raises(UnicodeEncodeError):
        replace_text(file, "\ud800")
    assert (file.read_text(), names(file.parent)) == ("old\n", ["prompt-meta.yaml"])


def test_free_name_passes_over_dead_links(file: Path) -> None:
    """A link to nothing is taken, too."""
    file.with_name("prompt-meta.yaml.bak").symlink_to("nowhere")
    assert free_name(file).name == "prompt-meta.yaml.bak-2"


def test_a_new_file_with_its_folders(tmp_path: Path) -> None:
    """All of it is there, and nothing else."""
    create_text(tmp_path / "a/b/new.jsonl", "x\r\n")
    assert (tmp_path / "a/b/new.jsonl").read_bytes() == b"x\r\n"
    assert names(tmp_path / "a/b") == ["new.jsonl"]


def test_a_new_file_never_replaces_one(file: Path) -> None:
    """What is there stays."""
    with pytest.raises(FileExistsError, match=r"File exists: '.*prompt-meta\.yaml'"):
        create_text(file, "new")
    assert (file.read_text(), names(file.parent)) == ("old\n", ["prompt-meta.yaml"])
