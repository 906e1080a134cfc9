"""What one person does at the page: what has been seen and kept, and what must not be overwritten."""

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeAlias

from judges.core.case import digest
from judges.core.errors import ConfigError, Problem
from judges.core.rating import RaterKind
from judges.out.summary import render_count
from scaffold.review.decisions import Correction
from scaffold.review.item import ReviewItem
from scaffold.review.session import ReviewSession, VerdictChange
from scaffold.review.text import render_change

_CHANGED = "was changed elsewhere since this page showed it"

Decide: TypeAlias = Callable[[ReviewSession, ReviewItem], VerdictChange]


class ConflictError(Exception):
    """Somebody else changed the same thing since the page was shown: said in words, and nothing is kept."""

    def __init__(self, item_id: str, message: str) -> None:
        super().__init__(message)
        self.item_id = item_id


@dataclass(frozen=True, slots=True)
class Kept:
    """What one step at the page kept: of which result, how many ratings or decisions, and what in words."""

    item_id: str
    steps: int
    noun: str
    words: str


class Desk:
    """A session, with the steps that can be taken back and the results whose judgement has been seen.

    `turn` tells whether a page still shows the last step.
    """

    def __init__(self, session: ReviewSession) -> None:
        self.session = session
        self.turn = 0
        self._kept: list[Kept] = []
        self._states: dict[str, str] = {}
        self._seen: set[str] = set()
        self._opened: set[str] = set()
        self._lock = threading.RLock()

    @property
    def last(self) -> Kept | None:
        """The step that would be taken back."""
        return self._kept[-1] if self._kept else None

    def see(self, item_ids: Iterable[str]) -> None:
        """Note that the person knows how the judge decided about these."""
        self._seen.update(item_ids)

    def has_seen(self, item_id: str) -> bool:
        """Return whether ratings of a result are not blind any more."""
        return item_id in self._seen

    def open_judgement(self, item: ReviewItem, author: str | None) -> bool:
        """Return whether the judge is shown: when that was asked for, or nothing is left to rate."""
        rated = own_levels(item, author)
        open_ones = [each for each in item.criteria if each.anchors and each.name not in rated]
        if item.id in self._opened or item.output_sha256 is None or not open_ones:
            self._opened.add(item.id)
            self._seen.add(item.id)
            return True
        return False

    def show_judge(self, item_id: str) -> str:
        """Show the judge's answers although there is something left to rate."""
        self._opened.add(item_id)
        self._seen.add(item_id)
        return "The judge is shown: ratings of this case are not blind from now on."

    def rate(self, item_id: str, state: str, levels: Mapping[int, int]) -> str:
        """Keep a person's levels by the number of the criterion; return what was kept, in words.

        Raises:
            ConfigError: there is no such criterion or level, no output, or a wrong file.
            ConflictError: the case was changed elsewhere.
            OSError: they cannot be written.
        """
        with self._writing(item_id, state) as item:
            old = own_levels(item, self.session.author)
            names = {_criterion(item, number): level for number, level in levels.items()}
            new = {name: level for name, level in names.items() if old.get(name) != level}
            if not new:
                raise ConfigError([Problem("no level was chosen that was not kept before")])
            blind = not self.has_seen(item_id)
            self.session.rate_all(item_id, new, blind=blind)
            words = ", ".join(f"{name} {level}" for name, level in new.items())
            self._keep(item_id, len(new), "rating", f"{item.ref}: {words}")
        return f"Kept {'blind' if blind else 'with the judge in sight'}: {words}."

    def correct(self, item_id: str, state: str, wish: Correction) -> str:
        """Set a score; return what that changed, in words.

        Raises:
            ConfigError, ConflictError, OSError: as `rate`.
        """
        about = f"{wish.criterion or 'total'} set"
        return self._decide(item_id, state, about, lambda session, item: session.override(item.id, wish))

    def withdraw(self, item_id: str, state: str, criterion: str | None, reason: str) -> str:
        """Let the judge's score count again; return what that changed, in words.

        Raises:
            ConfigError, ConflictError, OSError: as `rate`.
        """
        about = f"{criterion or 'total'} withdrawn"
        return self._decide(
            item_id, state, about, lambda session, item: session.withdraw(item.id, criterion, reason)
        )

    def renew(self, item_id: str, state: str, criterion: str | None) -> str:
        """Let a correction go on to hold; return what that changed, in words.

        Raises:
            ConfigError, ConflictError, OSError: as `rate`.
        """
        about = f"{criterion or 'total'} renewed"
        return self._decide(item_id, state, about, lambda session, item: session.renew(item.id, criterion))

    def undo(self, turn: int) -> tuple[str, str]:
        """Take back the last step; return its result's id, and what was done in words.

        Raises:
            ConfigError: there is none, or a file is wrong.
            ConflictError: the last step is another than the page showed, or its case was changed since.
            OSError: it cannot be written.
        """
        with self._lock:
            last = self.last
            if last is None:
                raise ConfigError([Problem("there is nothing to take back")])
            if turn != self.turn:
                message = f"The last step is another one now: {last.words}. Nothing was taken back."
                raise ConflictError(last.item_id, message)
            before = self.session.item(last.item_id)
            if (state := state_of(before)) != self._states[last.item_id]:
                self._states[last.item_id] = state
                raise ConflictError(last.item_id, f"{before.ref} {_CHANGED}. Undo again to take it back.")
            for _ in range(last.steps):
                self.session.undo()
            self._kept.pop()
            self._turn(last.item_id)
            return last.item_id, f"Taken back: {last.words}.{self._moved(before)}"

    def summary(self) -> str:
        """Return what was kept, and not taken back, in words."""
        counts = Counter[str]()
        for each in self._kept:
            counts[each.noun] += each.steps
        kept = " and ".join(render_count(number, noun) for noun, number in counts.items())
        return f"Kept {kept}." if kept else "Nothing was changed."

    def criterion(self, item_id: str, about: str) -> str | None:
        """Return the name of the criterion of this number, or None for the total.

        Raises:
            ConfigError: there is no such criterion.
        """
        if about == "total":
            return None
        return _criterion(self.session.item(item_id), int(about) if about.isdecimal() else -1)

    def _decide(self, item_id: str, state: str, about: str, decide: Decide) -> str:
        with self._writing(item_id, state) as item:
            change = decide(self.session, item)
            self.see([item_id])  # what changed tells the verdict
            self._keep(item_id, 1, "decision", f"{item.ref}: {about}")
        return render_change(change)

    @contextmanager
    def _writing(self, item_id: str, state: str) -> Iterator[ReviewItem]:
        with self._lock:
            item = self.session.item(item_id)
            if state != state_of(item):
                raise ConflictError(item_id, f"{item.ref} {_CHANGED}. Nothing was kept: look again.")
            yield item

    def _keep(self, item_id: str, steps: int, noun: str, words: str) -> None:
        self._kept.append(Kept(item_id, steps, noun, words))
        self._turn(item_id)

    def _turn(self, item_id: str) -> None:
        self.turn += 1
        self._states[item_id] = state_of(self.session.item(item_id))

    def _moved(self, before: ReviewItem) -> str:
        after = self.session.item(before.id)
        if (before.verdict, before.score) == (after.verdict, after.score):
            return ""
        return f" {before.verdict} -> {after.verdict}"


def state_of(item: ReviewItem) -> str:
    """Return what tells whether anybody has said anything of a result since."""
    return digest(repr((item.decisions, item.ratings)))


def own_levels(item: ReviewItem, author: str | None) -> dict[str, int]:
    """Return the levels that a person gave this output so far by the rubric of now, the newest of each."""
    rubrics = {each.name: each.rubric_sha256 for each in item.criteria}
    return {
        each.criterion: each.level
        for each in sorted(item.ratings, key=lambda each: each.timestamp)
        if (each.author, each.rater_kind) == (author, RaterKind.PERSON)
        and rubrics.get(each.criterion) == each.rubric_sha256
    }


def _criterion(item: ReviewItem, number: int) -> str:
    if not 0 <= number < len(item.criteria):
        raise ConfigError([Problem(f"'{item.ref}' has no criterion {number}")])
    return item.criteria[number].name
