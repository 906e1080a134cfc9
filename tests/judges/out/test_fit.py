"""Text fitted into terminal columns."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.out.fit import columns, wrap
from judges.out.printable import printable


@pytest.mark.parametrize(("text", "expected"), [("abc", 3), ("한국", 4), ("👩\u200d👧", 2), ("", 0)])
def test_columns_are_what_a_terminal_shows(text: str, expected: int) -> None:
    """Wide characters take two columns, a composed emoji two together."""
    assert columns(text) == expected


@pytest.mark.parametrize(
    ("text", "width", "expected"),
    [
        pytest.param("one two three", 7, ["one two", "three"], id="words"),
        pytest.param("unbreakable", 5, ["unbre", "akabl", "e"], id="a long word"),
        pytest.param("한국어", 4, ["한국", "어"], id="wide"),
        pytest.param("", 9, [""], id="nothing"),
    ],
)
def test_text_is_wrapped(text: str, width: int, expected: list[str]) -> None:
    """Lines break between words where they can."""
    assert wrap(text, width) == expected


def test_later_lines_are_indented() -> None:
    """A wrapped remark stays one remark to the eye."""
    assert wrap("note: one two", 9, indent="  ") == ["note: one", "  two"]


@given(st.text(st.characters(exclude_categories=())), st.integers(4, 100))
def test_no_line_is_too_wide(text: str, width: int) -> None:
    """Whatever was made printable fits."""
    assert all(columns(line) <= width for line in wrap(printable(text), width))
