"""Taking up a run where it ended: what is finished is read back, what was cut is dropped."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from judges.core.case import TrialKey, digest
from judges.core.encode import decode_case
from judges.core.errors import ConfigError, Problem
from judges.core.report import CaseReport
from judges.run.checks import check_files
from judges.run.plan import SuitePlan


@dataclass(frozen=True, slots=True)
class Finished:
    """A trial of an earlier part of the run. `place` is where its row starts."""

    key: TrialKey
    place: int
    case: CaseReport


def plan_digest(plan: SuitePlan) -> str:
    """Return the digest of all that decides about a suite's trials: a resumed run must have the same."""
    suite = plan.suite
    parts = (
        suite.meta,
        suite.criteria,
        suite.context,
        suite.specs,
        suite.overrides,
        plan.judges,
        plan.standing.qualified,
        suite.baseline,
        [(source.arm, source.models, source.template) for source in plan.sources],
        [sha256(path.read_bytes()).hexdigest() for path in _programs(plan)],
    )
    return digest(f"{parts!r} {plan.trials_sha256}")


def _programs(plan: SuitePlan) -> Iterator[Path]:
    """Yield the author's own programs, whose text decides about outputs and checks."""
    yield from plan.runners
    yield from check_files(plan.suite)


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
