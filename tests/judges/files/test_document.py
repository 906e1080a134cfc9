"""Documents: where values and keys stand."""

import pytest

from judges.core.errors import ConfigError, Problem
from judges.files.document import Document, Loc, key_path
from judges.files.yaml import parse_yaml

TEXT = """\
criteria:
  - name: a
    weight: 0.4
    rubric: |
      Is it?

      5: yes
  - {name: b}
"two words": [1, [2]]
"""


@pytest.mark.parametrize(
    ("loc", "value", "key"),
    [
        ((), (1, 1), (1, 1)),
        (("criteria",), (2, 3), (1, 1)),
        (("criteria", 0), (2, 5), (2, 5)),
        (("criteria", 0, "weight"), (3, 13), (3, 5)),
        (("criteria", 1, "name"), (8, 12), (8, 6)),
        (("criteria", 1, "weight"), (8, 5), (8, 5)),
        (("criteria", 7, "weight"), (2, 3), (1, 1)),
        (("two words", 1, 0), (9, 19), (9, 19)),
        (("nothing", 0, "there"), (1, 1), (1, 1)),
    ],
)
def test_positions(loc: Loc, value: tuple[int, int], key: tuple[int, int]) -> None:
    """Values and keys are found; what is missing stands where its nearest container does."""
    document = parse_yaml(TEXT, "f.yaml")
    assert document.position(loc) == value
    assert document.key_position(loc) == key


def test_positions_inside_a_block_of_text() -> None:
    """A line of a literal block is found; a line of any other text is at the start of the text."""
    document = parse_yaml(TEXT, "f.yaml")
    assert document.line_position(("criteria", 0, "rubric"), 0) == (5, 7)
    assert document.line_position(("criteria", 0, "rubric"), 2) == (7, 7)
    assert document.line_position(("criteria", 1, "name"), 0) == (8, 12)


def test_odd_newlines_do_not_break_positions() -> None:
    """A line separator counts as a newline for YAML alone: the place is near, and nothing fails."""
    document = parse_yaml("a: |\n  x\u2028  y\n  z\n", "f.yaml")
    assert document.line_position(("a",), 1) == (3, 3)
    assert document.line_position(("a",), 9) == (11, 1)


def test_a_document_without_nodes_stands_in_its_line() -> None:
    """A line of JSON has a number and nothing finer."""
    document = Document({"a": 1}, "f.jsonl", line=7)
    assert document.position(("a",)) == (7, 1)
    assert str(document.problem(("a",), "is wrong", "mend it")) == "f.jsonl:7:1: a: is wrong (mend it)"


@pytest.mark.parametrize(
    ("loc", "path"),
    [
        ((), ""),
        (("criteria", 0, "weight"), "criteria[0].weight"),
        ((0, "a-b", "c_d"), "[0].a-b.c_d"),
        (("input", "two words", "x.y"), "input['two words']['x.y']"),
    ],
)
def test_key_paths(loc: Loc, path: str) -> None:
    """A key path reads as an author would write it."""
    assert key_path(loc) == path


def test_another_file_is_blamed_where_it_is_named() -> None:
    """The problem of a file that is named becomes one of the value that names it, with its place inside."""
    document = parse_yaml("rubric: r.md", "f.yaml")
    other = ConfigError([Problem("is not UTF-8 text", "r.md", 3, 4, hint="save the file as UTF-8")])
    assert str(document.blame(("rubric",), other)) == (
        "f.yaml:1:9: rubric: r.md:3:4: is not UTF-8 text (save the file as UTF-8)"
    )
