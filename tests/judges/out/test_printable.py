"""Text of models and files made safe to print."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.out.printable import printable, printable_lines, shield

DANGEROUS = {"Cc", "Cf", "Cs", "Zl", "Zp"}
anything = st.text(st.characters(exclude_categories=()))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("plain", "plain", id="plain"),
        pytest.param("\x1b[31mred\x1b[0m", r"\x1b[31mred\x1b[0m", id="colour"),
        pytest.param("\x1b]0;title\x07", r"\x1b]0;title\x07", id="window title"),
        pytest.param("\x1b[2J\x1b[H", r"\x1b[2J\x1b[H", id="clear the screen"),
        pytest.param("\x9b31m", r"\x9b31m", id="one-byte escape"),
        pytest.param("over\rwritten", "over written", id="carriage return"),
        pytest.param("a\n\n  b\tc", "a b c", id="line ends and tabs"),
        pytest.param("rm\b\bls", r"rm\x08\x08ls", id="backspace"),
        pytest.param("PASS\u202eLIAF", r"PASS\u202eLIAF", id="right-to-left override"),
        pytest.param("\u2066x\u2069", r"\u2066x\u2069", id="isolates"),
        pytest.param("zero\u200bwidth\ufeff", r"zero\u200bwidth\ufeff", id="zero width"),
        pytest.param("a\U000e0041", r"a\U000e0041", id="tag characters"),
        pytest.param("\ud83d", r"\ud83d", id="half a surrogate pair"),
        pytest.param("line\u2028separator", "line separator", id="line separator"),
        pytest.param("한국어 日本語", "한국어 日本語", id="wide characters"),
        pytest.param("👩\u200d👧", "👩\u200d👧", id="composed emoji"),
        pytest.param("10\xa0000\u3000円", "10 000 円", id="other blanks"),
        pytest.param("  \n ", "", id="blank"),
        pytest.param("x ##[error]y", r"x \x23#[error]y", id="command of a CI runner"),
        pytest.param("##vso[x]y", r"\x23#vso[x]y", id="command of another CI runner"),
        pytest.param("## [x] #[y]", "## [x] #[y]", id="headings and lists"),
    ],
)
def test_a_cell_is_one_safe_line(text: str, expected: str) -> None:
    """What could act on a terminal is shown and does nothing."""
    assert printable(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("a\nb", "a\nb", id="lines stay"),
        pytest.param("a\r\nb", "a\nb", id="windows lines"),
        pytest.param("a\rb", r"a\rb", id="lone carriage return"),
        pytest.param("\tx", "    x", id="tab"),
        pytest.param("a\x0bb\x0c", r"a\x0bb\x0c", id="vertical tab and form feed"),
        pytest.param("a\u2029b\x85", r"a\u2029b\x85", id="other line ends"),
        pytest.param("\x1b[1A", r"\x1b[1A", id="cursor up"),
    ],
)
def test_a_block_keeps_its_lines(text: str, expected: str) -> None:
    """A whole output stays readable, and acts on nothing."""
    assert printable_lines(text) == expected


@given(anything)
def test_nothing_dangerous_is_left(text: str) -> None:
    """Whatever a model writes, only joiners and line ends of the dangerous kinds remain."""
    left = {char for char in printable_lines(text) if unicodedata.category(char) in DANGEROUS}
    assert left <= {"\n", "\u200c", "\u200d"}
    assert "\n" not in printable(text)
    printable(text).encode("utf-8")


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        pytest.param("a\n::error::x", "a\n\\x3a:error::x", id="at the start of a line"),
        pytest.param("      ::error::x", "   \\x3a:error::x", id="after blanks, of which it takes the place"),
        pytest.param(" \xa0\u3000 ::error::x", " \\x3a:error::x", id="after blanks of any kind"),
        pytest.param(" ::error::x", "\\x3a:error::x", id="after fewer blanks"),
        pytest.param("a ::error::x\nstd::x\n: x", "a ::error::x\nstd::x\n: x", id="elsewhere"),
    ],
)
def test_no_line_is_a_command(page: str, expected: str) -> None:
    """No line of a page is a command to the runner that reads it, nor wider than it was, if it has room."""
    assert shield(page) == expected


@given(anything)
def test_no_text_is_a_command(text: str) -> None:
    """Whatever a model writes, no line starts with two colons once it is shielded."""
    lines = shield(printable_lines(text)).split("\n")
    assert not [line for line in lines if line.lstrip().startswith("::") or "##[" in line]
