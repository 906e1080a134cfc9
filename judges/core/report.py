"""What a run found: the values that every output format renders."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from pathlib import Path
from typing import Any

from judges.core.case import Category
from judges.core.row import Notice, Row
from judges.core.usage import NOTHING, Usage
from judges.core.verdict import ExitCode, Verdict

NOWHERE = Path(os.devnull)
"""The run directory of what was not started: there is none."""


class SuiteKind(StrEnum):
    """Which of the three kinds of suite a report is about."""

    PROMPT = "prompt"
    FIXTURE = "fixture"
    GRID = "grid"


@dataclass(frozen=True, slots=True, kw_only=True)
class CriterionResult:
    """One criterion of one case. `percent` is 0..100; `confidence` is 0..1 where the judge gives it."""

    level: int | None
    percent: Decimal
    reasoning: str | None = None
    confidence: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseReport:
    """The result of one case. `judged_score` is the score before overrides; both are 0..100.

    `outputs` are those of both arms of a comparison, of which `output` is that of `b`. `output_usage` is the
    part of `usage` that producing the output took. `stability` says how steady the
    judge was, where it was asked again: `asked`, `flips` of the verdict, `agreement` 0..1.
    """

    ref: str
    title: str
    category: Category | None
    verdict: Verdict
    rows: tuple[Row, ...]
    score: Decimal | None = None
    judged_score: Decimal | None = None
    criteria: Mapping[str, CriterionResult] = field(default_factory=dict)
    override: Mapping[str, Any] | None = None
    notices: tuple[Notice, ...] = ()
    output: str | None = None
    outputs: Mapping[str, str | None] = field(default_factory=dict)
    model: str | None = None
    usage: Usage = NOTHING
    output_usage: Usage = NOTHING
    stability: Mapping[str, Any] | None = None

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why the case did not pass, in words for a person: what each row that decided it says, once."""
        decisive = (row for row in self.rows if row.verdict not in (Verdict.PASS, Verdict.SKIP))
        return tuple(dict.fromkeys(row.error or row.actual_excerpt or row.id for row in decisive))


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """How many cases ended how."""

    cases: int = 0
    passed: int = 0
    warned: int = 0
    failed: int = 0
    errored: int = 0
    inconclusive: int = 0
    skipped: int = 0
    overridden: int = 0

    def __add__(self, other: "Totals") -> "Totals":
        return Totals(**{name: getattr(self, name) + getattr(other, name) for name in Totals.__slots__})


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSummary:
    """How the cases of one model ended.

    `mean_score`, 0..100, is over the cases that have a score. `output_usage` is what producing the outputs
    took, without judging them.
    """

    totals: Totals
    mean_score: Decimal | None
    output_usage: Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeReport:
    """Who judged, and whether they are better than chance at it: None where that has not been measured.

    Where it has, people's ratings of `n` outputs gave an `accuracy`, 0..1, with an interval from `low` to
    `high`.
    """

    model: str
    qualified: bool | None = None
    n: int | None = None
    accuracy: float | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteReport:
    """The result of one suite. `cases` may be read from the run directory as it is iterated.

    `models` sums up the cases of each model that made outputs. `summary` holds the figures that decided a
    suite which is not as bad as its worst case, as JSON values.
    """

    name: str
    kind: SuiteKind
    path: Path
    verdict: Verdict
    run_dir: Path
    cases: Sequence[CaseReport]
    totals: Totals
    usage: Usage = NOTHING
    models: Mapping[str, ModelSummary] = field(default_factory=dict)
    summary: Mapping[str, Any] = field(default_factory=dict)
    notices: tuple[Notice, ...] = ()
    judge: JudgeReport | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The result of a run. A `resumable` one was interrupted, and `scaffold run --resume` goes on with it."""

    verdict: Verdict
    exit_code: ExitCode
    run_dir: Path
    suites: tuple[SuiteReport, ...]
    notices: tuple[Notice, ...] = ()
    resumable: bool = False

    @property
    def name(self) -> str:
        """What commands know the run by."""
        return run_name(self.run_dir)

    @property
    def totals(self) -> Totals:
        """The sum over all suites."""
        return sum((suite.totals for suite in self.suites), Totals())

    @property
    def usage(self) -> Usage:
        """The sum over all suites."""
        return sum((suite.usage for suite in self.suites), Usage())


def run_name(run_dir: Path) -> str:
    """Return what commands know a run by: its id in a project, its path elsewhere."""
    return run_dir.name if run_dir.parts[-3:-1] == (".omniscitus", "runs") else str(run_dir)
