"""What running a prompt suite means at each step."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from judges.ask.render import render_context
from judges.core.case import digest
from judges.core.encode import encode_suite, encode_value
from judges.core.errors import Problem
from judges.core.report import CaseReport, SuiteReport, Totals
from judges.files.outputs import OutputLine
from judges.files.problems import gather, raise_any
from judges.reduce.overrides import newest_overrides
from judges.reduce.suite import SuiteDecision
from judges.run.canary import build_canary
from judges.run.checks import check_files
from judges.run.closed import ClosedBench, skip_case
from judges.run.connections import Connections
from judges.run.estimate import estimate
from judges.run.judge import build_asker
from judges.run.outcome import Outcome
from judges.run.outputs import connect_sources, output_lines
from judges.run.plan import Bench, Procedure
from judges.run.prompt_plan import PromptPlan, plan_prompt
from judges.run.standing import rubric_digest
from judges.run.trial import PromptBench


def build_bench(plan: PromptPlan, connections: Connections, now: datetime) -> Bench:
    """Connect to all that the plan names.

    Raises:
        ConfigError: an endpoint or a runner cannot be used as it is set up.
    """
    if plan.asks_nobody:
        return ClosedBench(skip_case)
    why = plan.why_idle
    return build_judging(plan, connections, now) if why is None else ClosedBench(partial(skip_case, why=why))


def build_judging(plan: PromptPlan, connections: Connections, now: datetime) -> PromptBench:
    """Connect to all that the plan names, which is not idle.

    Raises:
        ConfigError: an endpoint or a runner cannot be used as it is set up.
    """
    suite, accepted = plan.suite, plan.accepted
    problems: list[Problem] = []
    with gather(problems):
        produce, runners = connect_sources(plan.sources, suite, connections)
    with gather(problems):
        judging = connections.with_config(suite.config)
        connect = partial(judging.endpoint, base_url=suite.meta.judge.base_url, folder=suite.test_root)
        judge = build_asker(plan, connect)
    raise_any(problems)
    return PromptBench(
        suite=suite,
        kind=plan.evaluation,
        rules=plan.rules,
        checks=plan.checks,
        produce=accepted.beside(produce) if accepted else produce,
        judge=judge,
        canary=build_canary(plan),
        replication=plan.replication,
        overrides=newest_overrides(suite.overrides),
        now=now,
        judge_all=plan.options.judge_all,
        known=accepted.known(plan.judges) if accepted else None,
        runners=runners,
    )


def _describe(plan: PromptPlan) -> dict[str, Any]:
    spec = plan.suite.meta.judge
    return {
        "type": plan.suite.evaluation.value,
        "rubrics": {each.name: each.rubric_sha256 for each in plan.suite.criteria},
        "told_sha256": rubric_digest(plan.suite),
        "judge": plan.judge,
        "meta": plan.meta,
        "replicas": plan.replication.most,
        "temperature": encode_value(spec.temperature),
        "max_retries": spec.max_retries,
        "models": list(plan.model_names),
    }


def _digest(plan: PromptPlan) -> str:
    suite = plan.suite
    parts = (
        suite.meta,
        suite.criteria,
        suite.context,
        suite.specs,
        suite.overrides,
        plan.judges,
        plan.standing.qualified,
        suite.baseline,
        [(source.arm, source.models, source.template) for source in plan.sources],
        [sha256(path.read_bytes()).hexdigest() for path in _programs(plan)],
        plan.recording and plan.recording.sha256(),
    )
    return digest(f"{parts!r} {plan.trials_sha256}")


def _programs(plan: PromptPlan) -> Iterator[Path]:
    """Yield the author's own programs, whose text decides about outputs and checks."""
    yield from plan.runners
    yield from check_files(plan.suite)


def _decide(plan: PromptPlan, totals: Totals, cases: Sequence[CaseReport]) -> SuiteDecision:
    return plan.evaluation.decide_suite(plan.rules, totals, cases)


def _lines(plan: PromptPlan, outcome: Outcome) -> Iterator[OutputLine]:
    return output_lines(plan.sources, outcome.trial, outcome.records, plan.options.outputs)


def _grade(_: PromptPlan, report: SuiteReport) -> Mapping[str, Any]:
    return encode_suite(report)


PROCEDURE = Procedure(
    plan=plan_prompt,
    build_bench=build_bench,
    estimate=estimate,
    describe=_describe,
    sha256=_digest,
    decide=_decide,
    grade=_grade,
    told=lambda plan: render_context(plan.suite.context, plan.suite.specs),
    lines=_lines,
)
