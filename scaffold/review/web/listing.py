"""The results of a review in an order that stays as it was when the page was started.

What people decide meanwhile changes what a result is, and not where it stands: whoever works through the list
finds the next one where it was.
"""

import threading
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from judges.reduce.queue import QueueItem, build_queue
from judges.reduce.reasons import Reason
from scaffold.review.search import TextIndex, fold_reasons, parse_terms
from scaffold.review.session import ReviewSession
from scaffold.review.web.filters import Filters

PAGE = 50


@dataclass(frozen=True, slots=True)
class Entry:
    """A result as it is now, its place in the list from 0, and why it was to be looked at, if it was."""

    item: QueueItem
    place: int
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """One page of the list around a result, and what comes before and after it: ids, or None."""

    entries: Sequence[Entry]
    number: int
    pages: int
    chosen: int
    position: int | None
    previous: str | None
    next: str | None


class Listing:
    """The results of a session, what is worth most of a person's time first, then all others."""

    def __init__(self, session: ReviewSession, share: Fraction, seed: int) -> None:
        self._session = session
        self._lock = threading.Lock()
        self._known = session.opinions()
        self._texts = TextIndex()
        results = session.results(self._texts.add)
        queue = build_queue(results, share, seed)
        self._reasons = {item.id: item.reasons for item in queue}
        self._told = {item.id: fold_reasons(item.reasons) for item in queue}
        rest = (item for item in results if item.id not in self._reasons)
        self._entries = [
            Entry(item, place, self._reasons.get(item.id, ())) for place, item in enumerate([*queue, *rest])
        ]
        self._places = {entry.item.id: entry.place for entry in self._entries}
        self._by_case: dict[tuple[str, str], list[int]] = defaultdict(list)
        for entry in self._entries:
            self._by_case[entry.item.suite, entry.item.ref].append(entry.place)
        self.suites = list(dict.fromkeys(entry.item.suite for entry in self._entries))

    def refresh(self) -> None:
        """Look again at every result about which somebody, here or elsewhere, has said anything since.

        Raises:
            ConfigError: a file of decisions or ratings is wrong now.
        """
        with self._lock:
            now = self._session.opinions()
            changed = {case for case, _ in now.items() ^ self._known.items()}
            for place in (place for each in changed for place in self._by_case.get(each, ())):
                old = self._entries[place]
                self._entries[place] = Entry(self._session.result(old.item.id), place, old.reasons)
            self._known = now

    def entry(self, item_id: str) -> Entry:
        """Return one result.

        Raises:
            KeyError: there is none of this id.
        """
        return self._entries[self._places[item_id]]

    def choose(self, filters: Filters, has_seen: Callable[[str], bool] = lambda _: False) -> list[Entry]:
        """Return the results that filters let through, in order.

        Words are looked for in what the list shows, in inputs and in outputs. Reasons tell of the judgement:
        they are shown of those results alone that a person `has_seen`, by id.
        """
        count = len(self._entries) if filters.every else len(self._reasons)
        terms = parse_terms(filters.text)
        return [
            each
            for each in self._entries[:count]
            if filters.let_through(each.item, each.reasons) and self._holds(each.item.id, terms, has_seen)
        ]

    def _holds(self, item_id: str, terms: Sequence[str], has_seen: Callable[[str], bool]) -> bool:
        if not terms:
            return True
        told = self._told.get(item_id, "") if has_seen(item_id) else ""
        return self._texts.holds(item_id, terms, told)

    def progress(self) -> tuple[int, int]:
        """Return how many of those worth a person's minute have been reviewed, and how many there are."""
        queue = self._entries[: len(self._reasons)]
        return sum(each.item.reviewed for each in queue), len(queue)


def show(chosen: Sequence[Entry], current: Entry | None, page: int | None) -> Shown:
    """Return a page of the chosen results, from 1: by default the one with the current result on it.

    The current result need not be among them: what is before and after it is.
    """
    places = [each.place for each in chosen]
    at = bisect_left(places, current.place) if current else 0
    after = bisect_right(places, current.place) if current else 0
    pages = max(-(-len(chosen) // PAGE), 1)
    number = min(max(page or min(at, max(len(chosen) - 1, 0)) // PAGE + 1, 1), pages)
    return Shown(
        entries=chosen[(number - 1) * PAGE : number * PAGE],
        number=number,
        pages=pages,
        chosen=len(chosen),
        position=at + 1 if after > at else None,
        previous=chosen[at - 1].item.id if current and at else None,
        next=chosen[after].item.id if current and after < len(chosen) else None,
    )
