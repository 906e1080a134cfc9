"""What a session is known by."""

import pytest

from judges.core.errors import RunError
from judges.core.session import RunFacts, Session, ToolCall, ViewName

FOUND = Session(
    views={ViewName.RESULT: "ok"},
    tool_calls=(),
    tool_results=(),
    run=RunFacts(),
    lost={"thinking": "too large", "tool_calls": "too many"},
)


def test_a_part_that_is_not_known_whole_is_refused() -> None:
    """A view or a list that is lost says why; the others are there."""
    assert FOUND.view(ViewName.RESULT) == "ok"
    FOUND.demand("tool_results")
    with pytest.raises(RunError, match=r"^too large$"):
        FOUND.view(ViewName.THINKING)
    with pytest.raises(RunError, match=r"^too many$"):
        FOUND.demand("tool_calls")


@pytest.mark.parametrize(
    ("subtype", "is_error", "succeeded"),
    [
        ("success", False, True),
        ("success", True, False),
        ("error_max_turns", True, False),
        (None, False, False),
    ],
)
def test_success_needs_both(subtype: str | None, is_error: bool, succeeded: bool) -> None:
    """A session succeeded when it says success, and no error."""
    assert RunFacts(subtype=subtype, is_error=is_error).succeeded is succeeded


def test_a_refusal_is_no_success() -> None:
    """A model that declined did not do what it was asked, whatever the client calls that."""
    assert not RunFacts(subtype="success", refused=True).succeeded


def test_nothing_is_known_of_a_session_without_a_result() -> None:
    """A cost that was never told is unknown, not nothing; it was one session all the same."""
    assert RunFacts().cost_usd is None
    assert RunFacts().usage.calls == 1


def test_an_input_is_what_its_text_says() -> None:
    """The input of a call is parsed when it is asked for."""
    call = ToolCall(tool="A", canonical='{"a":[1,{"b":null}]}', tool_use_id="t")
    assert call.input == {"a": [1, {"b": None}]}
