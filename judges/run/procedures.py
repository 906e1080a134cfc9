"""The kinds of suite, each with its procedure: the one table that the run machinery looks things up in."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module

from judges.core.report import SuiteKind
from judges.core.usage import Usage
from judges.files.project import suite_kind
from judges.run.options import RunOptions
from judges.run.plan import Plan, Procedure, Suite

_MODULES = {
    SuiteKind.PROMPT: "judges.run.prompt_procedure",
    SuiteKind.FIXTURE: "judges.run.fixture.procedure",
    SuiteKind.GRID: "judges.run.grid.procedure",
}
"""Each has a `PROCEDURE`; it is imported where there is such a suite."""


@cache
def procedure_of(kind: SuiteKind) -> Procedure:
    """Return what a kind of suite does at each step."""
    procedure: Procedure = import_module(_MODULES[kind]).PROCEDURE
    return procedure


def plan_suite(suite: Suite, options: RunOptions) -> Plan:
    """Check that a suite of any kind can be run with these options, and return how.

    Raises:
        ConfigError: it cannot, for a reason that its author or the caller can remove.
    """
    return procedure_of(suite_kind(suite.path)).plan(suite, options)


def estimate(plan: Plan, environ: Mapping[str, str]) -> Usage:
    """Return the calls, tokens and cost in USD that running the plan will about take. Nothing is sent.

    Raises:
        ConfigError: a model's name or address cannot be used.
        RunError: a prompt cannot be rendered.
    """
    return Usage() if plan.options.recorded else procedure_of(plan.kind).estimate(plan, environ)
