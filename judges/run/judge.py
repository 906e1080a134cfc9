"""Who a plan asks: a judge, or several, checked by another one."""

from collections.abc import Callable
from typing import TypeAlias

from judges.ask.judge import Judge
from judges.ask.render import render_context
from judges.files.problems import build_all
from judges.providers.base import Provider
from judges.run.asking import Asker, Checked, Named, Panel
from judges.run.connections import Endpoint
from judges.run.prompt_plan import PromptPlan

Connect: TypeAlias = Callable[[str], Endpoint]


def build_asker(plan: PromptPlan, connect: Connect) -> Asker:
    """Return whoever answers the questions of a planned suite. `connect` gives the endpoint of a model.

    What several judges come to is kept, too, beside what each says: so one file can stand for all of them.

    Raises:
        ConfigError: an endpoint cannot be used as it is set up.
    """
    if plan.replayed is not None:
        connect = plan.replayed.connect()
    panel = plan.judge if len(plan.judges) > 1 else None
    asked = build_all(lambda name: _named(plan, connect, name, panel), plan.judges)
    members = dict(zip(plan.judges, asked, strict=True))
    asker = members[plan.judge] if panel is None else Named(panel, Panel(members))
    return asker if plan.meta is None else Checked(asker, _named(plan, connect, plan.meta))


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


def _named(plan: PromptPlan, connect: Connect, name: str, panel: str | None = None) -> Named:
    endpoint = connect(name)
    return Named(name, build_judge(plan, endpoint.provider, endpoint.model), panel)
