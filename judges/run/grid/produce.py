"""The outputs of a grid: what a model makes of an arm's prompt, or a session of an arm's fixture."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

from slugify import slugify

from judges.check.completed import why_incomplete
from judges.core.case import RunRecord, Trial, digest
from judges.core.errors import ScaffoldError
from judges.core.session import ViewName
from judges.files.evaluation_meta import ModelSpec
from judges.files.fixture import FixtureSuite
from judges.files.grid_suite import GridArm
from judges.files.template import Role
from judges.run.connections import Connections
from judges.run.fixture.plan import session_model
from judges.run.fixture.replica import replica_folder
from judges.run.fixture.session import Sessions, connect_sessions
from judges.run.grid.plan import GridPlan
from judges.run.produce import BuiltIn
from judges.run.recorded import OutputsBeside, digest_prompt

Make: TypeAlias = Callable[[Trial], RunRecord]
"""Makes the output of one trial of one arm; what goes wrong is in the record."""


@dataclass(frozen=True, slots=True)
class ArmTemplate:
    """The prompt of an arm: one message of the user."""

    arm: GridArm

    def render(self, variables: Mapping[str, Any]) -> tuple[tuple[Role, str], ...]:
        """Return the message for a task."""
        return (("user", self.arm.render(variables)),)


@dataclass(frozen=True, slots=True)
class PromptArm:
    """Asks the models, by full name."""

    models: Mapping[str, BuiltIn]

    def __call__(self, trial: Trial) -> RunRecord:
        """Return the model's output, or why there is none."""
        return self.models[trial.model or ""](trial)


@dataclass(frozen=True, slots=True)
class RecordedArm:
    """Finds what models have made, by full name, in the file beside the grid."""

    arm: GridArm
    models: Mapping[str, ModelSpec]
    outputs: OutputsBeside

    def __call__(self, trial: Trial) -> RunRecord:
        """Return the recorded output, or why there is none."""
        return self.outputs.find(trial, digest_made(self.arm, self.models[trial.model or ""], trial))


def digest_made(arm: GridArm, model: ModelSpec, trial: Trial) -> str:
    """Return the digest of what an output of an arm is made from."""
    return digest_prompt(ArmTemplate(arm), model, trial.case.input)


@dataclass(frozen=True, slots=True)
class FixtureArm:
    """Runs a session for each trial; in its prompt the task's variables are substituted."""

    suite: FixtureSuite
    sessions: Sessions
    folder: Path

    def __call__(self, trial: Trial) -> RunRecord:
        """Return the session's result, or why there is none."""
        body = GridArm(name=trial.arm or "", text=self.suite.body).render(trial.case.input)
        model = session_model(self.suite, trial.model or "")
        folder = replica_folder(self.folder / folder_name(trial.case.ref), trial.replica)
        try:
            replica = self.sessions(replace(self.suite, body=body), model, folder)
        except ScaffoldError as error:
            return RunRecord(output=None, source="no session", error=str(error))
        run = replica.session.run
        why = why_incomplete(run)
        return RunRecord(
            output=None if why else replica.session.views.get(ViewName.RESULT),
            source=f"claude {run.client_version or '(version unknown)'}",
            error=why or replica.session.lost.get(ViewName.RESULT),
            usage=run.usage,
            latency_ms=run.end.elapsed_ms,
        )


def folder_name(ref: str) -> str:
    """Return the name of the folder in which the sessions of a cell have theirs."""
    return f"{slugify(ref, max_length=60)}-{digest(ref)[:8]}"


@dataclass(frozen=True, slots=True)
class Arms:
    """What the arms of a grid are connected to: models, and sessions of fixtures, by arm."""

    prompts: Mapping[str, Make] = field(default_factory=dict)
    fixtures: Mapping[str, FixtureSuite] = field(default_factory=dict)
    sessions: Mapping[str, Sessions] = field(default_factory=dict)

    def open(self, folder: Path) -> Mapping[str, Make]:
        """Return what makes the outputs of each arm, in the folder of a run."""
        opened = {arm: FixtureArm(self.fixtures[arm], each, folder) for arm, each in self.sessions.items()}
        return {**self.prompts, **opened}

    def end(self) -> None:
        """End the sessions that are running."""
        for each in self.sessions.values():
            each.end()


def connect_arms(plan: GridPlan, connections: Connections) -> Arms:
    """Connect to all that the arms need; the sessions of fixtures only where they are asked for.

    Raises:
        ConfigError: an endpoint or the client cannot be used as it is set up.
    """
    live = plan.fixtures if plan.options.live else {}
    stop = threading.Event()
    return Arms(
        prompts=_connect_prompts(plan, connections),
        fixtures={arm: fixture.suite for arm, fixture in live.items()},
        sessions={arm: connect_sessions(each.suite, connections, stop) for arm, each in live.items()},
    )


def _connect_prompts(plan: GridPlan, connections: Connections) -> dict[str, Make]:
    arms = [arm for arm in plan.arms if arm.fixture is None]
    if plan.recording is None:
        return {arm.name: _connect_prompt(arm, plan, connections) for arm in arms}
    models, outputs = {spec.name: spec for spec in plan.models}, plan.recording.read_outputs()
    return {arm.name: RecordedArm(arm, models, outputs) for arm in arms}


def _connect_prompt(arm: GridArm, plan: GridPlan, connections: Connections) -> PromptArm:
    models = {}
    for spec in plan.models:
        endpoint = connections.endpoint(spec.name, spec.base_url, folder=plan.suite.path.parent)
        models[spec.name] = BuiltIn(
            provider=endpoint.provider, model=endpoint.model, spec=spec, template=ArmTemplate(arm)
        )
    return PromptArm(models)
