"""Rubrics: instructions, levels, and what is wrong with anchors."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.files.rubric import Mistake, parse_rubric


@pytest.mark.parametrize(
    ("text", "instructions", "levels"),
    [
        ("Is it?\n3: good\n2: fair\n1: bad\n", "Is it?", ("bad", "fair", "good")),
        ("Is it?\n3 - good\n2 \u2013 fair\n1 \u2014 bad", "Is it?", ("bad", "fair", "good")),
        ("Is it?\n3 = good\n1=bad", "Is it?", ("bad", "", "good")),
        ("Is it?\n3. good\n2. fair\n1. bad", "Is it?", ("bad", "fair", "good")),
        ("Is it?\n1) bad\n3) good", "Is it?", ("bad", "", "good")),
        ("- 3: good\n* 1: bad", "", ("bad", "", "good")),
        ("Is it?", "Is it?", ("", "", "")),
        ("Is it?\r\n3: good\r\n1: bad\r", "Is it?", ("bad", "", "good")),
        (
            "Is it?\n3: good\n   and well\n\n   and more\n1: bad",
            "Is it?",
            ("bad", "", "good\nand well\n\nand more"),
        ),
        ("3: good,\nall of it\n1: bad\nBe fair.", "Be fair.", ("bad", "", "good,\nall of it")),
        ("3: good\n\nBe fair.\n1: bad", "Be fair.", ("bad", "", "good")),
        ("Steps:\n1. read\n2. think\n\n3: good\n1: bad", "Steps:\n1. read\n2. think", ("bad", "", "good")),
        ("Steps:\n1. read\n2. think", "Steps:\n1. read\n2. think", ("", "", "")),
        ("From 1-3 at 10:30, 3:1 odds\n1-3 points", "From 1-3 at 10:30, 3:1 odds\n1-3 points", ("", "", "")),
        ("2024: a year\n3:\n1: bad", "2024: a year", ("bad", "", "")),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_rubrics_are_taken_apart(text: str, instructions: str, levels: tuple[str, ...]) -> None:
    """Anchors of any common form become levels, all else instructions."""
    rubric = parse_rubric(text, scale=3)
    assert (rubric.instructions, rubric.levels, rubric.mistakes) == (instructions, levels, ())


@pytest.mark.parametrize(
    ("text", "mistakes"),
    [
        ("Is it?\n6: great\n5: good", [Mistake(1, "level 6 is outside the scale 1..5")]),
        ("0: none\n5: good", [Mistake(0, "level 0 is outside the scale 1..5")]),
        ("5: good\n1: bad\n5: best\n5: more", [Mistake(2, "level 5 is described twice")]),
        ("1) bad\n5) good\n6) great", [Mistake(2, "level 6 is outside the scale 1..5")]),
    ],
    ids=["above", "below", "twice", "list"],
)
def test_wrong_anchors_are_found(text: str, mistakes: list[Mistake]) -> None:
    """An anchor outside the scale, or given again, is told once, with its line."""
    assert list(parse_rubric(text, scale=5).mistakes) == mistakes


def test_the_digest_depends_on_text_and_scale_only() -> None:
    """Newlines and space around the text do not change a digest; words and the scale do."""
    digest = parse_rubric("Is it?\n1: no\n", scale=5).sha256
    assert digest == parse_rubric("\nIs it?\r\n1: no", scale=5).sha256
    assert digest == "b8d5f80cec1cbb1c158a1e48c8aed953e34aaaf83ec330bba4b38113af66bfc9"
    assert digest != parse_rubric("Is it?\n1: no\n", scale=4).sha256
    assert digest != parse_rubric("Is it? \n1: no\n", scale=5).sha256


@given(st.text() | st.text(alphabet="0123456789:=-.) \n\tab*"), st.integers(2, 12))
def test_any_text_is_taken_apart(text: str, scale: int) -> None:
    """Whatever the text, there is a level for each step of the scale, and no word is invented."""
    rubric = parse_rubric(text, scale)
    assert len(rubric.levels) == scale
    written = text.replace("\r\n", "\n").replace("\r", "\n")
    assert all(
        line.strip() in written for line in "\n".join((rubric.instructions, *rubric.levels)).split("\n")
    )


@given(st.lists(st.text(alphabet="abc xyz", min_size=1).map(str.strip).filter(bool), min_size=2, max_size=9))
def test_levels_that_are_written_are_read(levels: list[str]) -> None:
    """Anchors come back as they were written, in the order of the scale."""
    text = "\n".join(f"{level}: {words}" for level, words in reversed(list(enumerate(levels, start=1))))
    assert parse_rubric(f"Is it?\n{text}\n", len(levels)).levels == tuple(levels)
