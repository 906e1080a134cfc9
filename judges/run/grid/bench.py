"""One output of a grid from start to end: get it, measure it, see whether it may pass."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path

from judges.check.labels import label_rows
from judges.core.case import RunRecord, Trial
from judges.core.report import CaseReport
from judges.core.row import Row
from judges.core.usage import Usage
from judges.core.verdict import Verdict, worst
from judges.reduce.decision import Decision
from judges.reduce.grid_rows import GATE, MEASURE, score_rows, unmeasured_rows
from judges.run.fixture.plan import why_no_session
from judges.run.grid.plan import GridPlan
from judges.run.grid.produce import Arms, Make
from judges.run.outcome import Outcome
from judges.run.outputs import Records
from judges.run.trial import PromptBench


@dataclass(frozen=True, slots=True, kw_only=True)
class GridBench:
    """Everything that the trials of one grid share. Calling it runs one; safe in several threads.

    `make` has what makes the outputs of each arm, once the folder of the suite is known; an arm without it
    is not run. `scoring` judges outputs, where they are scored. `golden` are the right labels by cell.
    """

    plan: GridPlan
    arms: Arms
    scoring: PromptBench | None
    golden: Mapping[str, str]
    make: Mapping[str, Make] = field(default_factory=dict)

    def prepare(self, folder: Path) -> tuple["GridBench", Usage]:
        """Open the arms, and put the judge to the test where there is one.

        Raises:
            OSError: what was found cannot be kept in the suite's folder.
        """
        make, used = self.arms.open(folder), Usage()
        scoring = self.scoring
        if scoring is not None:
            scoring, used = replace(scoring, produce=lambda trial: _produce(make, trial)).prepare(folder)
        return replace(self, make=make, scoring=scoring), used

    @contextmanager
    def opened(self, folder: Path) -> Iterator[None]:  # noqa: ARG002  (that of `prepare`)
        """End the sessions that are still running when the run ends early."""
        try:
            yield
        finally:
            self.arms.end()

    def __call__(self, trial: Trial) -> Outcome:
        """Run one trial. What goes wrong becomes a row."""
        index = self.plan.replicas(trial.arm or "").index(trial.replica)
        if trial.arm not in self.make:
            why = self.plan.why_idle or why_no_session(self.plan.options)
            return _outcome(trial, _skipped(index, why), {None: RunRecord(output=None, source="not run")})
        if self.scoring is not None:
            return _scored(trial, index, self.scoring(trial))
        records = _produce(self.make, trial)
        record = records[None]
        if record.output is None:
            rows = unmeasured_rows(index, record.error or "there is no output")
        else:
            rows = label_rows(index, record.output, self.golden[trial.case.ref], self.plan.suite.labels)
        return _outcome(trial, rows, records)


def _produce(make: Mapping[str, Make], trial: Trial) -> Records:
    return {None: make[trial.arm or ""](trial)}


def _skipped(index: int, why: str) -> tuple[Row, ...]:
    return tuple(
        Row(id=f"{kind}[{index}]", kind=kind, verdict=Verdict.SKIP, error=why) for kind in (MEASURE, GATE)
    )


def _scored(trial: Trial, index: int, outcome: Outcome) -> Outcome:
    """Return the outcome of judging an output, with the rows of a cell."""
    case = outcome.case
    decision = Decision(
        verdict=case.verdict,
        rows=case.rows,
        score=None if case.score is None else Fraction(case.score),
        criteria=case.criteria,
    )
    made = _outcome(trial, score_rows(index, decision), outcome.records)
    report = replace(made.case, usage=case.usage, notices=case.notices, stability=case.stability)
    return replace(made, asked=outcome.asked, case=report)


def _outcome(trial: Trial, rows: tuple[Row, ...], records: Records) -> Outcome:
    case, record = trial.case, records[None]
    report = CaseReport(
        ref=case.ref,
        title=case.title,
        category=None,
        model=trial.model,
        verdict=worst(row.verdict for row in rows),
        rows=rows,
        output=record.output,
        usage=record.usage,
        output_usage=record.usage,
    )
    return Outcome(
        trial=trial, records=records, record=record, output_sha256=record.output_sha256, case=report
    )
