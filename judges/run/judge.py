"""Who a plan asks: a judge, or several, checked by another one."""

from collections.abc import Callable
from typing import TypeAlias

from judges.ask.judge import Judge
from judges.ask.render import render_context
from judges.providers.base import Provider
from judges.run.asking import Asker, Checked, Panel
from judges.run.connections import Endpoint
from judges.run.prompt_plan import PromptPlan

Connect: TypeAlias = Callable[[str], Endpoint]


def build_asker(plan: PromptPlan, connect: Connect) -> Asker:
    """Return whoever answers the questions of a planned suite. `connect` gives the endpoint of a model.

    Raises:
        ConfigError: an endpoint cannot be used as it is set up.
    """
    if plan.replayed is not None:
        return build_judge(plan, plan.replayed.judge(plan.judge), plan.replayed.answers.name)
    members = {}
    for name in plan.judges:
        endpoint = connect(name)
        members[name] = build_judge(plan, endpoint.provider, endpoint.model)
    asker: Asker = Panel(members) if len(members) > 1 else members[plan.judges[0]]
    if plan.meta is None:
        return asker
    endpoint = connect(plan.meta)
    return Checked(asker, build_judge(plan, endpoint.provider, endpoint.model))


def build_judge(plan: PromptPlan, provider: Provider, model: str) -> Judge:
    """Return a judge with the suite's settings, asking `model` (the endpoint's own name) at `provider`."""
    spec = plan.suite.meta.judge
    return Judge(
        provider=provider,
        model=model,
        context=render_context(plan.suite.context, plan.suite.specs),
        temperature=None if spec.temperature is None else float(spec.temperature),
        max_retries=spec.max_retries,
        max_tokens=spec.max_tokens,
        timeout_seconds=float(spec.timeout_seconds),
    )
