"""What a plan will about use, computed from the very requests that it would send. Nothing is sent."""

from collections.abc import Mapping

from judges.ask.questions import build_evidence, build_questions
from judges.check.context import CheckContext
from judges.core.case import Trial
from judges.core.errors import ProviderError
from judges.core.question import Subject
from judges.core.usage import Usage
from judges.core.verdict import Verdict
from judges.files.dotenv import merge_env, read_config
from judges.providers.base import Completion, Request
from judges.providers.connect import parse_model, price_list
from judges.run.canary import canary_samples
from judges.run.judge import build_judge
from judges.run.plan import SuitePlan
from judges.run.produce import BuiltIn

_TYPICAL_OUTPUT = "A typical output. " * 100


def estimate(plan: SuitePlan, environ: Mapping[str, str]) -> Usage:
    """Return the calls, tokens and cost in USD that running the plan will about take; without a runner's own.

    Raises:
        ConfigError: a model's name or address cannot be used.
        RunError: a prompt cannot be rendered.
    """
    quote = _Quote(plan, environ)
    return sum((quote.price(trial) for trial in plan.trials()), quote.price_canary())


class _NotConnected:
    """Stands where an endpoint would be."""

    def complete(self, request: Request) -> Completion:
        raise ProviderError(f"nothing is sent to {request.model} while estimating")


class _Quote:
    def __init__(self, plan: SuitePlan, environ: Mapping[str, str]) -> None:
        nowhere = _NotConnected()
        environ = merge_env(environ, read_config(plan.suite.config, environ))
        self.plan = plan
        self.judge = build_judge(plan, nowhere, parse_model(plan.judge).model)
        self.judge_prices = price_list(plan.judge, environ=environ, base_url=plan.suite.meta.judge.base_url)
        self.prices = {
            spec.name: price_list(spec.name, environ=environ, base_url=spec.base_url)
            for spec in plan.models
            if plan.template is not None
        }
        self.models = {
            spec.name: BuiltIn(
                provider=nowhere, model=parse_model(spec.name).model, spec=spec, template=plan.template
            )
            for spec in plan.models
            if plan.template is not None
        }

    def price(self, trial: Trial) -> Usage:
        """Return what one trial will about use."""
        used = Usage()
        if trial.case.skip is not None:
            return used
        if trial.model is not None and (prices := self.prices.get(trial.model)) is not None:
            used += prices.estimate(self.models[trial.model].build_request(trial))
        if self.judge_prices is not None and not self._is_blocked(trial):
            used += self.judge_prices.estimate(self._judge_request(trial))
        return used

    def price_canary(self) -> Usage:
        """Return what the judge is asked before any trial."""
        if self.judge_prices is None:
            return Usage()
        requests = (
            self.judge.build_request(each.questions, each.evidence, each.subject)
            for each in canary_samples(self.plan)
        )
        return sum(map(self.judge_prices.estimate, requests), Usage())

    def _judge_request(self, trial: Trial) -> Request:
        rules, case = self.plan.rules, trial.case
        output = self.plan.recorded_output(case) or _TYPICAL_OUTPUT
        questions = build_questions(rules.criteria, rules.checks, case)
        return self.judge.build_request(questions, build_evidence(case, output), Subject(ref=case.ref))

    def _is_blocked(self, trial: Trial) -> bool:
        """Whether a deterministic check of a recorded output will save the judge's call."""
        output = self.plan.recorded_output(trial.case)
        if trial.model is not None or output is None or self.plan.options.judge_all:
            return False
        context = CheckContext(output=output, input=trial.case.input, latency_ms=None, cost_usd=None)
        return any(check(context).verdict in (Verdict.FAIL, Verdict.ERROR) for check in self.plan.checks)
