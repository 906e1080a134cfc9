"""The kinds of suite, each with its procedure: the one table that the run machinery looks things up in."""

from collections.abc import Mapping

from judges.core.report import SuiteKind
from judges.core.usage import Usage
from judges.files.suite import PromptSuite
from judges.run.options import RunOptions
from judges.run.plan import Plan, Procedure
from judges.run.prompt_plan import plan_prompt
from judges.run.prompt_procedure import PROMPT

PROCEDURES: Mapping[SuiteKind, Procedure] = {SuiteKind.PROMPT: PROMPT}


def plan_suite(suite: PromptSuite, options: RunOptions) -> Plan:
    """Check that a suite of any kind can be run with these options, and return how.

    Raises:
        ConfigError: it cannot, for a reason that its author or the caller can remove.
    """
    return plan_prompt(suite, options)


def estimate(plan: Plan, environ: Mapping[str, str]) -> Usage:
    """Return the calls, tokens and cost in USD that running the plan will about take. Nothing is sent.

    Raises:
        ConfigError: a model's name or address cannot be used.
        RunError: a prompt cannot be rendered.
    """
    return PROCEDURES[plan.kind].estimate(plan, environ)
