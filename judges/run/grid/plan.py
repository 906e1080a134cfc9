"""What a run is going to do with a grid, before anything is spent."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from judges.core.case import Trial, digest
from judges.core.errors import ConfigError, Problem
from judges.core.report import JudgeReport, SuiteKind
from judges.files.evaluation_meta import ModelSpec
from judges.files.fixture import FixtureSuite, load_fixture
from judges.files.grid_suite import GridArm, GridSuite, Task
from judges.files.problems import gather, raise_any
from judges.files.text import display_path
from judges.run.fixture.plan import NOT_LIVE, session_model
from judges.run.fixture_checks import check_patterns
from judges.run.options import RunOptions
from judges.run.prompt_plan import PromptPlan, plan_judging


@dataclass(frozen=True, slots=True, kw_only=True)
class GridPlan:
    """A grid that can be run with these options: the arms, models and tasks that are selected.

    `fixtures` are those that stand in place of a prompt, by arm. `judging` says how outputs are scored, where
    they are.
    """

    suite: GridSuite
    options: RunOptions
    arms: tuple[GridArm, ...]
    models: tuple[ModelSpec, ...]
    tasks: tuple[Task, ...]
    repeat: int
    fixtures: Mapping[str, FixtureSuite]
    judging: PromptPlan | None

    @property
    def kind(self) -> SuiteKind:
        """What tells it from the plans of other suites."""
        return SuiteKind.GRID

    @property
    def judge(self) -> str:
        """Who scores outputs, in words; "" where labels are measured."""
        return self.judging.judge if self.judging else ""

    @property
    def standing(self) -> JudgeReport | None:
        """What is known of the judge, where there is one."""
        return self.judging.standing if self.judging else None

    @property
    def model_names(self) -> tuple[str, ...]:
        """The models that each task is given to."""
        return tuple(model.name for model in self.models)

    @property
    def why_idle(self) -> str | None:
        """Why no arm would be run: all of them are sessions, which are not run unless they are asked for."""
        return None if self.options.live or len(self.fixtures) < len(self.arms) else NOT_LIVE

    @property
    def unpriced(self) -> str:
        """What will be spent besides the estimate, in words."""
        return "what the sessions cost" if self.fixtures else ""

    @property
    def trial_count(self) -> int:
        """How many outputs there will be: arms x models x tasks x repeat."""
        return len(self.arms) * len(self.models) * len(self.tasks) * self.repeat

    @property
    def formula(self) -> str:
        """How the outputs come about, in words."""
        tasks = f"{len(self.tasks)} tasks x {self.repeat} repeats"
        return f"{len(self.arms)} arms x {len(self.models)} models x {tasks}"

    def trials(self) -> Iterator[Trial]:
        """Yield the trials cell by cell: the repeats of a cell follow each other."""
        for arm in self.arms:
            for model in self.models:
                for task in self.tasks:
                    for replica in range(1, self.repeat + 1):
                        yield Trial(task.case, model=model.name, arm=arm.name, replica=replica)


def plan_grid(suite: GridSuite, options: RunOptions) -> GridPlan:
    """Check that the grid can be run with these options, and return how.

    Raises:
        ConfigError: it cannot, for a reason that its author or the caller can remove.
    """
    arms = _select_arms(suite, options.arms)
    models = tuple(ModelSpec(name=name) for name in dict.fromkeys(options.models)) or suite.models
    return GridPlan(
        suite=suite,
        options=options,
        arms=arms,
        models=models,
        tasks=tuple(task for task in suite.tasks if options.select.matches(task.case, suite.path)),
        repeat=options.repeat or suite.repeat,
        fixtures=_load_fixtures(suite, arms, models),
        judging=plan_judging(suite.judged, options) if suite.judged else None,
    )


def digest_plan(plan: GridPlan) -> str:
    """Return the digest of all that decides about the trials."""
    judged = (plan.judging.judges, plan.judging.rules) if plan.judging else ()
    fixtures = [(arm, fixture.text_sha256) for arm, fixture in plan.fixtures.items()]
    texts = [(arm.name, arm.text) for arm in plan.arms]
    parts = (texts, fixtures, plan.models, plan.tasks, plan.suite.labels, plan.repeat, judged)
    return digest(repr((*parts, plan.options.live)))


def _select_arms(suite: GridSuite, names: Sequence[str]) -> tuple[GridArm, ...]:
    known = [arm.name for arm in suite.arms]
    for name in names:
        if name not in known:
            close = get_close_matches(name, known, n=1)
            hint = f"did you mean '{close[0]}'?" if close else f"it has: {', '.join(known)}"
            raise ConfigError([Problem(f"the grid has no arm '{name}'", display_path(suite.path), hint=hint)])
    return tuple(arm for arm in suite.arms if not names or arm.name in names)


def _load_fixtures(
    suite: GridSuite, arms: Sequence[GridArm], models: Sequence[ModelSpec]
) -> dict[str, FixtureSuite]:
    found: dict[str, FixtureSuite] = {}
    problems: list[Problem] = []
    for arm in arms:
        if arm.fixture is not None:
            with gather(problems):
                fixture = load_fixture(arm.fixture, root=suite.root, allow_outside=suite.allow_outside)
                check_patterns(fixture)
                for model in models:
                    session_model(fixture, model.name)
                found[arm.name] = fixture
    raise_any(problems)
    return found
