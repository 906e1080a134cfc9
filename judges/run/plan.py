"""The seam between the run machinery and the kinds of suite: a plan, and a bench to run its trials at.

    suite --plan_suite--> Plan --build_bench--> Bench --trial by trial--> Outcomes --merge, decide--> report

A plan says what would be run, before anything is spent; a bench is connected to everything that it takes.
What a kind does at each step is its `Procedure`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from judges.core.case import Trial
from judges.core.report import CaseReport, JudgeReport, SuiteKind, SuiteReport, Totals
from judges.core.row import Notice
from judges.core.usage import Usage
from judges.files.outputs import OutputLine
from judges.reduce.suite import SuiteDecision
from judges.run.connections import Connections
from judges.run.options import RunOptions
from judges.run.outcome import Outcome


class Suite(Protocol):
    """What every suite has. `root` is the project root, `path` the suite's file."""

    @property
    def name(self) -> str:
        """What people call it."""

    @property
    def path(self) -> Path:
        """Its file."""

    @property
    def root(self) -> Path:
        """The project root."""

    @property
    def notices(self) -> tuple[Notice, ...]:
        """Remarks about the suite itself."""


class Plan(Protocol):
    """A suite that can be run: all about it has been checked but the endpoints."""

    @property
    def kind(self) -> SuiteKind:
        """Which procedure it takes."""

    @property
    def suite(self) -> Suite:
        """What is run."""

    @property
    def options(self) -> RunOptions:
        """What the caller asked for."""

    @property
    def judge(self) -> str:
        """Who judges, in words; "" where nobody does."""

    @property
    def consulted(self) -> tuple[str, ...]:
        """The judges by name, and whoever decides where they disagree."""

    @property
    def standing(self) -> JudgeReport | None:
        """What is known of the judge, where one judges all of the suite."""

    @property
    def model_names(self) -> tuple[str, ...]:
        """The models that each case is run with."""

    @property
    def why_idle(self) -> str | None:
        """Why all its trials would be skipped, and how to have them run; None where they would not."""

    @property
    def unpriced(self) -> str:
        """What will be spent besides the estimate, in words; "" where that is nothing."""

    @property
    def trial_count(self) -> int:
        """How many trials there will be."""

    @property
    def formula(self) -> str:
        """How the calls come about, in words; "" where it is a trial a case."""

    def trials(self) -> Iterator[Trial]:
        """Yield the trials in the suite's order."""


class Bench(Protocol):
    """What the trials of one suite share. Calling it runs one trial; safe in several threads."""

    def prepare(self, folder: Path) -> tuple["Bench", Usage]:
        """Do what must be done before any trial; return the bench to go on with, and what it took.

        Raises:
            OSError: the suite's folder cannot be written.
        """

    def opened(self, folder: Path) -> AbstractContextManager[None]:
        """Start what the trials need and end it; files go to the suite's folder."""

    def __call__(self, trial: Trial) -> Outcome:
        """Run one trial. What goes wrong becomes a row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Procedure:
    """What one kind of suite does at each step; every function takes a suite or a plan of that kind.

    `plan` checks that a suite can be run with some options, and raises ConfigError where it cannot.
    `estimate` gives the calls, tokens and cost that the plan will about take, without sending anything.
    `describe` gives what plan.json says of the plan; `sha256` is the digest of all that decides about the
    trials: a resumed run must have the same. Where a case of the report is made of several trials, `merge`
    makes it. `grade` gives the summary of the finished suite as in grade.json. `told` is what the judge is
    told in all of its calls, `lines` what is to be recorded of the outputs of a trial; without it none are.
    """

    plan: Callable[[Any, RunOptions], Plan]
    build_bench: Callable[[Any, Connections, datetime], Bench]
    estimate: Callable[[Any, Mapping[str, str]], Usage]
    describe: Callable[[Any], Mapping[str, Any]]
    sha256: Callable[[Any], str]
    decide: Callable[[Any, Totals, Sequence[CaseReport]], SuiteDecision]
    grade: Callable[[Any, SuiteReport], Mapping[str, Any]]
    merge: Callable[[Any, Iterable[CaseReport]], Iterable[CaseReport]] | None = None
    told: Callable[[Any], str] = lambda _: ""
    lines: Callable[[Any, Outcome], Iterable[OutputLine]] | None = None
