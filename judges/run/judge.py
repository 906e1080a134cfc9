"""The judge that a plan asks."""

from judges.ask.judge import Judge
from judges.ask.render import render_context
from judges.providers.base import Provider
from judges.run.plan import SuitePlan


def build_judge(plan: SuitePlan, provider: Provider, model: str) -> Judge:
    """Return the judge of a planned suite, asking `model` (the endpoint's own name) at `provider`."""
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
