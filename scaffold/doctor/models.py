"""Keys, addresses and models: is all there that the suites name, what does it cost, does the judge answer."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from importlib.metadata import version

from judges.ask.judge import Judge, Judgement
from judges.core.errors import Problem
from judges.core.question import Evidence, Predicate, Subject, Unanswered
from judges.core.usage import Usage
from judges.out.summary import render_cost
from judges.providers.connect import VENDORS, Vendor, parse_model, price_list
from judges.providers.endpoint import Endpoint as Address
from judges.providers.negotiate import capabilities, known_refusals
from scaffold.doctor.finding import Finding, Status
from scaffold.doctor.uses import TESTED, Use

KEYS = "Keys and addresses"
MODELS = "Models"
JUDGES = "Judges"
SECONDS = 30.0
QUESTION = Predicate(name="greeting", instructions="Does the output greet somebody?")
RECORDED = "replay"
ELSEWHERE = {RECORDED: "recorded answers, without a call", "local": "runs on this machine, without a price"}
"""What is said of providers that are no vendors."""
EVIDENCE = Evidence({"output": "Good morning, Ann!"})


def examine_keys(environ: Mapping[str, str]) -> Iterator[Finding]:
    """Yield which keys are set, and where requests go. No part of a key is ever shown."""
    for vendor in dict.fromkeys(VENDORS.values()):
        address = f"requests go to {_address(vendor, environ)}"
        if environ.get(vendor.key_variable, "").strip():
            yield Finding(KEYS, vendor.key_variable, Status.OK, f"set; {address}")
        else:
            fix = f"export {vendor.key_variable}=… if a model of this vendor is wanted"
            yield Finding(KEYS, vendor.key_variable, Status.NOTE, f"not set; {address}", fix)


def _address(vendor: Vendor, environ: Mapping[str, str]) -> str:
    url = environ.get(vendor.url_variable, "").strip() or vendor.base_url
    return Address(provider="", base_url=url, key="", key_variable="").url  # without a password in it


def examine_models(uses: Sequence[Use], environ: Mapping[str, str]) -> Iterator[Finding]:
    """Yield each model that is used, with its price and what it takes; or why it cannot be used."""
    for use in uses:
        who = (
            f"{use.role} {', '.join(use.suites)}" if use.suites else f"{use.role} where nothing else is said"
        )
        if use.problem is None:
            said = f"{who}; {_describe(use.name, environ, use.base_url)}"
            yield Finding(MODELS, use.name, Status.OK, said)
        else:
            status = Status.MISSING if use.suites else Status.NOTE
            yield Finding(MODELS, use.name, status, f"{who}, but {_say(use.problem)}", use.problem.hint)
    yield Finding(MODELS, "data", Status.OK, describe_data())


def describe_data() -> str:
    """Return how old is what is known of models."""
    prices = version("genai-prices")
    return f"prices of genai-prices {prices}; parameters that models refuse, as of {capabilities()['dated']}"


def list_models(environ: Mapping[str, str]) -> Iterator[Finding]:
    """Yield every model of the vendors that has a known price for text."""
    from genai_prices.data import providers

    for provider in providers:
        if provider.id in VENDORS:
            for model in sorted(provider.models, key=lambda each: each.id):
                name = f"{provider.id}:{model.id}"
                rates = _rates(name, environ, None)
                if rates and all(rates):
                    yield Finding(MODELS, name, Status.OK, _describe(name, environ, None))
    yield Finding(MODELS, "data", Status.OK, describe_data())


def _describe(name: str, environ: Mapping[str, str], base_url: str | None) -> str:
    model = parse_model(name)
    if model.provider not in VENDORS:
        return ELSEWHERE.get(model.provider, "of no known vendor")
    rates = _rates(name, environ, base_url)
    price = (
        f"{rates[0]:.2f} USD in, {rates[1]:.2f} USD out a million tokens"
        if rates
        else "its price is unknown, so that a budget cannot be kept"
    )
    takes = "no" if "temperature" in known_refusals(model.provider, model.model) else "a"
    return f"{price}; takes {takes} temperature"


def _rates(name: str, environ: Mapping[str, str], base_url: str | None) -> tuple[Decimal, Decimal] | None:
    prices = price_list(name, environ=environ, base_url=base_url)
    return None if prices is None else prices.rates(parse_model(name).model)


def ask_judges(uses: Sequence[Use]) -> Iterator[tuple[Finding, Usage]]:
    """Ask each judge that is connected one tiny question; yield what came of it, and what it used.

    A model at an endpoint is asked once, whatever it does for how many suites.
    """
    asked: set[tuple[int, str]] = set()
    for use in uses:
        if use.role == TESTED or not use.judge or parse_model(use.name).provider == RECORDED:
            continue
        endpoint = id(use.judge.provider), use.judge.model
        if endpoint not in asked:
            asked.add(endpoint)
            yield _ask(use, replace(use.judge, context="", timeout_seconds=_seconds(use.judge)))


def _seconds(judge: Judge) -> float:
    return min(judge.timeout_seconds, SECONDS)


def _ask(use: Use, judge: Judge) -> tuple[Finding, Usage]:
    started = time.monotonic()
    judgement = judge.ask((QUESTION,), EVIDENCE, Subject())
    seconds = time.monotonic() - started
    answer, used = judgement.answers[QUESTION.name], judgement.usage
    if isinstance(answer, Unanswered):
        fix = "mend that, or name another judge: judge.model in the suite, judge in the settings, or --judge"
        return Finding(JUDGES, use.name, Status.MISSING, answer.reason, fix), used
    said = f"answered in {seconds:.1f} s for {render_cost(used.cost_usd)}; {_parameters(judge, judgement)}"
    if answer.value is True:
        return Finding(JUDGES, use.name, Status.OK, said), used
    wrong = f"{said}, but does not see that '{EVIDENCE.fields['output']}' greets somebody"
    return Finding(JUDGES, use.name, Status.NOTE, wrong, "take a stronger model as the judge"), used


def _parameters(judge: Judge, judgement: Judgement) -> str:
    left_out = [name for name, value in judgement.calls[-1].effective.items() if value is None]
    if left_out:
        return f"left out, as the model does not take it: {', '.join(left_out)}"
    return "temperature left to it" if judge.temperature is None else f"temperature {judge.temperature:g}"


def _say(problem: Problem) -> str:
    return str(replace(problem, hint=None))
