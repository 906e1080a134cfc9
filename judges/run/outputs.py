"""Where the outputs of a suite come from: each arm has recorded ones, a runner, or a prompt and a model."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

from judges.core.case import Case, RunRecord, Trial
from judges.core.errors import RunError
from judges.files import suite as files
from judges.files.evaluation_meta import ModelSpec
from judges.files.outputs import OutputLine
from judges.files.problems import build_all
from judges.files.suite import PromptSuite
from judges.files.template import PromptTemplate, read_prompt
from judges.reduce.facts import Arm
from judges.run.connections import Connections
from judges.run.options import RunOptions
from judges.run.produce import BuiltIn
from judges.run.recorded import SOURCE, OutputsBeside, digest_program, digest_prompt, find_recording
from judges.run.runner.build import build_runner
from judges.run.runner.runner import Runner

Records: TypeAlias = Mapping[Arm, RunRecord]
"""What a trial produced, by arm."""
Producer: TypeAlias = Callable[[Trial], Records]
Make: TypeAlias = Callable[[Trial], RunRecord]


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputSource:
    """Where the outputs of one arm come from: recorded ones first, then a runner, then a prompt and a model.

    `outputs` are recorded by case ref; with `own` those in the cases themselves count, too. `models` are
    those that a trial may name; where it names none of them the first is meant. With `shares_models` they
    are those of the suite, not the arm's own. With a file `beside` the suite the outputs of a runner or a
    model are found in it, and neither is asked.
    """

    arm: Arm = None
    outputs: Mapping[str, str] = field(default_factory=dict)
    own: bool = False
    template: PromptTemplate | None = None
    runner: Path | None = None
    models: tuple[ModelSpec, ...] = ()
    shares_models: bool = True
    beside: OutputsBeside | None = None

    def recorded(self, case: Case) -> str | None:
        """Return the recorded output of a case, if there is one."""
        given = self.outputs.get(case.ref)
        return case.output if given is None and self.own else given

    @property
    def live(self) -> bool:
        """Whether there is someone to ask for outputs, or a file in place of all of them."""
        return self.runner is not None or bool(self.models) or self.beside is not None

    def model(self, trial: Trial) -> ModelSpec | None:
        """Return the model that a trial is run with; a runner is told its name."""
        named = (each for each in self.models if each.name == trial.model)
        return next(named, self.models[0] if self.models else None)

    def idle(self) -> "OutputSource":
        """Return the source of a suite in which every output is recorded."""
        return replace(self, models=(), runner=None, template=None, beside=None)

    def placed(self, trial: Trial) -> Trial:
        """Return a trial as whoever makes the output of this arm is given it."""
        model = self.model(trial)
        return replace(trial, arm=self.arm, model=model.name if model else None)

    def digest_made(self, trial: Trial) -> str | None:
        """Return the digest of what an output is made from; None where nobody makes it.

        Raises:
            RunError: the prompt cannot be rendered with this input.
        """
        model = self.model(trial)
        if self.runner is not None:
            return digest_program(self.runner, trial.case.input)
        return digest_prompt(self.template, model, trial.case.input) if self.template and model else None


def find_sources(suite: PromptSuite, options: RunOptions) -> tuple[OutputSource, ...]:
    """Return the source of each arm of a suite; of a suite without arms the only one.

    Raises:
        ConfigError: a prompt cannot be read.
    """
    beside = find_recording(suite.path).read_outputs() if options.recorded else None
    if beside and not (suite.model or suite.arms or options.models):
        options = replace(options, models=beside.lines.models)
    models = _models(suite, options)
    if not suite.arms:
        own = not options.models
        source = _source(suite.target, suite.runner, models)
        return (replace(source, outputs=options.outputs, own=own, beside=beside),)
    return tuple(_source_of_arm(arm, models, beside) for arm in suite.arms)


def _source_of_arm(
    arm: files.Arm, models: tuple[ModelSpec, ...], beside: OutputsBeside | None
) -> OutputSource:
    if arm.outputs is not None:
        return OutputSource(arm=arm.name, outputs=arm.outputs)
    source = _source(arm.target, arm.runner, (arm.model,) if arm.model else models)
    return replace(source, arm=arm.name, shares_models=arm.model is None, beside=beside)


def _source(target: Path | None, runner: Path | None, models: tuple[ModelSpec, ...]) -> OutputSource:
    template = read_prompt(target) if models and target and not runner else None
    return OutputSource(template=template, runner=runner, models=models)


def _models(suite: PromptSuite, options: RunOptions) -> tuple[ModelSpec, ...]:
    """The models asked for keep the suite's other settings, as temperature."""
    if not options.models:
        return (suite.model,) if suite.model else ()
    base = suite.model or ModelSpec(name="")
    return tuple(base.model_copy(update={"name": name}) for name in dict.fromkeys(options.models))


def output_lines(
    sources: Iterable[OutputSource], trial: Trial, records: Records, given: Collection[str]
) -> Iterator[OutputLine]:
    """Yield what is to be recorded of the outputs of a trial: not what stands in the suite's files already.

    `given` are the refs whose outputs the caller brought along.
    """
    for source in sources:
        record = records.get(source.arm)
        if record is None or record.output is None:
            continue
        made = record.source != SOURCE
        if made or trial.case.ref in given:
            yield build_line(source.placed(trial), record, source.digest_made(trial) if made else None)


def build_line(trial: Trial, record: RunRecord, made_sha256: str | None) -> OutputLine:
    """Return an output as it is recorded; one that was `made` from nothing known is anybody's."""
    cost = record.usage.cost_usd if record.usage.calls else record.cost_usd
    return OutputLine(
        ref=trial.case.ref,
        output=record.output or "",
        arm=trial.arm,
        model=trial.model if made_sha256 else None,
        replica=trial.replica,
        made_sha256=made_sha256,
        latency_ms=record.latency_ms,
        cost_usd=cost,
    )


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
        if source.runner is not None and source.beside is None
    }
    connections = connections.with_config(suite.config)
    makers = build_all(lambda source: _connect(source, runners, connections), sources)

    def produce(trial: Trial) -> Records:
        return {source.arm: make(trial) for source, make in zip(sources, makers, strict=True)}

    return produce, tuple(runners.values())


def _connect(source: OutputSource, runners: Mapping[Path, Runner], connections: Connections) -> Make:
    ask = (
        _connect_live(source, runners, connections)
        if source.beside is None
        else _look_up(source, source.beside)
    )

    def make(trial: Trial) -> RunRecord:
        recorded = source.recorded(trial.case)
        return ask(source.placed(trial)) if recorded is None else RunRecord(output=recorded, source=SOURCE)

    return make


def _connect_live(source: OutputSource, runners: Mapping[Path, Runner], connections: Connections) -> Make:
    if source.runner is not None:
        return runners[source.runner]
    prompted = {} if source.template is None else _connect_models(source, source.template, connections)
    return lambda trial: prompted[trial.model](trial)


def _look_up(source: OutputSource, beside: OutputsBeside) -> Make:
    def find(trial: Trial) -> RunRecord:
        try:
            return beside.find(trial, source.digest_made(trial))
        except RunError as error:
            return RunRecord(output=None, source=SOURCE, error=str(error))

    return find


def _connect_models(
    source: OutputSource, template: PromptTemplate, connections: Connections
) -> dict[str | None, BuiltIn]:
    endpoints = build_all(lambda spec: connections.endpoint(spec.name, spec.base_url), source.models)
    return {
        spec.name: BuiltIn(provider=endpoint.provider, model=endpoint.model, spec=spec, template=template)
        for spec, endpoint in zip(source.models, endpoints, strict=True)
    }
