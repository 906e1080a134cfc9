"""What a plan will about use, computed from the very requests that it would send. Nothing is sent."""

from collections.abc import Mapping
from itertools import repeat

from judges.check.context import CheckContext
from judges.core.case import Case, Trial
from judges.core.errors import ProviderError
from judges.core.question import Evidence, Question, Subject
from judges.core.usage import Usage
from judges.files.dotenv import merge_env, read_config
from judges.files.evaluation_meta import ModelSpec
from judges.providers.base import Completion, Request
from judges.providers.connect import parse_model, price_list
from judges.reduce.facts import Arm, did_not_pass
from judges.reduce.regression import BASELINE
from judges.run.canary import canary_samples
from judges.run.judge import build_judge
from judges.run.produce import BuiltIn, Template
from judges.run.prompt_plan import PromptPlan

TYPICAL_OUTPUT = "A typical output. " * 100


def estimate(plan: PromptPlan, environ: Mapping[str, str]) -> Usage:
    """Return the calls, tokens and cost in USD that running the plan will about take; without a runner's own.

    Raises:
        ConfigError: a model's name or address cannot be used.
        RunError: a prompt cannot be rendered.
    """
    if plan.asks_nobody:
        return Usage()
    quote = _Quote(plan, environ)
    return sum((quote.price(trial) for trial in plan.trials()), quote.judging.price_canary())


class NotConnected:
    """Stands where an endpoint would be."""

    def complete(self, request: Request) -> Completion:
        """Refuse to.

        Raises:
            ProviderError: always.
        """
        raise ProviderError(f"nothing is sent to {request.model} while estimating")


class JudgingQuote:
    """What judging by a plan will about use."""

    def __init__(self, plan: PromptPlan, environ: Mapping[str, str]) -> None:
        environ = merge_env(environ, read_config(plan.suite.config, environ))
        base_url = plan.suite.meta.judge.base_url
        self._plan = plan
        self._judges = [
            (prices, build_judge(plan, NotConnected(), parse_model(name).model))
            for name in (*plan.judges, *([plan.meta] if plan.meta else []))
            if (prices := price_list(name, environ=environ, base_url=base_url)) is not None
        ]
        self._times = 1 if plan.replication.fragile else plan.replication.most
        self._known = plan.accepted.known(plan.judges) if plan.accepted else None

    def price(self, case: Case, outputs: Mapping[Arm, str]) -> Usage:
        """Return what judging these outputs of a case will about use."""
        used = Usage()
        for inquiry in self._plan.evaluation.inquire(self._plan.rules, case, outputs):
            if self._known is None or self._known.digest(inquiry) not in self._known.answers:
                used = sum(repeat(self._price(inquiry.questions, inquiry.evidence), self._times), used)
        return used

    def price_canary(self) -> Usage:
        """Return what the judge is asked before any trial."""
        samples = canary_samples(self._plan)
        return sum((self._price(each.questions, each.evidence) for each in samples), Usage())

    def _price(self, questions: tuple[Question, ...], evidence: Evidence) -> Usage:
        """Everybody who is asked is asked the same, about."""
        requests = (
            (prices, judge.build_request(questions, evidence, Subject())) for prices, judge in self._judges
        )
        return sum((prices.estimate(request) for prices, request in requests), Usage())


class _Quote:
    def __init__(self, plan: PromptPlan, environ: Mapping[str, str]) -> None:
        self.plan = plan
        self.judging = JudgingQuote(plan, environ)
        environ = merge_env(environ, read_config(plan.suite.config, environ))
        self.prompts = {
            (source.arm, spec.name): PromptQuote(source.template, spec, environ)
            for source in plan.sources
            for spec in source.models
            if source.template is not None
        }
        self.accepted = plan.accepted

    def price(self, trial: Trial) -> Usage:
        """Return what one trial will about use."""
        used = Usage()
        if trial.case.skip is not None:
            return used
        for source in self.plan.sources:
            model = source.model(trial)
            prompt = self.prompts.get((source.arm, model.name)) if model else None
            if prompt and source.recorded(trial.case) is None:
                used += prompt.price(trial)
        return used + self.judging.price(trial.case, self._outputs(trial))

    def _outputs(self, trial: Trial) -> dict[Arm, str]:
        """Return what will be judged, about; without recorded outputs that fail a deterministic check."""
        case = trial.case
        outputs = {source.arm: source.recorded(case) for source in self.plan.sources}
        if self.accepted and (before := self.accepted.record(trial).output) is not None:
            outputs[BASELINE] = before
        return {
            arm: TYPICAL_OUTPUT if output is None else output
            for arm, output in outputs.items()
            if output is None or not self._is_blocked(case, output)
        }

    def _is_blocked(self, case: Case, output: str) -> bool:
        context = CheckContext(output=output, input=case.input, latency_ms=None, cost_usd=None)
        return not self.plan.options.judge_all and any(
            did_not_pass(check(context)) for check in self.plan.checks
        )


class PromptQuote:
    """The prompt under test for one model, with the model's prices if they are known."""

    def __init__(self, template: Template, spec: ModelSpec, environ: Mapping[str, str]) -> None:
        self._prices = price_list(spec.name, environ=environ, base_url=spec.base_url)
        model = parse_model(spec.name).model
        self._prompt = BuiltIn(provider=NotConnected(), model=model, spec=spec, template=template)

    def price(self, trial: Trial) -> Usage:
        """Return what sending it for a trial will about use."""
        return self._prices.estimate(self._prompt.build_request(trial)) if self._prices else Usage()
