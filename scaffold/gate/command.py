"""What `scaffold gate run` does with its arguments. Whatever goes wrong, it never ends as an accept."""

import sys
import threading
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

import click

from judges.core.errors import ScaffoldError
from judges.core.usage import Usage
from judges.core.verdict import ExitCode
from judges.files.config import ProjectConfig
from judges.out.printable import printable_lines, shield
from judges.out.summary import render_usage
from judges.providers.budget import Budget
from judges.providers.gate import SystemClock
from judges.providers.limit import Terms
from judges.reduce.gate import TRUST_FLOOR, GateTerms, Rule
from judges.run.connections import Connections
from scaffold.caching import open_store
from scaffold.config import build_environ, load_config
from scaffold.gate.decide import GateRequest, run_gate
from scaffold.gate.measure import GridMeasure
from scaffold.gate.plan import GatePlan, plan_gate
from scaffold.printing import print_json
from scaffold.projection.registry import load_registry
from scaffold.running import ASK_ABOVE_USD

INTERRUPTED = "interrupted: nothing is decided, and what was answered so far is kept"


class GateError(ScaffoldError):
    """Nothing could be decided, whatever the reason is."""


def gate(flags: Mapping[str, Any]) -> ExitCode:
    """Decide about an edit, print the verdict as JSON, and return 0 for an accept, 1 for anything less.

    Raises:
        GateError: something went wrong, which has been printed as JSON, too.
        KeyboardInterrupt: so it was interrupted.
        Abort: so the caller did not want to spend that.
    """
    try:
        said = _decide(flags)
    except (KeyboardInterrupt, click.Abort):
        _print_failure(INTERRUPTED)
        raise
    except Exception as error:  # what it is does not matter: no error may pass for an accept
        words = str(error) if isinstance(error, ScaffoldError | OSError) else f"internal error: {error!r}"
        _print_failure(words)
        raise GateError(words) from error
    print_json(said)
    _explain(said)
    return ExitCode.PASSED if said["accept"] else ExitCode.FAILED


def read_terms(flags: Mapping[str, Any]) -> GateTerms:
    """Return what decides, by these flags."""
    margin = flags["margin"]
    return GateTerms(
        rule=Rule(flags["rule"]),
        trust_floor=TRUST_FLOOR if flags["trust_floor"] else Fraction(0),
        margin=None if margin is None else Fraction(str(margin)),
    )


def _decide(flags: Mapping[str, Any]) -> Mapping[str, Any]:
    registry = load_registry(flags["registry"])
    plan = plan_gate(registry, flags["target"], repeat=flags["repeat"], null_control=flags["null_control"])
    request = GateRequest(
        plan=plan,
        candidate_file=flags["candidate_file"],
        target_task=flags["target_task"],
        append=flags["append_on_accept"],
        terms=read_terms(flags),
    )
    stop = threading.Event()
    try:
        return run_gate(request, _build_measure(plan, flags, stop), datetime.now(UTC))
    finally:
        stop.set()


def _build_measure(plan: GatePlan, flags: Mapping[str, Any], stop: threading.Event) -> GridMeasure:
    config = load_config()
    terms = Terms(
        concurrency=config.concurrency,
        http_retries=config.http_retries,
        budget=_budget(flags, config),
        clock=SystemClock(stop),
    )
    store = None if flags["no_cache"] else open_store(plan.registry.root)

    def consent(used: Usage) -> None:
        much = used.cost_usd is not None and used.cost_usd > ASK_ABOVE_USD
        if much and not flags["yes"] and sys.stdin.isatty():
            click.confirm(f"This takes about {render_usage(used)}. Go on?", abort=True, err=True)

    return GridMeasure(
        plan=plan,
        connections=Connections(environ=build_environ(config), terms=terms, store=store),
        consent=consent,
        concurrency=config.concurrency,
        quiet=flags["quiet"],
    )


def _budget(flags: Mapping[str, Any], config: ProjectConfig) -> Budget | None:
    most = config.max_cost_usd if flags["max_cost_usd"] is None else flags["max_cost_usd"]
    return None if most is None else Budget(Decimal(str(most)))


def _print_failure(words: str) -> None:
    print_json({"accept": False, "error": words})


def _explain(said: Mapping[str, Any]) -> None:
    """Say the same to people, on standard error."""
    lines = [f"{said.get('decision', 'accept').upper()}  {said['reason']}"]
    lines += [said["power"]["words"]] if "power" in said else []
    lines += [f"note: {notice}" for notice in said.get("notices", ())]
    if "run" in said:
        lines.append(f"Run:  {said['run']} (scaffold show {said['run']})")
    click.echo(shield(printable_lines("\n".join(lines))), err=True)
