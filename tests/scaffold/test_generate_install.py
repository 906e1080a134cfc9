import errno
import os
import shutil
from pathlib import Path

import pytest

from judges.core.errors import ConfigError, ScaffoldError
from scaffold.generate.install import Installed, Taken, install

NEW = {"a.md": "new a", "sub/b.md": "new b"}


def _write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def _read(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()
    }


def _paths(*names: str) -> tuple[Path, ...]:
    return tuple(map(Path, names))


def test_a_new_folder_appears_whole(tmp_path: Path) -> None:
    """Its parents are made, its files are all there, and nothing else is left."""
    source = _write(tmp_path / "source", NEW)
    assert install(source, tmp_path / "x/y/suite", Taken.REFUSE) == Installed(_paths("a.md", "sub/b.md"))
    assert _read(tmp_path / "x") == {"y/suite/a.md": "new a", "y/suite/sub/b.md": "new b"}
    assert list((tmp_path / "x/y").iterdir()) == [tmp_path / "x/y/suite"]


def test_other_files_of_the_folder_stay(tmp_path: Path) -> None:
    """A folder that holds cases already can get a suite."""
    source = _write(tmp_path / "source", NEW)
    folder = _write(tmp_path / "suite", {"cases/one.yaml": "case", "sub/c.md": "c"})
    install(source, folder, Taken.REFUSE)
    assert _read(folder) == {**NEW, "cases/one.yaml": "case", "sub/c.md": "c"}


@pytest.mark.parametrize("content", ["old a", "new a"], ids=["other content", "same content"])
def test_a_file_in_the_way_is_refused(tmp_path: Path, content: str) -> None:
    """Nothing at all is written, and the message says what to do."""
    source = _write(tmp_path / "source", NEW)
    folder = _write(tmp_path / "suite", {"a.md": content})
    with pytest.raises(ConfigError, match=r"suite/a\.md: exists already .*--force"):
        install(source, folder, Taken.REFUSE)
    assert _read(folder) == {"a.md": content}


def test_an_old_file_is_kept_beside(tmp_path: Path) -> None:
    """Not one old byte is lost, however often the command is run."""
    folder = _write(tmp_path / "suite", {"a.md": "old a", "a.md.bak-1": "older a", "sub/b.md": "new b"})
    done = install(_write(tmp_path / "source", NEW), folder, Taken.KEEP_BESIDE)
    assert done == Installed(_paths("a.md", "sub/b.md"), (_paths("a.md", "a.md.bak-2"),))
    assert _read(folder) == {**NEW, "a.md.bak-1": "older a", "a.md.bak-2": "old a"}


@pytest.mark.parametrize("kind", ["folder", "dangling link"])
def test_what_is_no_file_is_kept_beside_too(tmp_path: Path, kind: str) -> None:
    """Whatever holds the name is moved, not followed."""
    folder = _write(tmp_path / "suite", {"z.md": "z"})
    if kind == "folder":
        (folder / "a.md").mkdir()
    else:
        (folder / "a.md").symlink_to(tmp_path / "nowhere")
    install(_write(tmp_path / "source", NEW), folder, Taken.KEEP_BESIDE)
    assert (folder / "a.md").read_text() == "new a"
    assert os.path.lexists(folder / "a.md.bak-1")
    assert not (tmp_path / "nowhere").exists()


def test_a_file_can_be_left_alone(tmp_path: Path) -> None:
    """What many suites share is written only where it is missing."""
    folder = _write(tmp_path / "suite", {"a.md": "old a"})
    done = install(_write(tmp_path / "source", NEW), folder, Taken.LEAVE)
    assert done == Installed(_paths("sub/b.md"), (), _paths("a.md"))
    assert _read(folder) == {"a.md": "old a", "sub/b.md": "new b"}


@pytest.mark.parametrize("failing", [1, 2])
@pytest.mark.parametrize("old", [{}, {"a.md": "old a", "sub/b.md": "old b"}], ids=["new", "existing"])
def test_a_full_disk_leaves_everything_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: int, old: dict[str, str]
) -> None:
    """The copy runs out of space at the first or second file."""
    copies = []

    def copy(source: Path, target: Path) -> None:
        copies.append(target)
        target.write_text("half")
        if len(copies) == failing:
            raise OSError(errno.ENOSPC, "No space left on device")

    folder = _write(tmp_path / "suites" / "one", old)
    monkeypatch.setattr(shutil, "copy", copy)
    with pytest.raises(ScaffoldError, match=r"No space left on device.*no file was changed"):
        install(_write(tmp_path / "source", NEW), folder, Taken.KEEP_BESIDE)
    assert _read(tmp_path / "suites") == {f"one/{name}": text for name, text in old.items()}


def test_a_failure_in_the_middle_is_undone(tmp_path: Path) -> None:
    """A later file cannot be placed: earlier ones are taken back, old ones get their names back."""
    folder = _write(tmp_path / "suite", {"a.md": "old a", "sub": "a file where a folder is needed"})
    with pytest.raises(ScaffoldError, match="no file was changed"):
        install(_write(tmp_path / "source", NEW), folder, Taken.KEEP_BESIDE)
    assert _read(tmp_path / "suite") == {"a.md": "old a", "sub": "a file where a folder is needed"}
    assert sorted(tmp_path.iterdir()) == [tmp_path / "source", tmp_path / "suite"]


def test_a_folder_is_readable_like_any_other(tmp_path: Path) -> None:
    """The temporary folder's private mode does not stay."""
    install(_write(tmp_path / "source", NEW), tmp_path / "suite", Taken.REFUSE)
    (tmp_path / "other").mkdir()
    assert (tmp_path / "suite").stat().st_mode == (tmp_path / "other").stat().st_mode
