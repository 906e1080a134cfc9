"""Which suites a command line means: names, paths, or all of the project."""

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

from judges.core.errors import ConfigError, Problem
from judges.files.config import Project, read_project
from judges.files.project import find_root, find_suites_below


def load_project() -> Project:
    """Return the project around the working directory.

    Raises:
        ConfigError: its settings are wrong.
    """
    return read_project(find_root(Path.cwd()))


def locate_suites(names: Sequence[str]) -> tuple[Path, ...]:
    """Return the suite files that are named, or all of the project around the working directory.

    A name is the path of a suite file, a folder to be searched, or the name of a suite's folder.

    Raises:
        ConfigError: a name fits nothing, with all such names; or the project's settings are wrong.
    """
    known = load_project().suites
    if not names:
        return known
    found: dict[Path, None] = {}
    problems = []
    for name in names:
        paths = _locate(name, known)
        found.update(dict.fromkeys(paths))
        if not paths:
            problems.append(_nothing_found(name, known))
    if problems:
        raise ConfigError(problems)
    return tuple(found)


def locate_suite(name: str) -> Path:
    """Return the one suite file that is named.

    Raises:
        ConfigError: the name fits none, or several.
    """
    paths = locate_suites([name])
    if len(paths) > 1:
        names = ", ".join(map(str, paths))
        raise ConfigError([Problem(f"'{name}' stands for several suites", hint=f"name one of {names}")])
    return paths[0]


def _locate(name: str, known: Sequence[Path]) -> list[Path]:
    path = Path(name)
    if named := [suite for suite in known if suite.parent.name == name]:
        return named
    if path.is_dir():
        return find_suites_below(path)
    return (
        [path] if path.exists() or path.is_symlink() else []
    )  # a dangling link is complained about on reading


def _nothing_found(name: str, known: Sequence[Path]) -> Problem:
    if Path(name).is_dir():
        return Problem(f"no suite in the folder '{name}'", hint="a suite is a file named prompt-meta.yaml")
    names = sorted({path.parent.name for path in known})
    close = get_close_matches(name, names, n=1)
    if close:
        hint = f"did you mean '{close[0]}'?"
    elif names:
        hint = f"suites of this project: {', '.join(names)}"
    else:
        hint = f"write one with: scaffold add-prompt {name}"
    return Problem(f"there is no suite '{name}'", hint=hint)
