"""Finding results by words of what they are about: case, input, output, and why to look at them."""

import re
import threading
import unicodedata
import weakref
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from tempfile import SpooledTemporaryFile

from judges.out.case_text import render_value
from judges.reduce.queue import QueueItem
from judges.reduce.reasons import Reason
from judges.run.review import StoredResult

MOST_IN_MEMORY = 64 * 2**20
"""Bytes of text; what is more is kept in a file that has no name and ends with the program."""

_BLOCK = 4 * 2**20
_TERM = re.compile(r'"([^"]*)"|(\S+)')


def parse_terms(text: str) -> tuple[str, ...]:
    """Return all that must be found: words, and phrases in double quotes, folded."""
    found = (fold(phrase or word) for phrase, word in _TERM.findall(text))
    return tuple(dict.fromkeys(filter(None, found)))


def fold(text: str) -> str:
    """Return a text on one line, without what a search looks past: case and the kind of blanks."""
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def fold_reasons(reasons: Iterable[Reason]) -> str:
    """Return what may be found of reasons, one a line."""
    return "\n".join(fold(f"{each.kind.replace('_', ' ')} {each.text}") for each in reasons)


def narrow_queue(items: Iterable[QueueItem], terms: Sequence[str], texts: "TextIndex") -> list[QueueItem]:
    """Return those with all terms in their texts or reasons."""
    return [each for each in items if texts.holds(each.id, terms, fold_reasons(each.reasons))]


class TextIndex:
    """The texts of results. They are all added before the first search, which may come from any thread.

    Of 5,000 results with 3 kB of text each a search reads 15 MB, in some 10 ms; the last ones are remembered.
    """

    def __init__(self) -> None:
        self._file = SpooledTemporaryFile(MOST_IN_MEMORY)  # noqa: SIM115  (closed with the index)
        weakref.finalize(self, self._file.close)
        self._ids: list[str] = []
        self._ends = array("Q")
        self._lock = threading.Lock()
        self._find: Callable[[str], frozenset[str]] = lru_cache(maxsize=128)(self._search)

    def add(self, item: QueueItem, result: StoredResult) -> None:
        """Add a result, which has a record: its case, its output or outputs, and its input.

        Raises:
            ValueError, KeyError: its record is damaged.
        """
        texts = "\n".join(map(fold, _texts(item, result)))
        self._file.write(f"{texts}\n".encode("utf-8", "surrogatepass"))
        self._ids.append(item.id)
        self._ends.append(self._file.tell())

    def holds(self, item_id: str, terms: Iterable[str], more: str = "") -> bool:
        """Return whether each of the terms is in the text of a result, or in `more` of it, folded."""
        return all(term in more or item_id in self._find(term) for term in terms)

    def _search(self, term: str) -> frozenset[str]:
        """Return the results with a term in their text."""
        wanted, found = term.encode("utf-8", "surrogatepass"), []
        with self._lock:
            for start, data in self._blocks():
                at = data.find(wanted)
                while at >= 0:
                    number = bisect_right(self._ends, start + at)
                    found.append(self._ids[number])
                    at = data.find(wanted, self._ends[number] - start)
        return frozenset(found)

    def _blocks(self) -> Iterator[tuple[int, bytes]]:
        """Yield the texts, a few MB of whole ones at once, and where they start."""
        self._file.seek(0)
        start = number = 0
        while number < len(self._ends):
            number = max(bisect_right(self._ends, start + _BLOCK), number + 1)
            end = self._ends[number - 1]
            yield start, self._file.read(end - start)
            start = end


def _texts(item: QueueItem, result: StoredResult) -> Iterator[str]:
    yield from (item.ref, item.title, item.model or "")
    case = result.case
    yield from (text for text in case.outputs.values() or (case.output,) if text)
    for value in result.record["input"].values():
        yield value if isinstance(value, str) else render_value(value)
