"""One suite while it is run: what is finished so far, in memory only what it takes to sum it up."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from judges.core.case import Trial, TrialKey
from judges.core.report import CaseReport, SuiteReport
from judges.core.row import Notice
from judges.core.usage import Usage
from judges.core.verdict import Verdict
from judges.run.outcome import Outcome
from judges.run.plan import Plan
from judges.run.procedures import procedure_of
from judges.run.records import CASES, GRADE, ROWS, StoredCases, SuiteWriter, store_merged, write_json
from judges.run.resume import read_finished
from judges.run.tally import SuiteTally


class SuiteProgress:
    """Keeps count, and writes every finished trial to the suite's folder at once."""

    def __init__(self, plan: Plan, folder: Path) -> None:
        self._plan = plan
        self._folder = folder
        self._done: dict[TrialKey, int] = {}
        self._places: dict[int, int] = {}
        self._tally = SuiteTally(plan.model_names)
        self._spent = Usage()
        self._writer: SuiteWriter | None = None

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
            self._tally.add(finished.case, finished.place)
            observe(finished.case)

    def remaining(self) -> Iterator[tuple[int, Trial]]:
        """Yield the trials that are not finished, each with its place in the suite's order."""
        for index, trial in enumerate(self._plan.trials()):
            place = self._done.get(trial.key)
            if place is None:
                yield index, trial
            else:
                self._places[index] = place

    def add(self, finished: Sequence[tuple[int, Outcome]]) -> None:
        """Write finished trials, each with its number in the suite, and count them.

        Raises:
            OSError: they cannot be written.
        """
        if self._writer is None:
            self._writer = SuiteWriter(self._folder)
        for (index, outcome), place in zip(finished, self._writer.write(finished), strict=True):
            self._places[index] = place
            self._tally.add(outcome.case, place)

    def spend(self, usage: Usage) -> None:
        """Count what was used apart from any trial."""
        self._spent += usage

    def finish(self) -> SuiteReport:
        """Return the report of the suite, and write its summary. What was not run makes it ERROR.

        Raises:
            OSError: the summary cannot be written.
        """
        (self._writer or SuiteWriter(self._folder)).close()  # also a suite without a trial has its files
        suite = self._plan.suite
        procedure = procedure_of(self._plan.kind)
        missing = self._plan.trial_count - len(self._places)
        left_out = [Notice(f"{missing} of {self._plan.trial_count} trials were not run")] if missing else []
        cases, tally = self._merged()
        decision = procedure.decide(self._plan, tally.totals, cases)
        report = SuiteReport(
            name=suite.name,
            kind=self._plan.kind,
            path=suite.path,
            verdict=Verdict.ERROR if missing else decision.verdict,
            run_dir=self._folder,
            cases=cases,
            totals=tally.totals,
            usage=tally.usage + self._spent,
            models=tally.models,
            summary=decision.summary,
            notices=(*suite.notices, *tally.notices(cases.places), *left_out),
            judge=self._plan.standing,
        )
        write_json(self._folder / GRADE, procedure.grade(self._plan, report))
        return report

    def _merged(self) -> tuple[StoredCases, SuiteTally]:
        """Return the cases and their sums: they are the trials themselves, or made of several."""
        places = [self._places[index] for index in sorted(self._places)]
        trials = StoredCases(self._folder / ROWS, places)
        merge = procedure_of(self._plan.kind).merge
        if merge is None:
            return trials, self._tally
        tally = SuiteTally(self._plan.model_names)
        merged = []
        for case, place in store_merged(self._folder, merge(self._plan, trials)):
            tally.add(case, place)
            merged.append(place)
        return StoredCases(self._folder / CASES, merged), tally
