"""What running a grid means at each step."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import chain, groupby
from typing import Any

from judges.ask.render import render_context
from judges.core.encode import encode_suite
from judges.core.report import CaseReport, SuiteReport, Totals
from judges.core.usage import Usage
from judges.core.verdict import worst
from judges.files.outputs import OutputLine
from judges.reduce.grid import decide_grid
from judges.reduce.grid_cells import Cell, read_cell
from judges.reduce.percent import as_decimal
from judges.reduce.suite import SuiteDecision
from judges.run.connections import Connections
from judges.run.estimate import TYPICAL_OUTPUT, JudgingQuote, PromptQuote
from judges.run.grid.bench import GridBench
from judges.run.grid.plan import GridPlan, digest_plan, plan_grid
from judges.run.grid.produce import Arms, ArmTemplate, connect_arms, digest_made
from judges.run.outcome import Outcome
from judges.run.outputs import build_line
from judges.run.plan import Procedure
from judges.run.prompt_procedure import build_judging


def build_bench(plan: GridPlan, connections: Connections, now: datetime) -> GridBench:
    """Connect to all that the plan names.

    Raises:
        ConfigError: an endpoint or the client cannot be used as it is set up.
    """
    idle = plan.why_idle is not None
    return GridBench(
        plan=plan,
        arms=Arms() if idle else connect_arms(plan, connections),
        scoring=build_judging(plan.judging, connections, now) if plan.judging and not idle else None,
        golden={place.case.ref: place.task.golden_label or "" for place in plan.places},
    )


def merge(plan: GridPlan, trials: Iterable[CaseReport]) -> Iterator[CaseReport]:
    """Yield the cells: a cell has the rows of all its repeats, and the mean of what was measured as score."""
    keys = _keys(plan)
    for ref, repeats in groupby(trials, key=lambda trial: trial.ref):
        runs = list(repeats)
        rows = tuple(chain.from_iterable(each.rows for each in runs))
        mean = read_cell(*keys[ref], rows).mean
        yield replace(
            runs[0],
            verdict=worst(row.verdict for row in rows),
            rows=rows,
            score=None if mean is None else as_decimal(100 * mean),
            notices=tuple(chain.from_iterable(each.notices for each in runs)),
            usage=sum((each.usage for each in runs), Usage()),
            output_usage=sum((each.output_usage for each in runs), Usage()),
        )


def read_cells(plan: GridPlan, cases: Iterable[CaseReport]) -> list[Cell]:
    """Return the cells that the cases of a grid stand for."""
    keys = _keys(plan)
    return [read_cell(*keys[case.ref], case.rows) for case in cases]


def _keys(plan: GridPlan) -> Mapping[str, tuple[str, str, str]]:
    """Return arm, model and task of each cell by its ref, which cannot be split: models have slashes."""
    return {place.case.ref: (place.arm.name, place.model.name, place.task.id) for place in plan.places}


def _estimate(plan: GridPlan, environ: Mapping[str, str]) -> Usage:
    """A session's cost is not known before; it is one call."""
    judging = JudgingQuote(plan.judging, environ) if plan.judging else None
    quotes = {
        (arm.name, spec.name): PromptQuote(ArmTemplate(arm), spec, environ)
        for arm in plan.arms
        for spec in plan.models
        if arm.fixture is None
    }
    used = Usage()
    for trial in plan.trials():
        quote = quotes.get((trial.arm or "", trial.model or ""))
        used += quote.price(trial) if quote else Usage(calls=1)
        if judging is not None:
            used += judging.price(trial.case, {None: TYPICAL_OUTPUT})
    return used


def _describe(plan: GridPlan) -> dict[str, Any]:
    return {
        "type": f"grid of {plan.suite.measure}s",
        "judge": plan.judge,
        "arms": [arm.name for arm in plan.arms],
        "control": plan.suite.control.name,
        "models": list(plan.model_names),
        "tasks": len(plan.tasks),
        "repeat": plan.repeat,
    }


def _decide(plan: GridPlan, totals: Totals, cases: Sequence[CaseReport]) -> SuiteDecision:
    return decide_grid(read_cells(plan, cases), plan.suite.control.name, totals)


def _told(plan: GridPlan) -> str:
    judged = plan.suite.judged
    return render_context(judged.context, judged.specs) if judged else ""


def _lines(plan: GridPlan, outcome: Outcome) -> Iterator[OutputLine]:
    """Yield the output of a trial; what a session came to is not recorded."""
    trial, record = outcome.trial, outcome.record
    arm = next(arm for arm in plan.arms if arm.name == trial.arm)
    model = next(model for model in plan.models if model.name == trial.model)
    if record.output is not None and arm.fixture is None:
        yield build_line(trial, record, digest_made(arm, model, trial))


def _grade(_: GridPlan, report: SuiteReport) -> Mapping[str, Any]:
    return encode_suite(report)


PROCEDURE = Procedure(
    plan=plan_grid,
    build_bench=build_bench,
    estimate=_estimate,
    describe=_describe,
    sha256=digest_plan,
    decide=_decide,
    grade=_grade,
    merge=merge,
    told=_told,
    lines=_lines,
)
