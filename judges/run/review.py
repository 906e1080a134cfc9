"""A run as what people review: its suites as they are now, its results with the reasons to look at them."""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from judges.core.case import digest
from judges.core.encode import decode_case
from judges.core.errors import ConfigError, Problem
from judges.core.rating import RaterKind
from judges.core.report import CaseReport, SuiteKind
from judges.reduce.fragile import Flip
from judges.reduce.overrides import Newest
from judges.reduce.queue import QueueItem
from judges.reduce.ratings import Output
from judges.reduce.reasons import Lapsed, find_confidence, find_reasons
from judges.run.decide_again import Decider
from judges.run.kinds import join_digests
from judges.run.records import CASES, RECORDS, ROWS, RunDirectory
from judges.run.stored_facts import Record

NO_OVERRIDES: Newest = {}

_INDEX = re.compile(rb'\{"index":(\d+),')


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewedSuite:
    """What a run has about one suite: its file as it was run, and the folder of its results.

    `smoke` tells that the judge was no better than chance.
    """

    run: str
    folder: Path
    name: str
    kind: SuiteKind
    path: Path
    smoke: bool = False


@dataclass(frozen=True, slots=True)
class StoredResult:
    """One result of a run: its place in its suite, from 0, the report, and the line of records.jsonl.

    The line is empty where the result is made of several trials.
    """

    number: int
    case: CaseReport
    line: bytes = b""

    @property
    def record(self) -> Record:
        """What the trial produced, and what the judge was asked and said.

        Raises:
            ValueError: the line is no JSON.
        """
        record: Record = json.loads(self.line)
        return record


def list_suites(run: RunDirectory) -> tuple[ReviewedSuite, ...]:
    """Return the suites of a run.

    Raises:
        ConfigError: the run is damaged.
    """
    try:
        return tuple(_suite(run, plan) for plan in run.info["parameters"])
    except (KeyError, TypeError, ValueError) as error:
        raise _damaged(run.path, error) from error


def read_results(suite: ReviewedSuite) -> Iterator[StoredResult]:
    """Yield the results of a suite as they are stored.

    Raises:
        ConfigError: the run is damaged.
    """
    for number, row, line in _lines(suite.folder):
        yield StoredResult(number, _decode(row, suite), line)


def read_result(suite: ReviewedSuite, number: int) -> StoredResult:
    """Return one result of a suite; one that is made of several trials has the record of the first.

    Raises:
        ConfigError: there is none of this number, or the run is damaged.
    """
    try:
        places = _find_places(suite.folder, _sizes(suite.folder))
        if number not in places:
            raise ConfigError(
                [Problem(f"run {suite.run} has no result {number} of the suite '{suite.name}'")]
            )
        row, line = _read_place(suite.folder, *places[number])
    except OSError as error:
        raise _damaged(suite.folder, error) from error
    return add_record(suite, StoredResult(number, _decode(row, suite), line))


def add_record(suite: ReviewedSuite, result: StoredResult) -> StoredResult:
    """Return a result with a record: one that is made of several trials gets that of the first.

    Raises:
        ConfigError: the run is damaged.
    """
    return result if result.line else replace(result, line=_first_record(suite, result.case.ref))


def review(
    suite: ReviewedSuite,
    decider: Decider | None,
    overrides: Mapping[str, Newest],
    rated: Collection[Output],
) -> Iterator[tuple[QueueItem, StoredResult]]:
    """Yield every result of a suite, as it is with people's corrections, with the reasons to look at it.

    Beside it stands what is stored of it. Without a `decider`, as for what has no corrections, results are
    as they are stored.

    Raises:
        ConfigError: the run is damaged.
    """
    for result in read_results(suite):
        newest = overrides.get(result.case.ref, NO_OVERRIDES)
        yield review_one(suite, result, decider, newest, rated), result


def review_one(
    suite: ReviewedSuite,
    result: StoredResult,
    decider: Decider | None,
    newest: Newest,
    rated: Collection[Output],
) -> QueueItem:
    """Return one result; only one that a person has corrected, then or now, is decided again.

    Raises:
        ConfigError: the run is damaged.
    """
    case = result.case
    if newest or case.override:
        case = settle(result, decider, newest)
    sha256 = bound_sha256(case) if newest or rated else None
    flips, lapsed = _doubts(suite, result, decider, newest, sha256)
    return QueueItem(
        run=suite.run,
        suite=suite.folder.name,
        number=result.number,
        ref=case.ref,
        title=case.title,
        model=case.model,
        verdict=case.verdict,
        score=case.score,
        category=case.category,
        reasons=find_reasons(case, flips, lapsed),
        confidence=find_confidence(case),
        reviewed=_is_corrected(case, newest) or (case.ref, sha256) in rated,
    )


