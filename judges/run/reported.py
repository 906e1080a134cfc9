"""Finished runs as a page shows them: every case with what its trials left, in any order.

Cases and records stay on disk; what is held of each is where its lines start.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any, NamedTuple, TypeAlias

from judges.core.encode import decode_case
from judges.core.errors import ConfigError, Problem
from judges.core.report import CaseReport, Report, SuiteReport
from judges.reduce.changes import Changes
from judges.reduce.grid_changes import compare_suites
from judges.reduce.regression import BASELINE
from judges.run.history import Point, read_history
from judges.run.records import CASES, RECORDS, ROWS, RunDirectory
from judges.run.stored import read_report, whole_lines
from judges.run.stored_facts import Record

_Key: TypeAlias = tuple[str, str | None]
"""The ref of a case, and the model that made its output."""


class _Place(NamedTuple):
    """Where row and record of a trial start, and of which case it is; `number` is its place in its suite."""

    number: int
    row: int
    record: int
    key: _Key


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredOutput:
    """An output, or why there is none. `arm` is None where a case has one output only."""

    arm: str | None
    text: str | None
    error: str | None
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredTrial:
    """One trial: the report of it alone, what it was made from, and what it produced."""

    case: CaseReport
    replica: int
    input: Mapping[str, Any]
    expected_behavior: str | None
    outputs: tuple[StoredOutput, ...]
    latency_ms: float | None


@dataclass(frozen=True, slots=True)
class WholeCase:
    """A case with its trials: one, or the replicas or repeats that it was made of."""

    number: int
    case: CaseReport
    trials: tuple[StoredTrial, ...]


class WholeCases:
    """The cases of one suite with their trials, read from the run directory as they are asked for.

    Raises:
        ConfigError: the run is damaged.
    """

    def __init__(self, suite: SuiteReport) -> None:
        self._suite = suite
        self._folder = suite.run_dir
        self._merged = (self._folder / CASES).exists()
        self._places = sorted(_read_places(self._folder))

    def __iter__(self) -> Iterator[CaseReport]:
        return iter(self._suite.cases)

    def read(self, numbers: Iterable[int]) -> Iterator[WholeCase]:
        """Yield the cases of these numbers, counted from 0, in this order."""
        by_case: dict[_Key, list[_Place]] = {}
        for place in self._places if self._merged else ():
            by_case.setdefault(place.key, []).append(place)
        with ExitStack() as opened:
            files = [opened.enter_context((self._folder / name).open("rb")) for name in (ROWS, RECORDS)]
            for number in numbers:
                if self._merged:
                    case = self._suite.cases[number]
                    trials = self._trials(by_case.get((case.ref, case.model), []), files)
                else:
                    trials = self._trials(self._places[number : number + 1], files)
                    case = trials[0].case
                yield WholeCase(number, case, trials)

    def _trials(self, places: Sequence[_Place], files: Sequence[IO[bytes]]) -> tuple[StoredTrial, ...]:
        if not places:
            raise _damaged(self._folder / RECORDS, "the record of a case is missing")
        return tuple(_read_trial(place, files, self._folder) for place in places)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedSuite:
    """A suite of a run, how it ended in earlier runs, and what changed since the one it is held against."""

    report: SuiteReport
    cases: WholeCases
    history: tuple[Point, ...]
    changes: Changes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedRun:
    """A run: its report, what run.json says besides, and the name of the run it is held against."""

    report: Report
    info: Mapping[str, Any]
    suites: tuple[ReportedSuite, ...]
    against: str | None = None


def read_reported(path: Path, against: Path | None = None) -> ReportedRun:
    """Return a run, held against another one where that is given.

    Raises:
        ConfigError: one of the two is damaged, or they have no suite in common.
    """
    directory = RunDirectory(path)
    report = read_report(directory)
    before = None if against is None else read_report(RunDirectory(against))
    if before is not None and not _by_name(before).keys() & _by_name(report).keys():
        hint = f"{before.name} has {', '.join(suite.name for suite in before.suites)}"
        raise ConfigError([Problem(f"{report.name} and {before.name} have no suite in common", hint=hint)])
    earlier = {} if before is None else _by_name(before)
    return ReportedRun(
        report=report,
        info=directory.info,
        against=None if before is None else before.name,
        suites=tuple(_read_suite(path, suite, earlier.get(name)) for name, suite in _by_name(report).items()),
    )


def _by_name(report: Report) -> dict[tuple[str, str, int], SuiteReport]:
    """Return the suites by name and kind; equal ones are told apart by their order."""
    seen: Counter[tuple[str, str]] = Counter()
    named = {}
    for suite in report.suites:
        name = suite.name, suite.kind.value
        named[(*name, seen[name])] = suite
        seen[name] += 1
    return named


def _read_suite(run: Path, suite: SuiteReport, before: SuiteReport | None) -> ReportedSuite:
    changes = None if before is None else compare_suites(_without_texts(before), _without_texts(suite))
    return ReportedSuite(
        report=suite, cases=WholeCases(suite), history=read_history(run, suite), changes=changes
    )


def _without_texts(suite: SuiteReport) -> SuiteReport:
    """All cases of both runs are held at once, but no more of them than is compared."""
    return replace(
        suite, cases=tuple(replace(case, output=None, outputs={}, rows=()) for case in suite.cases)
    )


def _read_places(folder: Path) -> Iterator[_Place]:
    """Yield where row and record of each trial start; their lines are in the same order."""
    try:
        pairs = zip(whole_lines(folder / ROWS), whole_lines(folder / RECORDS), strict=False)
        for (row_place, line), (record_place, _) in pairs:
            row = json.loads(line)
            yield _Place(row["index"], row_place, record_place, (row["ref"], row["model"]))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise _damaged(folder, error) from error


def _read_trial(place: _Place, files: Sequence[IO[bytes]], folder: Path) -> StoredTrial:
    rows, records = files
    rows.seek(place.row)
    records.seek(place.record)
    try:
        return _parse_trial(decode_case(json.loads(rows.readline())), json.loads(records.readline()))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise _damaged(folder, error) from error


def _parse_trial(case: CaseReport, record: Record) -> StoredTrial:
    """Of a comparison the outputs are those of both arms; a baseline's comes after the one of now."""
    arms = record["arms"]
    outputs = {None: record, **arms} if BASELINE in arms or not arms else arms
    return StoredTrial(
        case=case,
        replica=int(record["replica"]),
        input=dict(record["input"]),
        expected_behavior=record["expected_behavior"],
        outputs=tuple(
            StoredOutput(arm=arm, text=each["output"], error=each["error"], source=each["source"])
            for arm, each in outputs.items()
        ),
        latency_ms=record["latency_ms"],
    )


def _damaged(path: Path, why: object) -> ConfigError:
    problem = Problem(f"the run is damaged: {why}", file=str(path), hint="run the suite again")
    return ConfigError([problem])
