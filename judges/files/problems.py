"""Mistakes, collected and put into plain words: what was found, and what was probably meant."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, TypeVar

from judges.core.errors import ConfigError, Problem
from judges.core.row import excerpt

T = TypeVar("T")
R = TypeVar("R")

FOUND_LENGTH = 60
MAX_PROBLEMS = 100
"""How many problems one error shows; the rest are only counted."""
_LINES_NAMED = 5


@contextmanager
def gather(problems: list[Problem]) -> Iterator[None]:
    """Add the problems of a ConfigError raised inside to the list, and go on after the block."""
    try:
        yield
    except ConfigError as error:
        problems.extend(error.problems)


def build_all(build: Callable[[T], R], items: Iterable[T]) -> list[R]:
    """Return `build(item)` for every item.

    Raises:
        ConfigError: some could not be built; with the problems of all of them.
    """
    problems: list[Problem] = []
    built: list[R] = []
    for item in items:
        with gather(problems):
            built.append(build(item))
    raise_any(problems)
    return built


def raise_any(problems: Iterable[Problem]) -> None:
    """Raise all problems at once, in the order of the file; do nothing without any.

    Raises:
        ConfigError: there is a problem.
    """
    found = sorted(dict.fromkeys(problems), key=_place)
    if len(found) > MAX_PROBLEMS:
        found[MAX_PROBLEMS:] = [Problem(f"further problems, not shown: {len(found) - MAX_PROBLEMS}")]
    if found:
        raise ConfigError(found)


def merge_lines(problems: Iterable[Problem]) -> list[Problem]:
    """Return the problems of a file of lines: what is wrong alike in several is said once, at the first.

    Thus one misspelled key in a thousand lines hides no other mistake.
    """
    alike: dict[tuple[str | None, ...], dict[int, Problem]] = defaultdict(dict)
    for each in problems:
        alike[each.file, each.key, each.message, each.hint].setdefault(each.line or 0, each)
    return [_say_once(by_line) for by_line in alike.values()]


def _say_once(by_line: dict[int, Problem]) -> Problem:
    first, *others = sorted(by_line)
    if not others:
        return by_line[first]
    named = ", ".join(map(str, others[:_LINES_NAMED])) + (", …" if len(others) > _LINES_NAMED else "")
    count = f"{len(others)} more line{'s' if len(others) > 1 else ''}"
    return replace(by_line[first], message=f"{by_line[first].message}; the same in {count}: {named}")


def _place(problem: Problem) -> tuple[bool, str, int, int]:
    """Order by file, those of no file last, and then by position."""
    return problem.file is None, problem.file or "", problem.line or 0, problem.column or 0


def found(value: Any) -> str:
    """Return what a value is, in words for a message."""
    match value:
        case None:
            return "nothing"
        case bool():
            return str(value).lower()
        case str():
            return f"'{excerpt(value, FOUND_LENGTH)}'" if value else "an empty text"
        case dict():
            return "a mapping"
        case list() | tuple():
            return "a list"
        case _:
            return excerpt(str(value), FOUND_LENGTH)


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    """Return a hint that names the closest known word, or None where no word is close."""
    from difflib import get_close_matches

    words = {each.lower(): each for each in known}
    close = get_close_matches(word.lower(), words, n=1)
    return f"did you mean '{words[close[0]]}'?" if close else None


def one_of(words: Iterable[str]) -> str:
    """Return the words as a list for a message: `a, b or c`."""
    *most, last = words
    return f"{', '.join(most)} or {last}" if most else last
