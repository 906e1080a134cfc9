"""The folders of one session: scratch that goes with it, and a workspace that stays to be graded."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkdtemp

SETTINGS = (".claude", "CLAUDE.md", ".mcp.json")
"""What a project's settings are."""
_NOT_SETTINGS = shutil.ignore_patterns("worktrees")


@contextmanager
def open_scratch() -> Iterator[Path]:
    """Make a folder with `home`, `tmp` and `work` in it, and remove it in the end.

    It lies in the system's temporary directory: below a project, the client would find the project, and in a
    run directory it would learn from its path that it is tested.

    Raises:
        OSError: it cannot be made.
    """
    scratch = Path(mkdtemp(prefix="claude-")).resolve()
    try:
        for name in ("home", "tmp", "work"):
            (scratch / name).mkdir()
        yield scratch
    finally:
        remove_folder(scratch)


def fill_workspace(work: Path, workspace: Path | None, project: Path | None) -> None:
    """Copy a prepared workspace, and the settings of a project, into a session's working directory.

    Raises:
        OSError: something cannot be read or written.
    """
    if workspace is not None:
        shutil.copytree(workspace, work, symlinks=True, dirs_exist_ok=True)
    if project is None:
        return
    for name in SETTINGS:
        source, goal = project / name, work / name
        if source.is_dir():
            shutil.copytree(source, goal, symlinks=True, ignore=_NOT_SETTINGS, dirs_exist_ok=True)
        elif source.is_file() and not goal.exists():
            shutil.copy2(source, goal)


def keep_workspace(work: Path, goal: Path) -> None:
    """Move the working directory of a session that has ended to where it is graded.

    Raises:
        OSError: it cannot be written there.
    """
    remove_folder(goal)
    try:
        work.rename(goal)
    except OSError:  # another disk
        shutil.copytree(work, goal, symlinks=True, ignore=_ignore_specials)


def remove_folder(folder: Path) -> None:
    """Remove a folder with everything in it, also what was made read-only, as Go's modules are."""
    for parent, names, _ in os.walk(folder):
        for name in names:
            path = Path(parent, name)
            if not path.is_symlink():
                with suppress(OSError):
                    path.chmod(0o700)
    shutil.rmtree(folder, ignore_errors=True)


def _ignore_specials(folder: str, names: list[str]) -> list[str]:
    """Sockets and pipes, which a session may leave behind, cannot be copied."""
    paths = {name: Path(folder, name) for name in names}
    return [
        name for name, path in paths.items() if not (path.is_symlink() or path.is_file() or path.is_dir())
    ]
