"""Where things are: the project root, its suites, and the paths that files name."""

import os
from pathlib import Path

from judges.core.errors import ConfigError, Problem

MARKER = ".omniscitus"
SUITE_FILE = "prompt-meta.yaml"
BASELINE_FILE = "baseline.json"
"""Beside the suite file of a regression."""
CACHE_FILE = Path(MARKER, "cache", "answers.sqlite")
"""Where a project keeps models' answers."""


def find_root(start: Path) -> Path | None:
    """Return the nearest folder, from `start` upwards, that holds `.omniscitus/`; None without one."""
    whole = start.absolute()
    return next((folder for folder in (whole, *whole.parents) if (folder / MARKER).is_dir()), None)


def find_suites(root: Path) -> list[Path]:
    """Return the suite files of a project, sorted."""
    return find_suites_below(root / MARKER / "tests")


def find_suites_below(folder: Path) -> list[Path]:
    """Return the suite files in a folder and its subfolders, sorted. Links to folders are not followed."""
    return sorted(
        Path(parent, SUITE_FILE)
        for parent, folders, files in os.walk(folder)
        if SUITE_FILE in files or SUITE_FILE in folders
    )


def resolve(path: str, base: Path, root: Path, *, allow_outside: bool = False) -> Path:
    """Return the path that a file names, relative to `base`. It need not exist.

    Raises:
        ConfigError: it leaves the project root, directly or through a link, and that is not allowed.
    """
    whole = base / path
    try:
        inside = whole.resolve().is_relative_to(root.resolve())
    except (OSError, RuntimeError, ValueError) as error:
        raise ConfigError([Problem(f"'{path}' cannot be a path: {error}", hint="check the path")]) from None
    if not inside and not allow_outside:
        message = f"'{path}' leaves the project root {root}"
        raise ConfigError([Problem(message, hint="move it inside, or pass --allow-outside")])
    return whole
