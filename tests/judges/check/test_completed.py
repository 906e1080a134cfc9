"""Whether a session ran to its end."""

import pytest
from golden_sessions import ENDED, golden, session

from judges.check.completed import why_incomplete
from judges.core.session import ProcessEnd

COMPLETED = (
    "text",
    "tools",
    "tool_error",
    "thinking",
    "parallel",
    "subagent",
    "denied",
    "several_results",
    "synthetic",
)

ENDED_EARLY = ProcessEnd(exit=1)

INCOMPLETE = {
    "api error": ("api_error", ENDED_EARLY, "the client could not go on: API Error: 529 Overloaded"),
    "cut": ("cut", ENDED, "the last reply has no stop reason: the stream was cut, or no model was asked"),
    "no result": ("killed", ENDED, "the session has no result event; the client exited with 0"),
    "nothing known": ("killed", ProcessEnd(), "the session has no result event"),
    "killed": (
        "killed",
        ProcessEnd(signal="SIGKILL"),
        "the session has no result event; the client was ended by SIGKILL",
    ),
    "timeout": (
        "killed",
        ProcessEnd(signal="SIGTERM", timed_out=True),
        "the session was ended: it took longer than its time limit",
    ),
    "timeout after a result": (
        "text",
        ProcessEnd(exit=143, timed_out=True),
        "the session was ended: it took longer than its time limit",
    ),
    "interrupted": (
        "interrupted",
        ENDED,
        "the session ended as error_during_execution in place of success: aborted",
    ),
    "ended after its result": ("text", ProcessEnd(signal="SIGKILL"), "the client was ended by SIGKILL"),
    "crashed after its result": ("text", ENDED_EARLY, "the client exited with 1 after its result event"),
    "crashed after a limit": (
        "max_turns",
        ProcessEnd(exit=139),
        "the client exited with 139 after its result event",
    ),
}


@pytest.mark.parametrize("name", COMPLETED)
def test_a_success_is_completed(name: str) -> None:
    """A session that ends in success can be graded, whether its tools failed, were denied, or not."""
    run = golden(name).run
    assert run.succeeded
    assert why_incomplete(run) is None


@pytest.mark.parametrize("end", [ENDED_EARLY, ProcessEnd(exit=0), ProcessEnd()], ids=["1", "0", "unknown"])
@pytest.mark.parametrize("name", ["max_turns", "refusal"])
def test_a_limit_and_a_refusal_are_completed(name: str, end: ProcessEnd) -> None:
    """A limit that was reached and a refusal are results of the session, if no successes."""
    run = golden(name, end).run
    assert not run.succeeded
    assert why_incomplete(run) is None


@pytest.mark.parametrize(("name", "end", "why"), INCOMPLETE.values(), ids=INCOMPLETE)
def test_what_did_not_run_to_its_end_says_why(name: str, end: ProcessEnd, why: str) -> None:
    """Whatever else ends a session keeps it from being measured."""
    assert why_incomplete(golden(name, end).run) == why


@pytest.mark.parametrize(
    ("result", "why"),
    [
        pytest.param({"subtype": "error_max_budget_usd", "is_error": True}, None, id="budget"),
        pytest.param({"subtype": "error_max_structured_output_retries", "is_error": True}, None, id="tries"),
        pytest.param({"stop_reason": "refusal", "is_error": True}, None, id="refusal without words"),
        pytest.param(
            {"subtype": "error_new", "is_error": True},
            "the session ended as error_new in place of success: it does not say why",
            id="an end that is not known",
        ),
        pytest.param(
            {"subtype": None},
            "the session ended as None in place of success: it does not say why",
            id="no word of its end",
        ),
    ],
)
def test_ends_by_their_names(result: dict[str, object], why: str | None) -> None:
    """Every limit is known by the start of its name; an end that is not known is none."""
    assert why_incomplete(session(**result).run) == why


def test_a_turn_that_never_ends() -> None:
    """A session that goes on after its last result, and is cut there, did not run to its end."""
    assert why_incomplete(golden("several_results_cut").run) == (
        "the session went on after its last result event; the client exited with 0"
    )
