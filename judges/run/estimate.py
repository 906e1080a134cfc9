"""What a plan will about use, computed from the very requests that it would send. Nothing is sent."""

from collections.abc import Mapping
from itertools import repeat

from judges.ask.questions import build_evidence, build_questions
from judges.check.context import CheckContext
from judges.core.case import Trial
from judges.core.errors import ProviderError
from judges.core.question import Evidence, Question, Subject
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
        base_url = plan.suite.meta.judge.base_url
        self.judges = [
            (prices, build_judge(plan, nowhere, parse_model(name).model))
            for name in (*plan.judges, *([plan.meta] if plan.meta else []))
            if (prices := price_list(name, environ=environ, base_url=base_url)) is not None
        ]
        replication = plan.replication
        self.times = 1 if replication.fragile else replication.most
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
        if self.judges and not self._is_blocked(trial):
            once = self._price_judging(*self._ask(trial))
            used = sum(repeat(once, self.times), used)
        return used

    def price_canary(self) -> Usage:
        """Return what the judge is asked before any trial."""
        samples = canary_samples(self.plan)
        return sum((self._price_judging(each.questions, each.evidence) for each in samples), Usage())

    def _price_judging(self, questions: tuple[Question, ...], evidence: Evidence) -> Usage:
        """Everybody who is asked is asked the same, about."""
        requests = (
            (prices, judge.build_request(questions, evidence, Subject())) for prices, judge in self.judges
        )
        return sum((prices.estimate(request) for prices, request in requests), Usage())

    def _ask(self, trial: Trial) -> tuple[tuple[Question, ...], Evidence]:
        rules, case = self.plan.rules, trial.case
        output = self.plan.recorded_output(case) or _TYPICAL_OUTPUT
        return build_questions(rules.criteria, rules.checks, case), build_evidence(case, output)

    def _is_blocked(self, trial: Trial) -> bool:
        """Whether a deterministic check of a recorded output will save the judge's call."""
        output = self.plan.recorded_output(trial.case)
        if trial.model is not None or output is None or self.plan.options.judge_all:
            return False
        context = CheckContext(output=output, input=trial.case.input, latency_ms=None, cost_usd=None)
        return any(check(context).verdict in (Verdict.FAIL, Verdict.ERROR) for check in self.plan.checks)
