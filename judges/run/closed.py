"""A bench for a suite that is not run: every trial is skipped."""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from judges.core.case import RunRecord, Trial
from judges.core.report import CaseReport
from judges.core.row import Row
from judges.core.usage import Usage
from judges.core.verdict import Verdict
from judges.run.outcome import Outcome


@dataclass(frozen=True, slots=True)
class ClosedBench:
    """Runs nothing. `skip` says of a trial that it was skipped, and why."""

    skip: Callable[[Trial], Outcome]

    def prepare(self, folder: Path) -> tuple["ClosedBench", Usage]:  # noqa: ARG002  (nothing to do)
        """Return the bench."""
        return self, Usage()

    def opened(self, folder: Path) -> nullcontext[None]:  # noqa: ARG002  (nothing to open)
        """Open nothing."""
        return nullcontext()

    def __call__(self, trial: Trial) -> Outcome:
        """Skip one trial."""
        return self.skip(trial)


def skip_case(trial: Trial, why: str | None = None) -> Outcome:
    """Return the outcome of a case of a prompt suite that was not run, for the reason that it has itself."""
    case = trial.case
    report = CaseReport(
        ref=case.ref,
        title=case.title,
        category=case.category,
        model=trial.model,
        verdict=Verdict.SKIP,
        rows=(Row(id="case", kind="case", verdict=Verdict.SKIP, error=why or case.skip),),
    )
    record = RunRecord(output=None, source="not run")
    return Outcome(trial=trial, records={None: record}, record=record, output_sha256=None, case=report)
