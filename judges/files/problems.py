"""Mistakes, collected and put into plain words: what was found, and what was probably meant."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from judges.core.errors import ConfigError, Problem
from judges.core.row import excerpt

FOUND_LENGTH = 60
MAX_PROBLEMS = 100
"""How many problems one error shows; the rest are only counted."""


@contextmanager
def gather(problems: list[Problem]) -> Iterator[None]:
    """Add the problems of a ConfigError raised inside to the list, and go on after the block."""
    try:
        yield
    except ConfigError as error:
        problems.extend(error.problems)


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
