"""From the pass conditions of a fixture and what one replica left to rows, all but those of a judge."""

from pathlib import Path

from judges.check.completed import why_incomplete
from judges.check.conditions import Condition, Evidence
from judges.check.conditions_files import file_conditions
from judges.check.conditions_run import completed_condition, run_conditions
from judges.check.conditions_tools import tool_call_conditions, tool_result_conditions
from judges.check.conditions_views import result_conditions, view_conditions
from judges.core.row import Row
from judges.core.session import Session
from judges.files.pass_conditions import PassConditions


def build_conditions(asked: PassConditions) -> tuple[Condition, ...]:
    """Return the conditions in the order of their rows; those under `semantic` are for a judge."""
    return (
        completed_condition(),
        *run_conditions(asked.run),
        *view_conditions(asked.views),
        *tool_call_conditions(asked.tool_calls),
        *tool_result_conditions(asked.tool_results),
        *result_conditions(asked.result),
        *file_conditions(asked.files),
    )


def grade_session(asked: PassConditions, session: Session, workspace: Path | None = None) -> tuple[Row, ...]:
    """Return the rows of a session. Where it did not run to its end, they are all ERROR: nothing passes.

    `workspace` is the folder that the session worked in, where it was kept.
    """
    conditions = build_conditions(asked)
    why = why_incomplete(session.run)
    if why is not None:
        return tuple(condition.unmeasured(why) for condition in conditions)
    evidence = Evidence(session, workspace)
    return tuple(condition.grade(evidence) for condition in conditions)
