"""A review of one run, for the command line and the page: what to look at, and what people decide."""

import threading
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction
from typing import TypeAlias

from judges.core.errors import ConfigError, Problem
from judges.core.rating import RaterKind, Rating
from judges.core.report import CaseReport
from judges.core.verdict import Verdict
from judges.files.ratings_store import remove_rating
from judges.files.suite import PromptSuite
from judges.reduce.queue import QueueItem, build_queue
from judges.reduce.ratings import Output
from judges.run.review import ReviewedSuite, StoredResult, add_record, read_result, review, review_one
from scaffold.review import keeping
from scaffold.review.decisions import Correction, Signature, rubric_digest
from scaffold.review.item import ReviewItem, build_item
from scaffold.review.keeping import Kept
from scaffold.review.opened import OpenSuite, ratings_path

See: TypeAlias = Callable[[QueueItem, StoredResult], object]

SHARE = Fraction(1, 20)
"""The share of results that is drawn at random unless a person says otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictChange:
    """What a decision did to one result. Scores are 0..100; `reasons` say why it does not pass now."""

    ref: str
    model: str | None
    before: Verdict
    after: Verdict
    score_before: Decimal | None
    score_after: Decimal | None
    reasons: tuple[str, ...] = ()


class ReviewSession:
    """A review of one run, by one person, whose changes are in the files at once. Safe in several threads.

    `open_suite` reads a suite's files; they are read once, decisions and ratings every time.
    """

    def __init__(
        self,
        suites: Sequence[ReviewedSuite],
        open_suite: Callable[[ReviewedSuite], OpenSuite],
        *,
        author: str | None = None,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.suites = tuple(suites)
        self.author = author
        self._open = open_suite
        self._opened: dict[str, OpenSuite] = {}
        self._clock = clock
        self._made: list[tuple[str, Kept | Rating]] = []
        self._lock = threading.RLock()

    def results(self, see: See | None = None) -> list[QueueItem]:
        """Return all results of the run as they are now, in the order of its suites.

        `see` is shown each with what is stored of it, and a record, in any order.

        Raises:
            ConfigError: the run, a suite, or a file of decisions or ratings is wrong.
        """
        found = []
        for stored in self.suites:
            opened = self._suite(stored)
            for item, result in review(stored, opened.decider, opened.overrides(), _rated(opened)):
                if see:
                    see(item, add_record(stored, result))
                found.append(item)
        return sorted(found, key=lambda item: (item.suite, item.number))

    def items(self, share: Fraction = SHARE, seed: int = 0) -> list[QueueItem]:
        """Return what is worth a person's minute first, with a random share, 0..1, of all else.

        Raises:
            ConfigError: as `results`.
        """
        return build_queue(self.results(), share, seed)

    def result(self, item_id: str) -> QueueItem:
        """Return one result as it is now, with what speaks for looking at it.

        Raises:
            ConfigError: there is no such result, or a file is wrong.
        """
        opened, result = self._find(item_id)
        newest = opened.overrides().get(result.case.ref, {})
        return review_one(opened.stored, result, opened.decider, newest, _rated(opened))

    def opinions(self) -> dict[tuple[str, str], Hashable]:
        """Return what people say of each case so far, by the suite's folder and the case's ref.

        What is another than before has changed since.

        Raises:
            ConfigError: a file is wrong.
        """
        found: dict[tuple[str, str], tuple[Hashable, ...]] = {}
        for stored in self.suites:
            opened, folder = self._suite(stored), stored.folder.name
            for ref, newest in opened.overrides().items():
                found[folder, ref] = tuple(newest.values())
            for rating in opened.ratings():
                found[folder, rating.ref] = (*found.get((folder, rating.ref), ()), rating)
        return dict(found)

    def item(self, item_id: str) -> ReviewItem:
        """Return everything about one result.

        Raises:
            ConfigError: there is no such result, or a file is wrong.
        """
        opened, result = self._find(item_id)
        return build_item(opened, result, opened.overrides().get(result.case.ref, {}))

    def rate(self, item_id: str, criterion: str, level: int, *, blind: bool) -> Rating:
        """Keep a person's own level, from 1, of a result on a criterion. It changes no verdict.

        Raises:
            ConfigError: there is no such result, criterion or level, no output, no author, or a wrong file.
            OSError: it cannot be written.
        """
        return self.rate_all(item_id, {criterion: level}, blind=blind)[0]

    def rate_all(self, item_id: str, levels: Mapping[str, int], *, blind: bool) -> tuple[Rating, ...]:
        """Keep a person's own levels of a result by criterion: all of them, or none.

        Raises:
            ConfigError, OSError: as `rate`.
        """
        with self._lock:
            suite, item = _need_suite(self._find(item_id)[0]), self.item(item_id)
            signature = self._sign()
            ratings = tuple(
                _rate(suite, item, name, level, signature, blind) for name, level in levels.items()
            )
            keeping.keep_rating(suite, *ratings)
            self._made += [(item_id, rating) for rating in ratings]
            return ratings

    def override(self, item_id: str, wish: Correction) -> VerdictChange:
        """Set a score as a person wants it, and return what that changes.

        Raises:
            ConfigError: there is no such result or criterion, nothing to bind to, no author, or a wrong file.
            OSError: it cannot be written.
        """

        def keep(suite: PromptSuite, item: ReviewItem) -> Kept:
            return keeping.set_score(suite, item.ref, item.output_sha256, wish, self._sign())

        return self._decide(item_id, keep)

    def withdraw(self, item_id: str, criterion: str | None, reason: str) -> VerdictChange:
        """Let the judge's score of a criterion, or (None) of the total, count again.

        Raises:
            ConfigError: there is no such result or correction, no author, or a wrong file.
            OSError: it cannot be written.
        """
        return self._decide(
            item_id,
            lambda suite, item: keeping.withdraw_score(suite, item.ref, criterion, reason, self._sign()),
        )

    def renew(self, item_id: str, criterion: str | None, expires: datetime | None = None) -> VerdictChange:
        """Let a correction go on to hold, for the output and the rubric of now.

        Raises:
            ConfigError: there is no such result or correction, no author, or a wrong file.
            OSError: it cannot be written.
        """

        def keep(suite: PromptSuite, item: ReviewItem) -> Kept:
            outputs = [item.output_sha256] if item.output_sha256 else []
            return keeping.renew_score(suite, item.ref, criterion, outputs, expires, self._sign())

        return self._decide(item_id, keep)

    def undo(self) -> str | None:
        """Take back the last rating or decision of this session; return its result's id, None without any.

        A rating is taken out of its file again; a decision stays, and a further one follows it.

        Raises:
            ConfigError: a file is wrong.
            OSError: it cannot be written; what was to be taken back stays the last one.
        """
        with self._lock:
            if not self._made:
                return None
            item_id, last = self._made[-1]
            suite = _need_suite(self._find(item_id)[0])
            if isinstance(last, Rating):
                remove_rating(ratings_path(suite), last)
            else:
                keeping.take_back(suite, last, self._sign())
            self._made.pop()
            return item_id

    def _decide(self, item_id: str, keep: Callable[[PromptSuite, ReviewItem], Kept]) -> VerdictChange:
        with self._lock:
            before = self.item(item_id)
            kept = keep(_need_suite(self._find(item_id)[0]), before)
            self._made.append((item_id, kept))
            return compare(before.case, self.item(item_id).case)

    def _find(self, item_id: str) -> tuple[OpenSuite, StoredResult]:
        folder, _, number = item_id.rpartition(":")
        stored = next((each for each in self.suites if each.folder.name == folder), None)
        if stored is None or not number.isdecimal():
            raise _refused(f"there is no result '{item_id}'")
        return self._suite(stored), read_result(stored, int(number))

    def _suite(self, stored: ReviewedSuite) -> OpenSuite:
        with self._lock:
            name = stored.folder.name
            if name not in self._opened:
                self._opened[name] = self._open(stored)
            return self._opened[name]

    def _sign(self) -> Signature:
        if self.author is None:
            raise _refused("nobody is named who decides", "git config user.email, or --author NAME")
        return Signature(self.author, self._clock())


def _need_suite(opened: OpenSuite) -> PromptSuite:
    if opened.suite is None:
        message = f"scores of the {opened.stored.kind} '{opened.stored.name}' cannot be corrected or rated"
        raise _refused(message, "only those of prompt suites can")
    return opened.suite


def _rate(
    suite: PromptSuite, item: ReviewItem, criterion: str, level: int, signature: Signature, blind: bool
) -> Rating:
    levels = {each.name: len(each.anchors) for each in item.criteria}.get(criterion)
    if levels is not None and not 1 <= level <= levels:
        raise _refused(f"{criterion} has no level {level}", f"there are {levels}")
    if item.output_sha256 is None:
        raise _refused(f"'{item.ref}' has no output to rate")
    return Rating(
        ref=item.ref,
        criterion=criterion,
        level=level,
        output_sha256=item.output_sha256,
        rubric_sha256=rubric_digest(suite.criteria, criterion) if levels else "",
        author=signature.author,
        timestamp=signature.time,
        blind=blind,
        rater_kind=RaterKind.PERSON,
    )


def _rated(opened: OpenSuite) -> set[Output]:
    """What a model has rated still waits for a person."""
    people = (each for each in opened.ratings() if each.rater_kind is RaterKind.PERSON)
    return {(each.ref, each.output_sha256) for each in people}


def compare(before: CaseReport, after: CaseReport) -> VerdictChange:
    """Return what changed of one result."""
    return VerdictChange(
        ref=after.ref,
        model=after.model,
        before=before.verdict,
        after=after.verdict,
        score_before=before.score,
        score_after=after.score,
        reasons=after.reasons,
    )


def _refused(message: str, hint: str | None = None) -> ConfigError:
    return ConfigError([Problem(message, hint=hint)])
