"""Taking up a run where it ended: what is finished is read back, what was cut is dropped."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from judges.core.case import TrialKey
from judges.core.encode import decode_case
from judges.core.errors import ConfigError, Problem
from judges.core.report import CaseReport


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
    rows_path, records_path = folder / "rows.jsonl", folder / "records.jsonl"
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


def _finished(place: int, row: bytes, folder: Path) -> Finished:
    try:
        told = json.loads(row)
        case, key = decode_case(told), (told["ref"], told["arm"], told["model"], told["replica"])
    except (ValueError, KeyError, TypeError) as error:
        problem = Problem(
            f"the run is damaged and cannot be resumed: {error}", file=str(folder), hint="start a new run"
        )
        raise ConfigError([problem]) from error
    return Finished(key, place, case)
