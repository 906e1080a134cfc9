"""Which suites a command line means: names, paths, or all of the project."""

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

from judges.core.errors import ConfigError, Problem
from judges.files.project import find_root, find_suites, find_suites_below


def locate_suites(names: Sequence[str]) -> tuple[Path, ...]:
    """Return the suite files that are named, or all of the project around the working directory.

    A name is the path of a suite file, a folder to be searched, or the name of a suite's folder.

    Raises:
        ConfigError: a name fits nothing; with all such names.
    """
    root = find_root(Path.cwd())
    known = {path.parent.name: path for path in find_suites(root)} if root else {}
    if not names:
        return tuple(find_suites(root)) if root else ()
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


def _locate(name: str, known: dict[str, Path]) -> list[Path]:
    path = Path(name)
    if name in known:
        return [known[name]]
    return find_suites_below(path) if path.is_dir() else [path] if path.exists() else []


def _nothing_found(name: str, known: dict[str, Path]) -> Problem:
    if Path(name).is_dir():
        return Problem(f"no suite in the folder '{name}'", hint="a suite is a file named prompt-meta.yaml")
    close = get_close_matches(name, known, n=1)
    if close:
        hint = f"did you mean '{close[0]}'?"
    elif known:
        hint = f"suites of this project: {', '.join(sorted(known))}"
    else:
        hint = f"write one with: scaffold add-prompt {name}"
    return Problem(f"there is no suite '{name}'", hint=hint)
