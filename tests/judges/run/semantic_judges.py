"""Judges of semantic conditions, and the sessions that they look at."""

from collections.abc import Sequence
from typing import Any

from judges.core.question import Subject
from judges.core.session import RunFacts, Session, ViewName
from judges.files.pass_conditions import SemanticCondition
from judges.providers import ScriptedProvider
from judges.run.connections import Endpoint
from judges.run.semantic import SemanticJudge, SemanticResult, build_semantic_judge

SUBJECT = Subject(ref="status", replica=2)
VIEW = "STATUS: OK"
ENDED = RunFacts(results=1, subtype="success", stop_reason="end_turn")
PASS = {"verdict": "PASS", "reasoning": "It is there."}
FAIL = {"verdict": "FAIL", "reasoning": "It is not there."}


def condition(**changes: Any) -> SemanticCondition:
    given = {"id": "ok", "view": "result", "judge_model": "m", "rubric": "OUTPUT_TO_GRADE is fine."}
    return SemanticCondition.model_validate({**given, **changes})


def left(text: str) -> Session:
    """Return a session that left this result."""
    return Session(views={ViewName.RESULT: text}, tool_calls=(), tool_results=(), run=ENDED)


def scripted(**replies: Sequence[Any]) -> tuple[SemanticJudge, dict[str, ScriptedProvider]]:
    """Return who judges by these replies; several are a panel."""
    providers = {name: ScriptedProvider(each) for name, each in replies.items()}
    several = {"judges": tuple(replies), "judge_model": None} if len(replies) > 1 else {}
    judge = build_semantic_judge(
        condition(**several), lambda name: Endpoint(providers[name], name), timeout_seconds=60
    )
    return judge, providers


def told(result: SemanticResult) -> dict[str, Any]:
    """Return the further keys of the row without the time that it took."""
    assert isinstance(result.row.extra["judge_duration_ms"], int)
    return {name: value for name, value in result.row.extra.items() if name != "judge_duration_ms"}
