"""Blocks between markers, and the markers of a text."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.core.errors import ConfigError
from judges.files.blocks import Marker, default_markers, extract_block, find_markers

START, END = default_markers("x")


def refusal(text: str) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        extract_block(text, START, END, "a.md")
    return [str(problem) for problem in caught.value.problems]


@pytest.mark.reference
def test_blocks_are_those_of_the_original(reference_data: Path) -> None:
    """The same text, or the same complaint; only a doubled marker is no longer accepted."""
    pairs = json.loads((reference_data.parent / "conformance/grid/extract_block.json").read_text())
    doubled = 0
    for pair in pairs:
        if pair["source"].count(START) > 1:
            doubled += 1
            assert "start marker found twice" in refusal(pair["source"])[0]
        elif "out" in pair:
            assert extract_block(pair["source"], START, END, "a.md") == pair["out"]
        else:
            assert pair["error"].removeprefix("extract-block: ") in "\n".join(refusal(pair["source"]))
    assert (len(pairs), doubled) == (6, 1)


@pytest.mark.parametrize(
    ("text", "block"),
    [
        pytest.param(f"{START}\nA\nB\n{END}", "A\nB", id="lines"),
        pytest.param(f"\ufeff{START}\r\n  A\r\n\r\nB \r\n{END}\r\n", "A\n\nB", id="CRLF"),
        pytest.param(f"{START}A{END}", "A", id="on one line"),
        pytest.param(f"{START}{END}", "", id="nothing"),
        pytest.param(f"{START}\n\u00a0é 日本 {{x}} \u2003\n{END}", "é 日本 {x}", id="unicode"),
        pytest.param(
            f"{START}\n{'<!-- eval-gate:block:y:start -->'}\n{END}",
            "<!-- eval-gate:block:y:start -->",
            id="another block inside",
        ),
    ],
)
def test_the_block_is_what_stands_between(text: str, block: str) -> None:
    """White space around the block and the file's line ends are no part of it."""
    assert extract_block(text, START, END, "a.md") == block


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        pytest.param("none", ["start marker not found", "end marker not found"], id="both missing"),
        pytest.param(f"{START}A", ["a.md: end marker not found"], id="no end"),
        pytest.param(f"A{END}", ["a.md: start marker not found"], id="no start"),
        pytest.param(f"A\n {END}\n{START}", [f"a.md:2:2: end marker {END} precedes"], id="reversed"),
        pytest.param(
            f"{START}\n{START}A{END}",
            ["a.md:2:1: start marker found twice, first in line 1"],
            id="two starts",
        ),
        pytest.param(
            f"{START}{END}\nA{END}", ["a.md:2:2: end marker found twice, first in line 1"], id="two ends"
        ),
        pytest.param(
            f"{START}A{END}\n{START}B{END}",
            ["start marker found twice", "end marker found twice"],
            id="twice",
        ),
    ],
)
def test_markers_that_do_not_hold_one_block_are_refused(text: str, problems: list[str]) -> None:
    """Every wrong marker is named with its place."""
    refused = refusal(text)
    assert len(refused) == len(problems)
    assert all(part in problem for part, problem in zip(problems, refused, strict=True))


texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r"))


@given(texts, texts, texts)
def test_any_block_is_found(before: str, block: str, after: str) -> None:
    """Whatever stands around and inside, LF or CRLF, the trimmed block comes out."""
    text = f"{before}{START}{block}{END}{after}"
    assert extract_block(text, START, END, "a.md") == block.strip()
    assert extract_block(text.replace("\n", "\r\n"), START, END, "a.md") == block.strip()


@given(st.lists(st.sampled_from([START, END, "\n", "a"])))
def test_one_start_before_one_end_or_nothing(parts: list[str]) -> None:
    """A block is given exactly where there is one marker of each kind, in order."""
    text = "".join(parts)
    good = parts.count(START) == parts.count(END) == 1 and parts.index(START) < parts.index(END)
    if good:
        assert START not in extract_block(text, START, END, "a.md")
    else:
        assert refusal(text)


@pytest.mark.parametrize(
    ("text", "markers"),
    [
        pytest.param(f"{START}\n {END}", [("x", 1, 1), ("x", 2, 2)], id="a block"),
        pytest.param(f"`{START}` … `:end`", [], id="in backticks"),
        pytest.param(f"\"{START}\", '{END}'", [], id="in quotes"),
        pytest.param("<!-- eval-gate:block:ID:start -->", [], id="no id"),
        pytest.param("<!-- eval-gate:block:a-1:stop -->", [], id="neither start nor end"),
        pytest.param("<!--eval-gate:block:a:start-->", [], id="not the whole marker"),
        pytest.param("é<!-- eval-gate:block:a-1:start -->", [("a-1", 1, 2)], id="after text"),
    ],
)
def test_markers_are_told_from_mentions(text: str, markers: list[tuple[str, int, int]]) -> None:
    """What documents and registries say about markers marks nothing."""
    assert list(find_markers(text)) == [Marker(*each) for each in markers]
