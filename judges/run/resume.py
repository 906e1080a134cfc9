"""Taking up a run where it ended: what is finished is read back, what was cut is dropped."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from judges.core.case import Trial, TrialKey
from judges.core.encode import decode_case
from judges.core.errors import ConfigError, Problem
from judges.core.report import CaseReport
from judges.run.plan import Plan
from judges.run.records import RECORDS, ROWS, read_lines


@dataclass(frozen=True, slots=True)
class Finished:
    """A trial of an earlier part of the run. `place` is where its row starts."""

    key: TrialKey
    place: int
    case: CaseReport


def read_finished(folder: Path) -> Iterator[Finished]:
    """Yield the trials that a suite's folder holds whole, and cut off behind them what it holds in part.

    A trial is whole when its line in rows.jsonl is: that one is written last.

    Raises:
        ConfigError: the files are damaged other than at their ends.
        OSError: the files cannot be read or cut.
    """
    rows_path, records_path = folder / ROWS, folder / RECORDS
    if not rows_path.exists():
        return
    with rows_path.open("r+b") as rows, records_path.open("r+b") as records:
        while True:
            place, end = rows.tell(), records.tell()
            row = rows.readline()
            if not row.endswith(b"\n"):
                break
            records.readline()
            yield _finished(place, row, folder)
        rows.truncate(place)
        records.truncate(end)


def trials_left(plan: Plan, folder: Path) -> Iterator[Trial]:
    """Yield the planned trials that a suite's folder holds no whole line of; nothing is changed in it.

    Raises:
        ConfigError: the files are damaged other than at their ends.
    """
    rows = folder / ROWS
    try:
        done = {_key(row) for row in read_lines(rows)} if rows.exists() else set()
    except KeyError as error:
        raise _damaged(folder, error) from error
    yield from (trial for trial in plan.trials() if trial.key not in done)


def _key(row: Mapping[str, Any]) -> TrialKey:
    return row["ref"], row["arm"], row["model"], row["replica"]


def _finished(place: int, row: bytes, folder: Path) -> Finished:
    try:
        told = json.loads(row)
        case, key = decode_case(told), _key(told)
    except (ValueError, KeyError, TypeError) as error:
        raise _damaged(folder, error) from error
    return Finished(key, place, case)


def _damaged(folder: Path, error: Exception) -> ConfigError:
    words = f"the run is damaged and cannot be resumed: {error}"
    return ConfigError([Problem(words, file=str(folder), hint="start a new run")])
