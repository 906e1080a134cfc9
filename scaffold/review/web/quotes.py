"""Where in an output the judge's quotes are."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise

_BLANKS = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text, and the names of those who quoted it."""

    text: str
    names: tuple[str, ...] = ()


def split_quotes(text: str, quotes: Mapping[str, Iterable[str]]) -> list[Piece]:
    """Return a text in pieces: each is quoted as a whole, or not at all. `quotes` are by who gave them.

    A quote is found whatever blanks it has where the text has others, at the first place that holds it.
    """
    given = [(name, quote) for name, each in quotes.items() for quote in each]
    spans = [(*found, name) for name, quote in given if (found := find_quote(text, quote))]
    ends = sorted({0, len(text), *(end for start, stop, _ in spans for end in (start, stop))})
    return [
        Piece(
            text[start:stop],
            tuple(dict.fromkeys(name for first, last, name in spans if first <= start < last)),
        )
        for start, stop in pairwise(ends)
    ]


def find_quote(text: str, quote: str) -> tuple[int, int] | None:
    """Return where a quote begins and ends; None where the text does not have it, or it is blank."""
    words = _BLANKS.split(quote.strip())
    found = re.search(r"\s+".join(map(re.escape, words)), text) if words != [""] else None
    return found.span() if found else None
