from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.files.yaml import compose_yaml, parse_yaml
from scaffold.migrate.sections import rewrite

OLD = """\
# head

a: 1  # one
# about b
b:
  c: [x]
  # inside b

# about d
d: |
  # no comment
  text

# foot
"""


@pytest.mark.parametrize(
    ("new", "replacements"),
    [
        pytest.param({"a": 1, "b": {"c": ["x"]}, "d": "# no comment\ntext\n"}, [], id="nothing"),
        pytest.param(
            {"a": 2, "b": {"c": ["x"]}, "d": "# no comment\ntext\n"}, [("a: 1  # one", "a: 2")], id="a value"
        ),
        pytest.param(
            {"a": 1, "d": "# no comment\ntext\n"}, [("b:\n  c: [x]\n  # inside b\n", "")], id="one less"
        ),
        pytest.param(
            {"a": 1, "b": {"c": ["x"]}, "e": {"f": 2}, "d": "# no comment\ntext\n"},
            [("  # inside b\n", "  # inside b\ne:\n  f: 2\n")],
            id="one more",
        ),
        pytest.param(
            {"z": 0, "a": 1, "b": {"c": ["x"]}, "d": "# no comment\ntext\n"},
            [("a: 1", "z: 0\na: 1")],
            id="one more, at the start",
        ),
        pytest.param(
            {"a": 1, "b": {"c": ["x"]}, "d": "# no comment\ntext\n", "z": 0},
            [("  text\n", "  text\nz: 0\n")],
            id="one more, at the end",
        ),
        pytest.param(
            {"a": 1, "x-b": {"c": ["x"]}, "d": "# no comment\ntext\n"}, [("b:\n", "x-b:\n")], id="a free key"
        ),
    ],
)
def test_rewrite(new: dict[str, Any], replacements: list[tuple[str, str]]) -> None:
    """Only the sections that change are other than before."""
    expected = OLD
    for old, text in replacements:
        assert expected.count(old) == 1
        expected = expected.replace(old, text)
    assert rewrite(compose_yaml(OLD, "f"), new) == expected


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        pytest.param("{a: 1, b: 2}", {"a": 1, "c": 3}, "a: 1\nc: 3\n", id="braces"),
        pytest.param("a: &x {y: 1}\nb: *x\n", {"b": {"y": 1}}, "b:\n  y: 1\n", id="an anchor that goes"),
        pytest.param("base: &b {c: 1}\n<<: *b\n", {"c": 2}, "c: 2\n", id="a merged key"),
        pytest.param('"a": 1\n', {"x-a": 1}, "x-a: 1\n", id="a quoted key that becomes a free one"),
    ],
)
def test_written_anew(old: str, new: dict[str, Any], text: str) -> None:
    """Where sections cannot be moved as text, the values are written."""
    assert rewrite(compose_yaml(old, "f"), new) == text


def test_line_ends_stay() -> None:
    """A file of Windows stays one, also where its last line had no end."""
    assert (
        rewrite(compose_yaml("a: 1\r\nb: 2", "f"), {"a": 1, "b": 2, "c": [3]}) == "a: 1\r\nb: 2\r\nc: [3]\r\n"
    )


VALUES = st.dictionaries(
    st.sampled_from("abcde"),
    st.one_of(st.integers(), st.text("x\n# :-"), st.lists(st.integers(), max_size=3)),
    min_size=1,
)


@given(VALUES, VALUES)
def test_the_new_values_are_what_is_read(old: dict[str, Any], new: dict[str, Any]) -> None:
    """Whatever changes, the text holds the new values."""
    from scaffold.yaml_text import render_block

    document = compose_yaml(f"# head\n{render_block(old)}", "f")
    assert parse_yaml(rewrite(document, new), "f").value == new
