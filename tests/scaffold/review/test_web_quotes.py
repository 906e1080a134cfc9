"""Where the judge's quotes are."""

import pytest

from scaffold.review.web.quotes import find_quote, split_quotes

TEXT = "one two\n  three four"


@pytest.mark.parametrize(
    ("quote", "span"),
    [
        ("two", (4, 7)),
        ("two three", (4, 15)),
        ("  four ", (16, 20)),
        ("five", None),
        ("two.*four", None),
        ("", None),
        (" \n", None),
    ],
)
def test_a_quote(quote: str, span: tuple[int, int] | None) -> None:
    """It is found whatever its blanks; what it holds is no pattern; nothing is nowhere."""
    assert find_quote(TEXT, quote) == span


@pytest.mark.parametrize(
    ("quotes", "pieces"),
    [
        ({}, [(TEXT, ())]),
        ({"tone": ["one"]}, [("one", ("tone",)), (TEXT[3:], ())]),
        (
            {"tone": ["one two"], "safety": ["two three", "none"]},
            [("one ", ("tone",)), ("two", ("tone", "safety")), ("\n  three", ("safety",)), (" four", ())],
        ),
        (
            {"tone": ["two", "one two three"]},
            [("one ", ("tone",)), ("two", ("tone",)), ("\n  three", ("tone",)), (" four", ())],
        ),
    ],
    ids=["none", "one", "overlapping", "one in the other"],
)
def test_pieces(quotes: dict[str, list[str]], pieces: list[tuple[str, tuple[str, ...]]]) -> None:
    """Nothing of the text is lost, and each piece knows everybody who quoted it."""
    found = [(each.text, each.names) for each in split_quotes(TEXT, quotes)]
    assert found == pieces
    assert "".join(text for text, _ in found) == TEXT


def test_an_empty_text() -> None:
    """There is nothing to quote."""
    assert split_quotes("", {"tone": ["x"]}) == []
