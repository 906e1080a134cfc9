"""What a run is going to do with a grid, before anything is spent."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import product
from math import prod

from judges.core.case import Case, Trial, digest
from judges.core.errors import ConfigError, Problem
from judges.core.report import JudgeReport, SuiteKind
from judges.files.evaluation_meta import ModelSpec
from judges.files.fixture import load_fixture
from judges.files.grid_suite import GridArm, GridSuite, Task
from judges.files.problems import gather, raise_any
from judges.files.text import display_path
from judges.reduce.grid_cells import cell_ref
from judges.run.fixture.plan import FixturePlan, plan_fixture, why_no_session
from judges.run.fixture.plan import digest_plan as digest_fixture
from judges.run.options import RunOptions
from judges.run.prompt_plan import PromptPlan, plan_judging
from judges.run.recorded import Recording, find_recording


@dataclass(frozen=True, slots=True)
class Place:
    """One arm, model and task of a grid: a cell before anything is measured."""

    arm: GridArm
    model: ModelSpec
    task: Task

    @property
    def case(self) -> Case:
        """The task as this cell has it."""
        return replace(self.task.case, ref=cell_ref(self.arm.name, self.model.name, self.task.id))


@dataclass(frozen=True, slots=True, kw_only=True)
class GridPlan:
    """A grid that can be run with these options.

    `places` are the cells that are selected, in the suite's order. `fixtures` are those in place of prompts,
    by arm. `judging` says how outputs are scored, where they are. `reruns` are the arms that have
    the prompt of another one: their replicas have numbers of their own, so that they are asked anew and not
    given what the other was answered.
    """

    suite: GridSuite
    options: RunOptions
    places: tuple[Place, ...]
    repeat: int
    fixtures: Mapping[str, FixturePlan]
    judging: PromptPlan | None
    reruns: frozenset[str] = frozenset()

    @property
    def kind(self) -> SuiteKind:
        """What tells it from the plans of other suites."""
        return SuiteKind.GRID

    @property
    def judge(self) -> str:
        """Who scores outputs, in words; "" where labels are measured."""
        return self.judging.judge if self.judging else ""

    @property
    def consulted(self) -> tuple[str, ...]:
        """Those who score outputs."""
        return self.judging.consulted if self.judging else ()

    @property
    def standing(self) -> JudgeReport | None:
        """What is known of the judge, where there is one."""
        return self.judging.standing if self.judging else None

    @property
    def arms(self) -> tuple[GridArm, ...]:
        """The arms that are selected."""
        return tuple({place.arm.name: place.arm for place in self.places}.values())

    @property
    def models(self) -> tuple[ModelSpec, ...]:
        """The models that are selected."""
        return tuple({place.model.name: place.model for place in self.places}.values())

    @property
    def tasks(self) -> tuple[Task, ...]:
        """The tasks that are selected."""
        return tuple({place.task.id: place.task for place in self.places}.values())

    @property
    def model_names(self) -> tuple[str, ...]:
        """The models that each task is given to."""
        return tuple(model.name for model in self.models)

    @property
    def why_idle(self) -> str | None:
        """Why no arm would be run: all are sessions, which are not asked for, or nothing is recorded."""
        if not (self.options.live or any(place.arm.fixture is None for place in self.places)):
            return why_no_session(self.options)
        replayed = self.judging is not None and self.judging.replayed is not None
        return self.recording.why_idle(outputs=True, answers=replayed) if self.recording else None

    @property
    def recording(self) -> Recording | None:
        """What stands in for all calls, where none are to be made."""
        return find_recording(self.suite.path) if self.options.recorded else None

    @property
    def unpriced(self) -> str:
        """What will be spent besides the estimate, in words."""
        return "what the sessions cost" if self.fixtures else ""

    @property
    def trial_count(self) -> int:
        """How many outputs there will be: arms x models x tasks x repeat."""
        return len(self.places) * self.repeat

    @property
    def formula(self) -> str:
        """How the outputs come about, in words."""
        sizes = {"arm": len(self.arms), "model": len(self.models), "task": len(self.tasks)}
        whole = prod(sizes.values())
        if len(self.places) < whole:
            return f"{len(self.places)} of {whole} cells x {_count(self.repeat, 'repeat')}"
        sizes["repeat"] = self.repeat
        return " x ".join(_count(number, noun) for noun, number in sizes.items())

    def replicas(self, arm: str) -> range:
        """Return the numbers of an arm's replicas."""
        first = 1 + self.repeat * (arm in self.reruns)
        return range(first, first + self.repeat)

    def trials(self) -> Iterator[Trial]:
        """Yield the trials cell by cell: the repeats of a cell follow each other."""
        for place in self.places:
            case, arm = place.case, place.arm.name
            for replica in self.replicas(arm):
                yield Trial(case, model=place.model.name, arm=arm, replica=replica)


