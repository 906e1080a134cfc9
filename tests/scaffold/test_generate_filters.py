import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from judges.core.errors import ConfigError
from judges.files.yaml import parse_yaml
from scaffold.generate.filters import render_yaml

texts = st.text(st.characters(exclude_categories=["Cs"]))
scalars = texts | st.integers(-(10**12), 10**12) | st.booleans() | st.none()
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3)
)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("gpt-4o", "gpt-4o"),
        ("openai:gpt-4.1", "openai:gpt-4.1"),
        ("two words", "two words"),
        ("", "''"),
        ("a: b", "'a: b'"),
        ("a #b", "'a #b'"),
        ("null", "'null'"),
        ("yes", "'yes'"),
        ("1e5", '"1e5"'),
        ("2026-01-01", '"2026-01-01"'),
        ("-x", '"-x"'),
        ("a\nb", '"a\\nb"'),
        ("it's “so” 🙂", "it's “so” 🙂"),
        (3, "3"),
        (["a", {"b": 1}], "[a, {b: 1}]"),
    ],
)
def test_a_value_is_quoted_only_where_needed(value: object, expected: str) -> None:
    """Files stay readable: plain where plain is safe."""
    assert render_yaml(value) == expected


@given(values)
def test_every_value_reads_back_as_itself(value: object) -> None:
    """On one line, with the same meaning to YAML 1.1, to our own reader, and at any depth."""
    text = f"a:\n  - b: {render_yaml(value)}  # remark\n"
    assert text.count("\n") == 2
    assert yaml.safe_load(text) == {"a": [{"b": value}]}
    assert parse_yaml(text, "test").value == {"a": [{"b": value}]}


@given(texts)
def test_every_text_can_be_a_key(key: str) -> None:
    """Names of variables come from other people's files."""
    try:
        assert parse_yaml(f"{render_yaml(key)}: 1\n", "test").value == {key: 1}
    except ConfigError:
        assert len(key) > 100  # YAML limits the length of a key on one line
