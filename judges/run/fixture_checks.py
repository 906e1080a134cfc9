"""The patterns of a fixture, tried before anything is run; what is wrong with one is told where it stands."""

from collections.abc import Iterable, Iterator
from typing import Any

from judges.check.javascript import js_regex
from judges.core.errors import ConfigError, Problem
from judges.files.document import Loc
from judges.files.fixture import FixtureSuite, compose_front_matter
from judges.files.model import FileModel
from judges.files.pass_conditions import Pattern
from judges.files.problems import raise_any


def check_patterns(fixture: FixtureSuite) -> None:
    """Compile all patterns of a fixture.

    Raises:
        ConfigError: some are no JavaScript regular expressions; with all of them.
    """
    wrong = list(_find_wrong(fixture))
    if wrong:
        document = compose_front_matter(fixture.path)  # again, for the places of these alone
        raise_any(document.problem(loc, each.message, each.hint) for loc, each in wrong)


def find_patterns(value: Any, loc: Loc = ()) -> Iterator[tuple[Loc, Pattern]]:
    """Yield the patterns in a part of the pass conditions, each with the way to it."""
    if isinstance(value, Pattern):
        yield loc, value
    else:
        for key, part in _parts(value):
            yield from find_patterns(part, (*loc, key))


def _parts(value: Any) -> Iterable[tuple[str | int, Any]]:
    if isinstance(value, FileModel):
        return value
    if isinstance(value, dict):
        return value.items()
    return enumerate(value) if isinstance(value, tuple) else ()


def _find_wrong(fixture: FixtureSuite) -> Iterator[tuple[Loc, Problem]]:
    for loc, each in find_patterns(fixture.meta.pass_conditions, ("pass_conditions",)):
        try:
            js_regex(each.pattern, case_sensitive=each.case_sensitive)
        except ConfigError as error:
            yield from (((*loc, "pattern"), problem) for problem in error.problems)
