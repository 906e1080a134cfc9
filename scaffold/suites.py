"""Which suites a command line means: names, paths, or all of the project."""

from collections.abc import Collection, Sequence
from difflib import get_close_matches
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from judges.core.errors import ConfigError, Problem
from judges.core.report import SuiteKind
from judges.files.problems import build_all, one_of
from judges.files.project import WHAT_IS_A_SUITE, find_root, find_suites_below, suite_kind, suite_name
from judges.files.text import display_path

if TYPE_CHECKING:
    from judges.files.config import Project

WORDS = {SuiteKind.PROMPT: "prompt suite", SuiteKind.FIXTURE: "fixture", SuiteKind.GRID: "grid"}
WRITERS = {SuiteKind.PROMPT: "add-prompt", SuiteKind.FIXTURE: "add-fixture", SuiteKind.GRID: "add-grid"}
"""The command that writes a first suite of each kind; where several would do, the first of these counts."""

NO_SUITE = "No suite found. Write one with: scaffold add-prompt NAME"


def load_project() -> "Project":
    """Return the project around the working directory.

    Raises:
        ConfigError: its settings are wrong.
    """
    from judges.files.config import read_project

    return read_project(find_root(Path.cwd()))


def locate_suites(
    names: Sequence[str], kinds: Collection[SuiteKind] = (SuiteKind.PROMPT,)
) -> tuple[Path, ...]:
    """Return the suite files of these kinds that are named, or all of the project around the current folder.

    A name is the path of a suite file, a folder to be searched, or the name of a suite: that of the folder of
    a prompt-meta.yaml, that of the file of a fixture or a grid, or the one in the file, which tables show. A
    fixture that is an arm of a grid is not found beside its grid: it is run with it, and by itself where it
    is named.

    Raises:
        ConfigError: names fit nothing of these kinds, or one suite by its folder and another by its file,
            with all such names; or the project's settings are wrong.
    """
    from judges.files.grid_arms import leave_out_arms

    known = load_project().suites
    if not names:
        return tuple(path for path in leave_out_arms(known) if suite_kind(path) in kinds)
    found = build_all(lambda name: _locate_fitting(name, known, kinds), names)
    return tuple(dict.fromkeys(chain.from_iterable(found)))


def locate_suite(name: str, kinds: Collection[SuiteKind] = (SuiteKind.PROMPT,)) -> Path:
    """Return the one suite file that is named.

    Raises:
        ConfigError: the name fits none, or several.
    """
    paths = locate_suites([name], kinds)
    if len(paths) > 1:
        choices = ", ".join(map(str, paths))
        raise ConfigError([Problem(f"'{name}' stands for several suites", hint=f"name one of {choices}")])
    return paths[0]


def _locate_fitting(name: str, known: Sequence[Path], kinds: Collection[SuiteKind]) -> list[Path]:
    from judges.files.grid_arms import leave_out_arms

    paths = _locate(name, known, kinds)
    fitting = leave_out_arms([path for path in paths if suite_kind(path) in kinds])
    if paths and not fitting:
        raise ConfigError([_of_other_kind(name, paths[0], kinds)])
    if not paths:
        raise ConfigError([_nothing_found(name, known, kinds)])
    return fitting


def _locate(name: str, known: Sequence[Path], kinds: Collection[SuiteKind]) -> list[Path]:
    from judges.files.grid_arms import leave_out_arms
    from scaffold.named import read_own_name, refuse_ambiguous

    path = Path(name)
    named = [suite for suite in known if suite_name(suite) == name]
    own = [suite for suite in known if suite_kind(suite) in kinds and read_own_name(suite, name) == name]
    fitting = [suite for suite in named if suite_kind(suite) in kinds]
    if fitting and own and not any(suite in fitting for suite in own):  # a copy may still have the old name
        raise refuse_ambiguous(name, [display_path(suite) for suite in (*fitting, *own)])
    if named or own:
        return fitting or own or named
    if path.is_dir():
        return leave_out_arms(find_suites_below(path))
    return (
        [path] if path.exists() or path.is_symlink() else []
    )  # a dangling link is complained about on reading


def _of_other_kind(name: str, path: Path, kinds: Collection[SuiteKind]) -> Problem:
    needed = one_of(WORDS[kind] for kind in kinds)
    return Problem(f"'{name}' names a {WORDS[suite_kind(path)]}, where a {needed} is needed")


def _nothing_found(name: str, known: Sequence[Path], kinds: Collection[SuiteKind]) -> Problem:
    if Path(name).is_dir():
        return Problem(f"no suite in the folder '{name}'", hint=WHAT_IS_A_SUITE)
    from scaffold.named import read_own_name

    fitting = [path for path in known if suite_kind(path) in kinds]
    names = sorted(set(map(suite_name, fitting)))
    close = get_close_matches(name, [*names, *filter(None, map(read_own_name, fitting))], n=1)
    if close:
        hint = f"did you mean '{close[0]}'?"
    elif names:
        hint = f"suites of this project: {', '.join(names)}"
    else:
        writer = next(command for kind, command in WRITERS.items() if kind in kinds)
        hint = f"write one with: scaffold {writer} {name}"
    return Problem(f"there is no suite '{name}'", hint=hint)