def settle(result: StoredResult, decider: Decider | None, newest: Newest) -> CaseReport:
    """Return a result as it is with these corrections.

    Raises:
        ConfigError: the run is damaged.
    """
    if decider is None:
        return result.case
    try:
        return decider.settle(result.case, result.record, newest)
    except (KeyError, TypeError, ValueError) as error:
        raise _damaged(decider.suite.path, error) from error


def bound_sha256(case: CaseReport) -> str | None:
    """Return what corrections and ratings of a result are bound to: in a comparison both outputs."""
    texts = tuple(case.outputs.values()) or (case.output,)
    known = [digest(text) for text in texts if text is not None]
    return join_digests(known) if len(known) == len(texts) else None


def _is_corrected(case: CaseReport, newest: Newest) -> bool:
    """Whether a person has corrected a result; what a model corrected still waits for one."""
    said = case.override or {}
    names = (*said.get("criteria", ()), *((None,) if "score" in said else ()))
    return any(name not in newest or newest[name].rater_kind is RaterKind.PERSON for name in names)


def _doubts(
    suite: ReviewedSuite,
    result: StoredResult,
    decider: Decider | None,
    newest: Newest,
    sha256: str | None,
) -> tuple[Sequence[Flip], Sequence[Lapsed]]:
    """Return what only the suite tells of a result."""
    if decider is None:
        return (), ()
    try:
        flips = decider.flips(result.case, result.record, newest)
    except (KeyError, TypeError, ValueError) as error:
        raise _damaged(suite.folder, error) from error
    return flips, tuple(decider.lapsed(result.case.ref, sha256, newest))


def _suite(run: RunDirectory, plan: Mapping[str, Any]) -> ReviewedSuite:
    grade = run.grade(plan["folder"])
    judge = grade["judge"] or {}
    return ReviewedSuite(
        run=run.path.name,
        folder=run.path / plan["folder"],
        name=grade["name"],
        kind=SuiteKind(plan["kind"]),
        path=Path(plan["path"]),
        smoke=judge.get("qualified") is False,
    )


def _lines(folder: Path) -> Iterator[tuple[int, bytes, bytes]]:
    """Yield number, row and record of each result; the last lines of a run that was cut off are none."""
    try:
        if (folder / CASES).exists():
            yield from ((number, row, b"") for number, row in enumerate(_whole(folder / CASES)))
            return
        pairs = zip(_whole(folder / ROWS), _whole(folder / RECORDS), strict=False)
        for row, line in pairs:
            index = _INDEX.match(row)
            if index is None:
                raise _damaged(folder / ROWS, ValueError("a row without its index"))
            yield int(index[1]), row, line
    except OSError as error:
        raise _damaged(folder, error) from error


@lru_cache(maxsize=16)
def _find_places(folder: Path, sizes: tuple[int, ...]) -> Mapping[int, tuple[int, int]]:  # noqa: ARG001  (the key)
    """Return where row and record of each result begin: of thousands a page opens one after the other."""
    places: dict[int, tuple[int, int]] = {}
    at = (0, 0)
    for number, row, line in _lines(folder):
        places.setdefault(number, at)
        at = at[0] + len(row), at[1] + len(line)
    return places


def _read_place(folder: Path, row_at: int, line_at: int) -> tuple[bytes, bytes]:
    if (folder / CASES).exists():
        return _read_line(folder / CASES, row_at), b""
    return _read_line(folder / ROWS, row_at), _read_line(folder / RECORDS, line_at)


def _read_line(path: Path, at: int) -> bytes:
    with path.open("rb") as file:
        file.seek(at)
        return file.readline()


def _sizes(folder: Path) -> tuple[int, ...]:
    """A run that is resumed grows."""
    paths = (folder / name for name in (CASES, ROWS, RECORDS))
    return tuple(path.stat().st_size for path in paths if path.exists())


def _whole(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        yield from (line for line in file if line.endswith(b"\n"))


def _first_record(suite: ReviewedSuite, ref: str) -> bytes:
    """Return a trial of the case; that of the suite's first where trials have other refs."""
    path = suite.folder / RECORDS
    try:
        line = _read_line(path, _find_firsts(path, path.stat().st_size).get(ref, 0))
        if not line:
            raise ValueError("it has no record")
        return line
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise _damaged(path, error) from error


@lru_cache(maxsize=16)
def _find_firsts(path: Path, size: int) -> Mapping[str, int]:  # noqa: ARG001  (the key)
    """Return where the first record of each ref begins."""
    firsts: dict[str, int] = {}
    at = 0
    for line in _whole(path):
        firsts.setdefault(json.loads(line)["ref"], at)
        at += len(line)
    return firsts


def _decode(row: bytes, suite: ReviewedSuite) -> CaseReport:
    try:
        return decode_case(json.loads(row))
    except ValueError as error:
        raise _damaged(suite.folder / ROWS, error) from error


def _damaged(path: Path, error: Exception) -> ConfigError:
    why = f"the run is damaged: {error}"
    return ConfigError([Problem(why, file=str(path), hint="run the suite again")])
