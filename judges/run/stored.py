"""Finished runs: found by id or path, and read again as the report they gave."""

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path

from judges.core.encode import decode_notices, decode_suite
from judges.core.errors import ConfigError, Problem
from judges.core.report import Report, SuiteReport
from judges.core.verdict import ExitCode, Verdict
from judges.run.records import CASES, PLAN, ROWS, RUN, RunDirectory, StoredCases, how_to_resume

_INDEX = re.compile(rb'\{"index":(\d+),')


def find_run(name: str | None, root: Path | None) -> Path:
    """Return the run directory of an id or a path; without one, that of the project's latest finished run.

    Raises:
        ConfigError: there is no such run.
    """
    runs = list_runs(root) if root else []
    if name is None:
        return _latest(runs, root)
    for path in (*(run for run in runs if run.name == name), Path(name)):
        if path.is_dir():
            return path
    close = get_close_matches(name, [run.name for run in runs], n=1)
    hint = f"did you mean {close[0]}?" if close else _known(runs)
    raise ConfigError([Problem(f"there is no run '{name}'", hint=hint)])


def list_runs(root: Path) -> list[Path]:
    """Return the run directories of a project, oldest first, finished or not."""
    runs = [path for path in (root / ".omniscitus" / "runs").glob("*-*") if path.is_dir()]
    return sorted(runs, key=lambda path: (path.name.split("-")[0], path.stat().st_mtime_ns))


def is_finished(run: Path) -> bool:
    """Whether a run came to its end; `run.json` is written last."""
    return (run / RUN).is_file()


def is_run(path: Path) -> bool:
    """Whether a folder is that of a run, finished or not."""
    return is_finished(path) or (path / PLAN).is_file()


def describe_newer(run: Path, root: Path | None) -> str | None:
    """Say that a newer run of the project has not finished, if there is one."""
    newest = list_runs(root)[-1] if root else run
    if newest == run or is_finished(newest):
        return None
    return f"The newer run {newest.name} has not finished; this is {run.name}."


def read_report(run: RunDirectory) -> Report:
    """Return the report of a run. Its cases are read as they are asked for.

    Raises:
        ConfigError: the run directory is damaged.
    """
    try:
        code = ExitCode(run.info["exit_code"])
        return Report(
            verdict=Verdict(run.info["verdict"]),
            exit_code=code,
            run_dir=run.path,
            suites=tuple(_read_suite(run, suite) for suite in run.suites),
            notices=decode_notices(run.info["notices"]),
            resumable=code is ExitCode.INTERRUPTED and bool(run.info.get("arguments")),
        )
    except (KeyError, TypeError, ValueError) as error:
        problem = Problem(f"the run is damaged: {error}", file=str(run.path), hint="run the suite again")
        raise ConfigError([problem]) from error


def _read_suite(run: RunDirectory, suite: str) -> SuiteReport:
    folder = run.path / suite
    return decode_suite(run.grade(suite), run_dir=folder, cases=_stored_cases(folder))


def _stored_cases(folder: Path) -> StoredCases:
    merged, rows = folder / CASES, folder / ROWS
    if merged.exists():
        return StoredCases(merged, (place for place, _ in whole_lines(merged)))
    return StoredCases(rows, (place for _, place in sorted(_indexed_places(rows))))


def _indexed_places(rows: Path) -> Iterator[tuple[int, int]]:
    """Yield each trial's place in its suite and where its row starts; the last row may be cut."""
    return ((_index(row), place) for place, row in whole_lines(rows))


def whole_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield where each whole line of a file starts, and the line."""
    at = 0
    with path.open("rb") as file:
        for line in file:
            if line.endswith(b"\n"):
                yield at, line
            at += len(line)


def _index(row: bytes) -> int:
    found = _INDEX.match(row)
    if found is None:
        raise ValueError("a row without its index")
    return int(found[1])


def _latest(runs: Sequence[Path], root: Path | None) -> Path:
    finished = [run for run in runs if is_finished(run)]
    if finished:
        return finished[-1]
    where = f"below {root}" if root else "here: no folder from here upwards holds .omniscitus/"
    hint = f"go on with the latest: {how_to_resume(runs[-1])}" if runs else "make one: scaffold run"
    raise ConfigError([Problem(f"there is no finished run {where}", hint=hint)])


def _known(runs: Sequence[Path]) -> str:
    return f"the latest is {runs[-1].name}" if runs else "make one: scaffold run"
