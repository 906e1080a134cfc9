"""The whole examination: everything that is looked at, in order."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from judges.core.errors import ConfigError
from judges.core.session import Isolation
from judges.core.usage import Usage
from judges.files.config import Project
from judges.providers.budget import Budget
from judges.providers.connect import CLAUDE_CLI
from judges.providers.limit import Terms
from judges.run.connections import Connections
from judges.run.fixture.plan import FixturePlan
from judges.run.grid.plan import GridPlan
from judges.run.plan import Plan
from judges.run.prompt_plan import PromptPlan
from judges.run.runner.build import build_runner
from scaffold.config import build_environ
from scaffold.doctor.claude import examine_claude
from scaffold.doctor.finding import Examination, Finding, Status
from scaffold.doctor.models import ask_judges, examine_keys, examine_models, list_models
from scaffold.doctor.surroundings import look_around
from scaffold.doctor.tools import SECTION, Tool, examine_tools, tools_of_runner
from scaffold.doctor.uses import Use, default_use, find_uses
from scaffold.judging import DEFAULTS

HTTP_RETRIES = 1  # enough for a passing failure; who asks a doctor does not want to wait


def examine(start: Path, *, offline: bool) -> Examination:
    """Look at everything around a folder. Unless `offline`, each judge is asked one tiny question."""
    around = look_around(start)
    config = around.project.config.model_copy(update={"http_retries": HTTP_RETRIES})
    environ = build_environ(config)
    connections = Connections(environ=environ, terms=_terms(around.project))
    uses = find_uses(around.plans, connections, offline=offline)
    if not around.project.suites:
        uses = (default_use(config.judge or DEFAULTS.model, config),)
    asked = [] if offline else list(ask_judges(uses))
    findings = (
        *around.findings,
        *examine_keys(environ),
        *examine_models(uses, environ),
        *(finding for finding, _ in asked),
        *_programs(around.project, around.plans, environ),
        *examine_claude(dict(_sessions(around.plans)), _claude_judges(uses), environ, offline=offline),
    )
    return Examination(findings, sum((used for _, used in asked), Usage()))


def examine_known_models() -> Examination:
    """List all models with a known price, and what they take."""
    return Examination(tuple(list_models({})), Usage())


def _terms(project: Project) -> Terms:
    most = project.config.max_cost_usd
    budget = None if most is None else Budget(most)
    return Terms(concurrency=1, http_retries=HTTP_RETRIES, budget=budget)


def _programs(project: Project, plans: Sequence[Plan], environ: Mapping[str, str]) -> Iterator[Finding]:
    needed: dict[Tool, str] = {}
    for plan in (each for each in plans if isinstance(each, PromptPlan)):
        for runner in plan.runners:
            tools = tools_of_runner(runner)
            needed.update((tool, plan.suite.name) for tool in tools if tool not in needed)
            if not tools:
                yield from _startable(runner, plan, environ)
    yield from examine_tools(needed, project.root or Path.cwd())


def _sessions(plans: Sequence[Plan]) -> Iterator[tuple[Isolation, str]]:
    """Yield how sessions are isolated, with a suite that runs some so."""
    for plan in plans:
        fixtures = plan.fixtures.values() if isinstance(plan, GridPlan) else (plan,)
        for fixture in fixtures:
            if isinstance(fixture, FixturePlan):
                yield Isolation(fixture.suite.meta.isolation), plan.suite.name


def _claude_judges(uses: Sequence[Use]) -> str | None:
    return "a claude-cli: model" if any(use.name.startswith(f"{CLAUDE_CLI}:") for use in uses) else None


def _startable(runner: Path, plan: PromptPlan, environ: Mapping[str, str]) -> Iterator[Finding]:
    try:
        build_runner(runner, plan.suite, environ)
    except ConfigError as error:
        problem = error.problems[0]
        said = f"{problem.message}; {plan.suite.name} needs it"
        yield Finding(SECTION, runner.name, Status.MISSING, said, problem.hint)
