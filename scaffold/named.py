"""Suites by their names: one has that of its folder or file, and the one in its file, which tables show."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, TypeVar

from judges.core.errors import ConfigError, Problem
from judges.core.report import SuiteKind
from judges.files.project import suite_kind, suite_name
from judges.files.text import display_path, read_text

T = TypeVar("T")


class Names(NamedTuple):
    """What names a suite of a run: its file, the name in that, and the folder of its results in the run."""

    path: Path
    own: str
    folder: str

    @property
    def place(self) -> str:
        """What it is called on a command line that knows no run."""
        return suite_name(self.path)


def pick_named(name: str | None, suites: Sequence[T], names_of: Callable[[T], Names]) -> list[T]:
    """Return the suites of a run that a name stands for, or all without one; none where it fits nothing.

    Raises:
        ConfigError: it is the name of the folder of one suite, and the name in the file of another.
    """
    if name is None:
        return list(suites)
    named = [(each, names_of(each)) for each in suites]
    place = [each for each, names in named if names.place == name]
    own = [each for each, names in named if names.own == name]
    if place and own and not any(each in place for each in own):  # a copy may still have the old name
        both = [each for each in suites if each in place or each in own]
        raise refuse_ambiguous(name, say_apart(both, suites, names_of))
    other = [each for each, names in named if name == names.folder or Path(name).absolute() == names.path]
    return place or own or other


def say_apart(some: Sequence[T], suites: Sequence[T], names_of: Callable[[T], Names]) -> list[str]:
    """Return for some suites of a run a name each that no other one has: at worst the path of its file."""
    all_names = [names_of(each) for each in suites]
    taken = [name for names in all_names for name in {names.place, names.own}]
    return [
        next((name for name in (names.place, names.own) if taken.count(name) == 1), str(names.path))
        for names in map(names_of, some)
    ]


def refuse_ambiguous(name: str, names: Sequence[str]) -> ConfigError:
    """Return the error of a name that is one suite's by its place, and another's by what its file says."""
    message = f"'{name}' is the name of one suite's folder, and the name in the file of another"
    return ConfigError([Problem(message, hint=f"say which one: {', '.join(names)}")])


def read_own_name(path: Path, wanted: str = "") -> str | None:
    """Return the name in a suite file, if it has any; a file without the wanted text is not read as YAML."""
    from judges.files.fixture import compose_front_matter
    from judges.files.yaml import compose_yaml

    with suppress(ConfigError):  # whoever reads the suite itself says what is wrong
        text = read_text(path)
        if wanted in text:
            kind = suite_kind(path)
            fixture = kind is SuiteKind.FIXTURE
            document = compose_front_matter(path) if fixture else compose_yaml(text, display_path(path))
            key = "prompt_name" if kind is SuiteKind.PROMPT else "name"
            value = document.value.get(key) if isinstance(document.value, dict) else None
            return value if isinstance(value, str) else None
    return None
