"""Where the outputs of a suite come from: each arm has recorded ones, a runner, or a prompt and a model."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

from judges.core.case import Case, RunRecord, Trial
from judges.files import suite as files
from judges.files.evaluation_meta import ModelSpec
from judges.files.suite import PromptSuite
from judges.files.template import PromptTemplate, read_prompt
from judges.reduce.facts import Arm
from judges.run.connections import Connections
from judges.run.options import RunOptions
from judges.run.produce import BuiltIn
from judges.run.runner.build import build_runner
from judges.run.runner.runner import Runner

Records: TypeAlias = Mapping[Arm, RunRecord]
"""What a trial produced, by arm."""
Producer: TypeAlias = Callable[[Trial], Records]


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputSource:
    """Where the outputs of one arm come from: recorded ones first, then a runner, then a prompt and a model.

    `outputs` are recorded by case ref; with `own` those in the cases themselves count, too. `models` are
    those that a trial may name; where it names none of them the first is meant. With `shares_models` they
    are those of the suite, not the arm's own.
    """

    arm: Arm = None
    outputs: Mapping[str, str] = field(default_factory=dict)
    own: bool = False
    template: PromptTemplate | None = None
    runner: Path | None = None
    models: tuple[ModelSpec, ...] = ()
    shares_models: bool = True

    def recorded(self, case: Case) -> str | None:
        """Return the recorded output of a case, if there is one."""
        given = self.outputs.get(case.ref)
        return case.output if given is None and self.own else given

    @property
    def live(self) -> bool:
        """Whether there is someone to ask for outputs."""
        return self.runner is not None or bool(self.models)

    def model(self, trial: Trial) -> ModelSpec | None:
        """Return the model that a trial is run with; a runner is told its name."""
        named = (each for each in self.models if each.name == trial.model)
        return next(named, self.models[0] if self.models else None)


def find_sources(suite: PromptSuite, options: RunOptions) -> tuple[OutputSource, ...]:
    """Return the source of each arm of a suite; of a suite without arms the only one.

    Raises:
        ConfigError: a prompt cannot be read.
    """
    models = _models(suite, options)
    if not suite.arms:
        own = not options.models
        source = _source(suite.target, suite.runner, models)
        return (replace(source, outputs=options.outputs, own=own),)
    return tuple(_source_of_arm(arm, models) for arm in suite.arms)


def _source_of_arm(arm: files.Arm, models: tuple[ModelSpec, ...]) -> OutputSource:
    if arm.outputs is not None:
        return OutputSource(arm=arm.name, outputs=arm.outputs)
    source = _source(arm.target, arm.runner, (arm.model,) if arm.model else models)
    return replace(source, arm=arm.name, shares_models=arm.model is None)


def _source(target: Path | None, runner: Path | None, models: tuple[ModelSpec, ...]) -> OutputSource:
    template = read_prompt(target) if models and target and not runner else None
    return OutputSource(template=template, runner=runner, models=models)


def _models(suite: PromptSuite, options: RunOptions) -> tuple[ModelSpec, ...]:
    """The models asked for keep the suite's other settings, as temperature."""
    if not options.models:
        return (suite.model,) if suite.model else ()
    base = suite.model or ModelSpec(name="")
    return tuple(base.model_copy(update={"name": name}) for name in dict.fromkeys(options.models))


def connect_sources(
    sources: Sequence[OutputSource], suite: PromptSuite, connections: Connections
) -> tuple[Producer, tuple[Runner, ...]]:
    """Return what produces the outputs of a trial, and the runners behind it, which are to be opened.

    Raises:
        ConfigError: an endpoint or a runner cannot be used as it is set up.
    """
    budget = connections.terms.budget
    runners = {
        source.runner: build_runner(source.runner, suite, connections.environ, budget)
        for source in sources
        if source.runner is not None
    }
    connections = connections.with_config(suite.config)
    makers = [_connect(source, runners, connections) for source in sources]

    def produce(trial: Trial) -> Records:
        return {source.arm: make(trial) for source, make in zip(sources, makers, strict=True)}

    return produce, tuple(runners.values())


def _connect(
    source: OutputSource, runners: Mapping[Path, Runner], connections: Connections
) -> Callable[[Trial], RunRecord]:
    runner = runners[source.runner] if source.runner else None
    prompted = {} if source.template is None else _connect_models(source, source.template, connections)

    def make(trial: Trial) -> RunRecord:
        recorded = source.recorded(trial.case)
        if recorded is not None:
            return RunRecord(output=recorded, source="recorded")
        model = source.model(trial)
        trial = replace(trial, arm=source.arm, model=model.name if model else None)
        return runner(trial) if runner else prompted[trial.model](trial)

    return make


def _connect_models(
    source: OutputSource, template: PromptTemplate, connections: Connections
) -> dict[str | None, BuiltIn]:
    return {
        spec.name: BuiltIn(provider=endpoint.provider, model=endpoint.model, spec=spec, template=template)
        for spec in source.models
        for endpoint in [connections.endpoint(spec.name, spec.base_url)]
    }
