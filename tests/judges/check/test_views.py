"""Texts that grow up to a limit."""

import pytest

from judges.check.views import BoundedText, Views
from judges.core.session import ToolCall, ToolResult, ViewName

CALL = ToolCall(tool="Bash", canonical="{}", tool_use_id="t1", message_id="m1")


@pytest.mark.parametrize(
    ("pieces", "kept"),
    [
        pytest.param(("ab", "cd"), "abcd", id="up to the limit"),
        pytest.param(("ab", "cde"), None, id="over the limit"),
        pytest.param(("ab", "cde", "f"), None, id="and no piece comes back"),
        pytest.param(("éé",), "éé", id="bytes count"),
        pytest.param(("ééa",), None, id="not characters"),
        pytest.param(("\ud800",), "\ud800", id="half of a pair"),
    ],
)
def test_a_bounded_text_is_whole_or_nothing(pieces: tuple[str, ...], kept: str | None) -> None:
    """A text of more bytes than its limit holds nothing any more."""
    text = BoundedText(4)
    for piece in pieces:
        text.add(piece)
    assert text.dropped is (kept is None)
    assert text.text() == (kept or "")


def test_an_empty_session_has_empty_views() -> None:
    """Of nothing, every view is empty; everything has the newlines between its parts."""
    views = dict(Views().finish())
    assert views.pop(ViewName.EVERYTHING) == "\n\n\n\n"
    assert views.pop(ViewName.TRANSCRIPT) == "[result]\n\n"
    assert set(views.values()) == {""}


def test_an_empty_block_counts_as_a_block() -> None:
    """A block without text still has its newline, as the views of the seed have it."""
    views = Views()
    for text in ("", "a", ""):
        views.say(ViewName.THINKING, text, None)
    assert views.finish()[ViewName.THINKING] == "\na\n"


def test_everything_is_lost_with_one_of_its_parts() -> None:
    """Where a part is too large, so is everything, though all the others are known."""
    views = Views(limit=80)
    views.call(CALL)
    views.result_of(ToolResult(tool="Bash", content="x" * 81, is_error=False, tool_use_id="t1"))
    assert set(views.finish()) == {
        ViewName.THINKING,
        ViewName.ASSISTANT_TEXT,
        ViewName.TOOL_INPUTS,
        ViewName.RESULT,
    }


def test_a_later_result_makes_up_for_one_that_was_too_large() -> None:
    """Only the last result of a session is its result."""
    views = Views(limit=80)
    views.conclude("x" * 81)
    views.conclude("ok")
    assert views.finish()[ViewName.RESULT] == "ok"