def plan_grid(suite: GridSuite, options: RunOptions) -> GridPlan:
    """Check that the grid can be run with these options, and return how.

    Raises:
        ConfigError: it cannot, for a reason that its author or the caller can remove.
    """
    places = tuple(_select_places(suite, options))
    return GridPlan(
        suite=suite,
        options=options,
        places=places,
        repeat=options.repeat or suite.repeat,
        fixtures=_plan_fixtures(suite, places, options),
        judging=plan_judging(suite.judged, options) if suite.judged else None,
    )


def digest_plan(plan: GridPlan) -> str:
    """Return the digest of all that decides about the trials."""
    suite = plan.suite
    parts = (
        [place.case.ref for place in plan.places],
        [(arm.name, arm.text) for arm in plan.arms],
        [digest_fixture(fixture) for fixture in plan.fixtures.values()],
        plan.models,
        plan.tasks,
        suite.labels,
        (plan.judging.judges, plan.judging.rules, suite.meta.judge) if plan.judging else (),
        suite.judged.context if suite.judged else "",
        plan.repeat,
        sorted(plan.reruns),
        plan.options.live,
        plan.recording and plan.recording.sha256(),
    )
    return digest(repr(parts))


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _select_places(suite: GridSuite, options: RunOptions) -> Iterator[Place]:
    arms, models = _select_arms(suite, options.arms), _select_models(suite, options.models)
    for arm, model, task in product(arms, models, suite.tasks):
        place = Place(arm, model, task)
        if options.select.matches(place.case, suite.path):
            yield place


def _select_models(suite: GridSuite, names: Sequence[str]) -> Sequence[ModelSpec]:
    """A model that the suite knows keeps its settings."""
    known = {model.name: model for model in suite.models}
    return [known.get(name) or ModelSpec(name=name) for name in dict.fromkeys(names)] or suite.models


def _select_arms(suite: GridSuite, names: Sequence[str]) -> tuple[GridArm, ...]:
    known = [arm.name for arm in suite.arms]
    for name in names:
        if name not in known:
            close = get_close_matches(name, known, n=1)
            hint = f"did you mean '{close[0]}'?" if close else f"it has: {', '.join(known)}"
            raise ConfigError([Problem(f"the grid has no arm '{name}'", display_path(suite.path), hint=hint)])
    return tuple(arm for arm in suite.arms if not names or arm.name in names)


def _plan_fixtures(suite: GridSuite, places: Sequence[Place], options: RunOptions) -> dict[str, FixturePlan]:
    found: dict[str, FixturePlan] = {}
    problems: list[Problem] = []
    models = tuple(dict.fromkeys(place.model.name for place in places))
    files = {place.arm.name: place.arm.fixture for place in places if place.arm.fixture}
    for name, file in files.items():
        with gather(problems):
            fixture = load_fixture(file, root=suite.root, allow_outside=suite.allow_outside)
            found[name] = plan_fixture(fixture, replace(options, models=models))
    raise_any(problems)
    return found
