"""Where things are: the project root, its suites, and the paths that files name."""

import os
from pathlib import Path

from judges.core.errors import ConfigError, Problem
from judges.core.report import SuiteKind

MARKER = ".omniscitus"
SUITE_FILE = "prompt-meta.yaml"
SUFFIXES = {SuiteKind.FIXTURE: ".fixture.md", SuiteKind.GRID: ".grid.yaml"}
"""How the names of suite files end, where the file has the suite's name and not its folder."""
WHAT_IS_A_SUITE = "a suite is a file named prompt-meta.yaml, *.fixture.md or *.grid.yaml"
BASELINE_FILE = "baseline.json"
"""Beside the suite file of a regression."""
CACHE_FILE = Path(MARKER, "cache", "answers.sqlite")
"""Where a project keeps models' answers."""


def find_root(start: Path) -> Path | None:
    """Return the nearest folder, from `start` upwards, that holds `.omniscitus/`; None without one."""
    whole = start.absolute()
    return next((folder for folder in (whole, *whole.parents) if (folder / MARKER).is_dir()), None)


def find_suites(root: Path) -> list[Path]:
    """Return the suite files of a project, of all kinds, sorted."""
    return find_suites_below(root / MARKER / "tests")


def find_suites_below(folder: Path) -> list[Path]:
    """Return the suite files in a folder and its subfolders, sorted. Links to folders are not followed."""
    return sorted(
        Path(parent, name)
        for parent, folders, files in os.walk(folder)
        for name in (*files, *folders)
        if is_suite_file(name)
    )


def is_suite_file(name: str) -> bool:
    """Whether a file of this name is a suite."""
    return name == SUITE_FILE or name.endswith(tuple(SUFFIXES.values()))


def suite_kind(path: Path) -> SuiteKind:
    """Return of which kind the suite in a file is: its name says so, and any other file is a prompt suite."""
    kinds = (kind for kind, suffix in SUFFIXES.items() if path.name.endswith(suffix))
    return next(kinds, SuiteKind.PROMPT)


def suite_name(path: Path) -> str:
    """Return what a suite file is called on a command line: a prompt suite goes by its folder."""
    suffix = SUFFIXES.get(suite_kind(path))
    return path.name.removesuffix(suffix) if suffix else path.parent.name


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
