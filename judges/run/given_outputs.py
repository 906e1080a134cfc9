"""Outputs that a caller brings along, which must be of cases that are run."""

from collections.abc import Collection, Iterable

from judges.core.errors import ConfigError, Problem
from judges.core.row import excerpt
from judges.files.problems import did_you_mean
from judges.run.plan import Plan
from judges.run.prompt_plan import PromptPlan

MOST_NAMED = 200  # characters


def refuse_strangers(outputs: Collection[str], plans: Iterable[Plan], file: str | None = None) -> None:
    """Refuse outputs by their refs, which stand in this file if in any, that are of no case of the suites.

    A model would be asked for another output in the place of what was brought along.

    Raises:
        ConfigError: there are such refs.
    """
    if not outputs:
        return
    known = {case.ref for plan in plans if isinstance(plan, PromptPlan) for case in plan.suite.cases}
    strangers = [ref for ref in outputs if ref not in known]
    if strangers:
        named = excerpt(", ".join(strangers), MOST_NAMED)
        hint = did_you_mean(strangers[0], known) or "a ref is how a run names a case"
        message = f"no case of a prompt suite that is run has the ref {named}"
        raise ConfigError([Problem(message, file, hint=hint)])
