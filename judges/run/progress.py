"""One suite while it is run: what is finished so far, in memory only what it takes to sum it up."""

from collections.abc import Callable, Iterator
from pathlib import Path

from judges.core.case import Trial, TrialKey
from judges.core.encode import encode_suite
from judges.core.report import CaseReport, SuiteKind, SuiteReport, Totals
from judges.core.row import Notice
from judges.core.usage import Usage
from judges.core.verdict import Verdict
from judges.reduce.suite import Tally, count
from judges.run.plan import SuitePlan
from judges.run.records import StoredCases, SuiteWriter, write_json
from judges.run.resume import read_finished
from judges.run.trial import Outcome


class SuiteProgress:
    """Keeps count, and writes every finished trial to the suite's folder at once."""

    def __init__(self, plan: SuitePlan, folder: Path) -> None:
        self._plan = plan
        self._folder = folder
        self._done: dict[TrialKey, int] = {}
        self._places: dict[int, int] = {}
        self._totals = Totals()
        self._usage = Usage()
        self._models = {model.name: Tally() for model in plan.models}
        self._notices: dict[int, tuple[Notice, ...]] = {}
        self._writer: SuiteWriter | None = None

    @property
    def plan(self) -> SuitePlan:
        """What is run."""
        return self._plan

    @property
    def folder(self) -> Path:
        """The suite's folder in the run directory."""
        return self._folder

    def take_up(self, observe: Callable[[CaseReport], None]) -> None:
        """Count what an earlier part of the run has finished.

        Raises:
            ConfigError: the folder is damaged.
        """
        for finished in read_finished(self._folder):
            self._done[finished.key] = finished.place
            self._count(finished.case, finished.place)
            observe(finished.case)

    def remaining(self) -> Iterator[tuple[int, Trial]]:
        """Yield the trials that are not finished, each with its place in the suite's order."""
        for index, trial in enumerate(self._plan.trials()):
            place = self._done.get(trial.key)
            if place is None:
                yield index, trial
            else:
                self._places[index] = place

    def add(self, index: int, outcome: Outcome) -> None:
        """Write one finished trial and count it.

        Raises:
            OSError: it cannot be written.
        """
        if self._writer is None:
            self._writer = SuiteWriter(self._folder)
        place = self._places[index] = self._writer.write(index, outcome)
        self._count(outcome.case, place)

    def spend(self, usage: Usage) -> None:
        """Count what was used apart from any trial."""
        self._usage += usage

    def finish(self) -> SuiteReport:
        """Return the report of the suite, and write its summary. What was not run makes it ERROR.

        Raises:
            OSError: the summary cannot be written.
        """
        (self._writer or SuiteWriter(self._folder)).close()  # also a suite without a trial has its files
        suite = self._plan.suite
        missing = self._plan.trial_count - len(self._places)
        left_out = [Notice(f"{missing} of {self._plan.trial_count} trials were not run")] if missing else []
        places = [self._places[index] for index in sorted(self._places)]
        remarks = (notice for place in places for notice in self._notices.get(place, ()))
        cases = StoredCases(self._folder, places)
        decision = self._plan.kind.decide_suite(self._plan.rules, self._totals, cases)
        report = SuiteReport(
            name=suite.name,
            kind=SuiteKind.PROMPT,
            path=suite.path,
            verdict=Verdict.ERROR if missing else decision.verdict,
            run_dir=self._folder,
            cases=cases,
            totals=self._totals,
            usage=self._usage,
            models={name: tally.summarize() for name, tally in self._models.items()},
            summary=decision.summary,
            notices=(*suite.notices, *remarks, *left_out),
            judge=self._plan.standing,
        )
        write_json(self._folder / "grade.json", encode_suite(report))
        return report

    def _count(self, case: CaseReport, place: int) -> None:
        self._totals += count(case)
        self._usage += case.usage
        if case.model is not None:
            self._models[case.model] = self._models.get(case.model, Tally()).add(case)
        if case.notices:
            self._notices[place] = case.notices
