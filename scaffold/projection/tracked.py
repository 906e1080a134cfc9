"""The text files of a project in which markers may stand: those that git tracks, or all outside git."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

from judges.files.project import MARKER
from judges.files.text import MAX_BYTES

_SKIPPED = {".git", ".hg", ".svn", ".venv", "node_modules", "__pycache__"}
_KEPT_RUNS = {f"{MARKER}/runs", f"{MARKER}/cache"}


def tracked_files(root: Path) -> list[Path]:
    """Return the files below the root, sorted; links and what was deleted are left out."""
    names = _git_names(root)
    paths = _walk(root) if names is None else [root / name for name in names]
    return sorted({path for path in paths if path.is_file() and not path.is_symlink()})


def text_files(root: Path) -> Iterator[tuple[Path, str]]:
    """Yield path and text of each tracked file; binary ones and those of more than 10 MB are passed over.

    Raises:
        OSError: a file cannot be read.
    """
    for path in tracked_files(root):
        if path.stat().st_size <= MAX_BYTES:
            data = path.read_bytes()
            if b"\0" not in data:
                yield path, data.decode("utf-8", "replace")


def _git_names(root: Path) -> list[str] | None:
    """Return what git tracks below the root, relative to it; None where there is no git or no repository."""
    command = ["git", "-C", str(root), "ls-files", "-z"]
    try:
        done = subprocess.run(command, capture_output=True, check=False)  # noqa: S603  (git, with our arguments)
    except OSError:
        return None
    return None if done.returncode else [os.fsdecode(name) for name in done.stdout.split(b"\0") if name]


def _walk(root: Path) -> Iterator[Path]:
    for parent, folders, files in os.walk(root):
        folder = Path(parent)
        folders[:] = (
            name
            for name in folders
            if name not in _SKIPPED and (folder / name).relative_to(root).as_posix() not in _KEPT_RUNS
        )
        yield from (folder / name for name in files)
