"""Measures the prompts of a gate: one run of a grid whose arms they are, in a run directory of its own."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from judges.core.encode import encode_usage
from judges.core.errors import RunError
from judges.core.report import CaseReport, Report
from judges.core.usage import Usage
from judges.core.verdict import ExitCode
from judges.files.grid_suite import GridArm, GridSuite, Task
from judges.reduce.gate import Sample
from judges.reduce.grid_cells import Cell
from judges.run.connections import Connections
from judges.run.execute import Watch, execute
from judges.run.grid.plan import GridPlan, plan_grid
from judges.run.grid.procedure import read_cells
from judges.run.options import RunOptions
from judges.run.procedures import estimate
from scaffold.gate.decide import Measured
from scaffold.gate.plan import CURRENT, NULL_CONTROL, GatePlan
from scaffold.progress import Progress, open_progress


@dataclass(frozen=True, slots=True, kw_only=True)
class GridMeasure:
    """Runs the grid of a gate with the prompts for arms; all else stays as the grid has it.

    `consent` is told what it will about take before anything is called, and raises where that is too much.
    `concurrency` is how many trials are run at once.
    """

    plan: GatePlan
    connections: Connections
    consent: Callable[[Usage], None]
    concurrency: int
    quiet: bool = False

    def __call__(self, prompts: Mapping[str, str], tasks: Sequence[Task]) -> Measured:
        """Return a sample of each task, model and repeat for each prompt.

        Raises:
            ConfigError: an endpoint cannot be used as it is set up; nothing was called.
            RunError: something could not be measured.
            KeyboardInterrupt: the run was interrupted; what was answered is kept.
        """
        options = RunOptions(repeat=self.plan.repeat, concurrency=self.concurrency)
        planned = plan_grid(build_suite(self.plan, prompts, tasks), options)
        planned = replace(planned, reruns=frozenset({NULL_CONTROL}))
        self.consent(estimate(planned, self.connections.environ))
        report = self._run(planned)
        if report.exit_code is ExitCode.INTERRUPTED:
            raise KeyboardInterrupt
        cells = _need_all(planned, report)
        samples = {
            arm: [each for cell in cells if cell.arm == arm for each in _samples(cell)] for arm in prompts
        }
        return Measured(samples, {"run": report.run_dir.name, "usage": encode_usage(report.usage)})

    def _run(self, planned: GridPlan) -> Report:
        root = self.plan.registry.root
        with open_progress(planned.trial_count, quiet=self.quiet) as progress:
            watch = _Watch(progress)
            return execute([planned], planned.options, self.connections, root=root, watch=watch)


def build_suite(plan: GatePlan, prompts: Mapping[str, str], tasks: Sequence[Task]) -> GridSuite:
    """Return the grid that measures these prompts on these tasks; no file is like it."""
    grid = plan.grid
    arms = tuple(GridArm(name=arm, text=text, control=arm == CURRENT) for arm, text in prompts.items())
    return replace(grid, name=f"gate {plan.block.target}", arms=arms, tasks=tuple(tasks))


class _Watch(Watch):
    def __init__(self, progress: Progress) -> None:
        self._progress = progress

    def case(self, case: CaseReport) -> None:
        self._progress.advance(case)


def _need_all(plan: GridPlan, report: Report) -> Sequence[Cell]:
    """Return the cells of a run in which every output could be measured: of less nothing is decided."""
    (suite,) = report.suites
    cells = read_cells(plan, suite.cases)
    missing = sum(value is None for cell in cells for value in cell.values)
    if missing:
        why = next(reason for case in suite.cases for row in case.rows if (reason := row.error))
        message = f"{missing} of {plan.trial_count} outputs could not be measured"
        raise RunError(f"{message}: {why} (scaffold show {report.run_dir.name})")
    return cells


def _samples(cell: Cell) -> Sequence[Sample]:
    return [Sample(cell.task, value) for value in cell.measured]
