"""What a run is going to do with a suite, before anything is spent."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from judges.check.build import Check
from judges.core.case import Case, Trial
from judges.core.errors import ConfigError, Problem
from judges.core.report import JudgeReport
from judges.files.evaluation_meta import EvaluationType, ModelSpec
from judges.files.prompt_meta import JudgedCheck
from judges.files.suite import PromptSuite
from judges.files.template import PromptTemplate, read_prompt
from judges.reduce.decision import Rules
from judges.run.asking import Replication
from judges.run.checks import build_checks
from judges.run.options import RunOptions
from judges.run.standing import describe_standing, find_standing


@dataclass(frozen=True, slots=True, kw_only=True)
class SuitePlan:
    """A suite that can be run with these options: all about it has been checked but the endpoints.

    The names in `judges`, `meta` and `models` are full model names; for a runner they are what it is told.
    `models` is empty, and there is no `runner`, when every output is recorded. `trial_count` is how many
    trials there will be, `trials_sha256` the digest of their cases and recorded outputs.
    """

    suite: PromptSuite
    options: RunOptions
    rules: Rules
    checks: tuple[Check, ...]
    judges: tuple[str, ...]
    standing: JudgeReport
    meta: str | None
    replication: Replication
    models: tuple[ModelSpec, ...]
    template: PromptTemplate | None
    runner: Path | None = None
    trial_count: int = 0
    trials_sha256: str = ""

    @property
    def judge(self) -> str:
        """Who judges, in words."""
        return ", ".join(self.judges)

    @property
    def arrangements(self) -> tuple[str | None, ...]:
        """The models that each case is run with; None is a runner that is told of none."""
        names = tuple(model.name for model in self.models)
        return names or ((None,) if self.runner else ())

    def trials(self) -> Iterator[Trial]:
        """Yield the selected trials in the suite's order; a case without recorded output once a model."""
        for case in self.suite.cases:
            if not self.options.select.matches(case, self.suite.path):
                continue
            if self.recorded_output(case) is not None or case.skip is not None:
                yield Trial(case)
                continue
            for model in self.arrangements:
                yield Trial(case, model=model)

    def recorded_output(self, case: Case) -> str | None:
        """Return the output to judge: one given by ref, or the case's own unless live ones are wanted."""
        given = self.options.outputs.get(case.ref)
        return case.output if given is None and not self.options.models else given


def plan_suite(suite: PromptSuite, options: RunOptions) -> SuitePlan:
    """Check that the suite can be run with these options, and return how.

    Raises:
        ConfigError: it cannot, for a reason that its author or the caller can remove.
    """
    if suite.evaluation is not EvaluationType.MULTI_CRITERIA:
        raise _problem(suite, f"evaluation type '{suite.evaluation}' cannot be run by this version")
    models = _models(suite, options)
    spec = suite.meta.judge
    judges = (options.judge,) if options.judge else spec.panel or (spec.model,)
    standing = find_standing(suite, judges)
    plan = SuitePlan(
        suite=replace(suite, notices=(*suite.notices, *describe_standing(suite, judges, standing))),
        options=options,
        rules=Rules(
            criteria=suite.criteria,
            checks=tuple(check for check in suite.meta.checks if isinstance(check, JudgedCheck)),
            thresholds=suite.meta.thresholds,
            expected=spec.score == "expected",
            smoke=standing.qualified is False,
        ),
        checks=build_checks(suite),
        judges=judges,
        standing=standing,
        meta=spec.meta,
        replication=_replication(suite),
        models=models,
        template=read_prompt(suite.target) if models and suite.target and not suite.runner else None,
        runner=suite.runner,
    )
    return _counted(plan)


def _counted(plan: SuitePlan) -> SuitePlan:
    """Count the trials and take their digest; refuse cases whose output nothing can produce."""
    recorded = live = 0
    trials = sha256()
    orphans: list[str] = []
    for case in plan.suite.cases:
        if not plan.options.select.matches(case, plan.suite.path):
            continue
        output = plan.recorded_output(case)
        trials.update(repr((case, output)).encode("utf-8", "surrogatepass"))
        if output is not None or case.skip is not None:
            recorded += 1
        elif plan.arrangements:
            live += len(plan.arrangements)
        else:
            orphans.append(case.ref)
    if orphans:
        raise _problem(
            plan.suite,
            f"{len(orphans)} cases have no output to judge: {_some(orphans)}",
            hint="name a model for the prompt (model: or --model) or a runner:, give --outputs FILE.jsonl, "
            "or record an output: in each case",
        )
    if live and plan.template is None and plan.runner is None:
        raise _problem(
            plan.suite, "a model is named but no target", hint="add target: with the prompt's path"
        )
    if not live:
        plan = replace(plan, models=(), runner=None)
    return replace(plan, trial_count=recorded + live, trials_sha256=trials.hexdigest())


def _models(suite: PromptSuite, options: RunOptions) -> tuple[ModelSpec, ...]:
    """The models asked for keep the suite's other settings, as temperature."""
    if not options.models:
        return (suite.model,) if suite.model else ()
    base = suite.model or ModelSpec(name="")
    return tuple(base.model_copy(update={"name": name}) for name in dict.fromkeys(options.models))


def _replication(suite: PromptSuite) -> Replication:
    evaluation = suite.meta.evaluation
    replicas = evaluation.replicas
    if isinstance(replicas, int):
        return Replication(most=replicas, quorum=evaluation.quorum)
    return Replication(most=replicas.max, fragile=True, quorum=evaluation.quorum)


def _some(names: list[str], most: int = 5) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def _problem(suite: PromptSuite, message: str, hint: str | None = None) -> ConfigError:
    return ConfigError([Problem(message, file=str(suite.path), hint=hint)])
