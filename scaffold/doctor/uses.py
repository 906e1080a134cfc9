"""Which models the suites use, and for what: connected to as a run connects to them, or why that fails."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from judges.ask.judge import Judge
from judges.core.errors import ConfigError, Problem
from judges.files.config import ProjectConfig
from judges.providers.base import Provider
from judges.providers.claude.client import find_client
from judges.providers.claude.login import ClaudeStatus, Login, claude_status, given_login
from judges.providers.claude.resolve import resolve_judge_model
from judges.run.connections import Connections
from judges.run.fixture.plan import FixturePlan
from judges.run.grid.plan import GridPlan
from judges.run.judge import build_judge
from judges.run.plan import Plan
from judges.run.prompt_plan import PromptPlan
from scaffold.judging import open_judge

JUDGES = "judges"
CHECKS = "checks the judge"
TESTED = "is tested by"

_Build: TypeAlias = Callable[[Provider, str], Judge]
_Status: TypeAlias = Callable[[Mapping[str, str]], ClaudeStatus]


@dataclass(frozen=True, slots=True)
class Use:
    """A model in a role for some suites: connected to, or with the problem that came in the way.

    A model that no suite uses is looked at, too, where a project has none; then nothing needs it.
    """

    name: str
    base_url: str | None
    role: str
    suites: tuple[str, ...]
    judge: Judge | None = None
    problem: Problem | None = None


def find_uses(plans: Sequence[Plan], connections: Connections, *, offline: bool) -> tuple[Use, ...]:
    """Connect to all models of the suites, and return each with the suites that use it in the same way.

    The models of sessions are the client's to understand. Where it is `offline`, the client is not asked
    whether it is logged in, but taken to be.
    """
    status = _unasked_status if offline else claude_status
    uses = (use for plan in plans for use in _find(plan, connections, status))
    return tuple(_merge(uses))


def default_use(name: str, config: ProjectConfig) -> Use:
    """Return the judge that a first suite would have."""
    use = Use(name, None, JUDGES, ())
    try:
        return replace(use, judge=open_judge(name, config))
    except ConfigError as error:
        return replace(use, problem=error.problems[0])


def _find(plan: Plan, connections: Connections, status: _Status) -> Iterator[Use]:
    match plan:
        case PromptPlan():
            yield from _judging(plan, connections)
            yield from _tested_by_prompt(plan, connections)
        case GridPlan():
            yield from _judging(plan.judging, connections) if plan.judging else ()
            yield from _tested_by_grid(plan, connections)
        case FixturePlan():
            yield from (_of_fixture(plan, connections, name, status) for name in plan.judges)


def _judging(plan: PromptPlan, connections: Connections) -> Iterator[Use]:
    for number, name in enumerate(plan.consulted):
        role = JUDGES if number < len(plan.judges) else CHECKS
        yield _of_prompt(plan, connections, Use(name, plan.suite.meta.judge.base_url, role, ()))


def _tested_by_prompt(plan: PromptPlan, connections: Connections) -> Iterator[Use]:
    for source in plan.sources:
        for model in source.models if source.template else ():
            yield _of_prompt(plan, connections, Use(model.name, model.base_url, TESTED, ()))


def _tested_by_grid(plan: GridPlan, connections: Connections) -> Iterator[Use]:
    if any(arm.fixture is None for arm in plan.arms):
        for model in plan.models:
            use = Use(model.name, model.base_url, TESTED, (plan.suite.name,))
            yield _connect(use, connections, plan.suite.path.parent, _judge)


def _of_prompt(plan: PromptPlan, connections: Connections, use: Use) -> Use:
    use = replace(use, suites=(plan.suite.name,))
    try:
        own = connections.with_config(plan.suite.config)
    except ConfigError as error:
        return replace(use, problem=error.problems[0])
    return _connect(use, own, plan.suite.test_root, lambda *endpoint: build_judge(plan, *endpoint))


def _of_fixture(plan: FixturePlan, connections: Connections, name: str, status: _Status) -> Use:
    use = Use(name, None, JUDGES, (plan.suite.name,))
    try:
        use = replace(use, name=resolve_judge_model(name, connections.environ, status))
    except ConfigError as error:
        return replace(use, problem=error.problems[0])
    return _connect(use, connections, plan.suite.path.parent, _judge)


def _judge(provider: Provider, model: str) -> Judge:
    return Judge(provider=provider, model=model)


def _connect(use: Use, connections: Connections, folder: Path, build: _Build) -> Use:
    try:
        endpoint = connections.endpoint(use.name, use.base_url, folder=folder)
    except ConfigError as error:
        return replace(use, problem=error.problems[0])
    return replace(use, judge=build(endpoint.provider, endpoint.model))


def _unasked_status(environ: Mapping[str, str]) -> ClaudeStatus:
    login = given_login(environ) or Login.OWN
    try:
        client = find_client(environ)
    except ConfigError:
        return ClaudeStatus(None, None, login)
    return ClaudeStatus(client.path, client.version, login)


def _merge(uses: Iterator[Use]) -> Iterator[Use]:
    merged: dict[object, Use] = {}
    for use in uses:
        key = use.name, use.base_url, use.role, use.problem, id(use.judge.provider) if use.judge else None
        known = merged.get(key)
        suites = dict.fromkeys((*known.suites, *use.suites)) if known else use.suites
        merged[key] = replace(use, suites=tuple(suites))
    yield from merged.values()
