"""Conditions on a session as a whole: whether it completed, succeeded, and what it took."""

from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

from judges.check.canonical import stringify
from judges.check.completed import why_incomplete
from judges.check.conditions import Condition, Evidence, Finding
from judges.core.errors import RunError
from judges.core.session import RunFacts
from judges.files.pass_conditions import RunConditions


def completed_condition() -> Condition:
    """Return the condition that comes before all others: that there is a session to grade."""

    def find(evidence: Evidence) -> str | None:
        if why := why_incomplete(evidence.session.run):
            raise RunError(why)
        return None

    return Condition(id="run.completed", kind="run.completed", finding=find)


def run_conditions(asked: RunConditions) -> Iterator[Condition]:
    """Yield the conditions under `run`."""
    if asked.must_succeed is not None:
        yield _condition("must_succeed", asked.must_succeed, _must_succeed)
    if asked.max_duration_ms is not None:
        yield _at_most("max_duration_ms", "elapsed_ms", asked.max_duration_ms, lambda run: run.end.elapsed_ms)
    if asked.max_parse_errors is not None:
        yield _at_most(
            "max_parse_errors", "parse_errors", asked.max_parse_errors, lambda run: run.parse_errors
        )
    if asked.max_cost_usd is not None:
        yield _at_most("max_cost_usd", "cost_usd", asked.max_cost_usd, lambda run: run.cost_usd)


def _must_succeed(evidence: Evidence) -> str | None:
    run = evidence.session.run
    if run.succeeded:
        return None
    refused = " stop_reason=refusal" if run.refused else ""
    return f"subtype={run.subtype} is_error={stringify(run.is_error)}{refused}"


def _at_most(name: str, measure: str, limit: Any, read: Callable[[RunFacts], Any]) -> Condition:
    def find(evidence: Evidence) -> str | None:
        value = read(evidence.session.run)
        if value is None:
            raise RunError(f"{measure} of this session is not known")
        return f"{measure}={Decimal(value):f} limit={Decimal(limit):f}" if value > limit else None

    return _condition(name, limit, find)


def _condition(name: str, value: Any, finding: Finding) -> Condition:
    return Condition(id=f"run.{name}", kind=f"run.{name}", spec={name: value}, finding=finding)
