from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.files.yaml import parse_yaml
from scaffold.yaml_text import render_block


@pytest.mark.parametrize(
    ("value", "text"),
    [
        pytest.param({"a": 1, "b": None, "c": True}, "a: 1\nb: null\nc: true\n", id="scalars"),
        pytest.param({"a": {"b": {"c": "d"}}}, "a:\n  b:\n    c: d\n", id="mappings"),
        pytest.param({"a": ["x", "y"]}, "a: [x, y]\n", id="a list of few words"),
        pytest.param({"a": [], "b": {}}, "a: []\nb: {}\n", id="nothing inside"),
        pytest.param({"a": [{"b": 1, "c": 2}, {"b": 3}]}, "a:\n  - b: 1\n    c: 2\n  - b: 3\n", id="items"),
        pytest.param([["x" * 70]], f"-\n  - {'x' * 70}\n", id="a list in a list"),
        pytest.param({"a": "x\n\ny\n"}, "a: |\n  x\n\n  y\n", id="lines, with the last line's end"),
        pytest.param({"a": "x\ny"}, "a: |-\n  x\n  y\n", id="lines, without"),
        pytest.param({"a": "x\ny\n\n"}, 'a: "x\\ny\\n\\n"\n', id="lines, with a blank one at the end"),
        pytest.param({"a": " x\ny"}, 'a: " x\\ny"\n', id="lines that start with a blank"),
        pytest.param({"a": "x \ny"}, 'a: "x \\ny"\n', id="lines that end with a blank"),
        pytest.param({"a": "x\u2028y\nz"}, 'a: "x\\Ly\\nz"\n', id="odd line ends"),
        pytest.param({"a": "NO", "b": "1", "c": "#x"}, "a: 'NO'\nb: \"1\"\nc: '#x'\n", id="quotes"),
        pytest.param(["x\ny", "z"], "- |-\n  x\n  y\n- z\n", id="a list"),
    ],
)
def test_text(value: Any, text: str) -> None:
    """It looks as an author would write it."""
    assert render_block(value) == text


def test_indent() -> None:
    """Every line is moved but empty ones."""
    assert (
        render_block([{"a": "x\n\ny\n", "b": [1]}], 4) == "    - a: |\n        x\n\n        y\n      b: [1]\n"
    )


TEXTS = st.one_of(
    st.text(alphabet=st.characters(codec="utf-8")),
    st.text(alphabet=" \n\t:#-'\"|>{}[]&*!%@`\r\u2028\ufeffa1"),
)
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), TEXTS),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(TEXTS, VALUES, min_size=1, max_size=4), st.integers(0, 6))
def test_it_reads_back(value: dict[str, Any], indent: int) -> None:
    """Whatever JSON can hold comes back the same, however deep it stands."""
    inside = f"top:\n{render_block(value, indent + 1)}"
    assert parse_yaml(inside, "f").value == {"top": value}
