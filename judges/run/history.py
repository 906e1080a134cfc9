"""How a suite ended in the runs of a project before, as far as a plot over time needs it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice
from pathlib import Path
from statistics import mean

from judges.core.encode import decode_totals
from judges.core.errors import ConfigError
from judges.core.report import SuiteReport, Totals
from judges.files.project import find_root
from judges.run.records import CASES, ROWS, RunDirectory
from judges.run.stored import is_finished, list_runs, whole_lines

MOST_RUNS = 20

_SCORE = re.compile(rb'"score":([0-9.eE+-]+),"judged_score":')
"""The score of a case in its line: inside a text the quotes would be escaped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """How a suite ended in one run. `mean_score`, 0..100, is over the cases that have a score."""

    run: str
    totals: Totals
    mean_score: float | None

    @property
    def pass_rate(self) -> float | None:
        """The share of the cases that were run which passed, 0..100; None where none was run."""
        ran = self.totals.cases - self.totals.skipped
        return 100 * self.totals.passed / ran if ran else None


def read_history(run: Path, suite: SuiteReport, most: int = MOST_RUNS) -> tuple[Point, ...]:
    """Return how a suite ended in the latest runs up to this one, oldest first.

    They are those of the project that the run lies in. One that is damaged, or without the suite, tells
    nothing.
    """
    root = find_root(run.resolve())
    runs = [path for path in list_runs(root) if is_finished(path)] if root else []
    places = [path.resolve() for path in runs]
    if run.resolve() not in places:
        return ()
    earlier = reversed(runs[: places.index(run.resolve()) + 1])
    found = (point for path in earlier for point in islice(_points(path, suite), 1))
    return tuple(reversed(list(islice(found, most))))


def _points(run: Path, suite: SuiteReport) -> Iterator[Point]:
    try:
        directory = RunDirectory(run)
        for folder in directory.suites:
            grade = directory.grade(folder)
            if (grade.get("name"), grade.get("kind")) == (suite.name, suite.kind.value):
                totals = decode_totals(grade["totals"])
                yield Point(run=run.name, totals=totals, mean_score=_mean_score(run / folder))
    except (ConfigError, OSError, KeyError, TypeError):
        return


def _mean_score(folder: Path) -> float | None:
    cases = folder / CASES
    lines = whole_lines(cases if cases.exists() else folder / ROWS)
    scores = [Decimal(found[1].decode()) for _, line in lines if (found := _SCORE.search(line))]
    return float(mean(scores)) if scores else None
