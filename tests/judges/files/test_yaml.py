"""YAML: what scalars mean, where values stand, and what is refused."""

import json
import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judges.core.errors import ConfigError
from judges.files.yaml import is_blank, parse_yaml, plain_value, read_yaml

LAUGHS = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n"
    for before, name in zip("abcdefghi", "bcdefghij", strict=True)
)


def complaint(text: str) -> str:
    with pytest.raises(ConfigError) as caught:
        parse_yaml(text, "f.yaml")
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("true", True),
        ("False", False),
        ("yes", "yes"),
        ("NO", "NO"),
        ("on", "on"),
        ("~", None),
        ("null", None),
        ("'null'", "null"),
        ("2026-02-18", "2026-02-18"),
        ("2026-02-18T11:01:29Z", "2026-02-18T11:01:29Z"),
        ("12", 12),
        ("-0", 0),
        ("007", 7),
        ("0o17", 15),
        ("0x1F", 31),
        ("1_000", "1_000"),
        ("1:30", "1:30"),
        ("0.4", 0.4),
        (".5", 0.5),
        ("1e3", 1000.0),
        ("-.inf", -math.inf),
        ("1.", 1.0),
        (".", "."),
        ("-", [None]),
        ("'12'", "12"),
        ("|\n  12", "12"),
        ("=", "="),
    ],
)
def test_scalars_follow_the_core_schema(text: str, value: object) -> None:
    """Only true and false are booleans, dates and old number forms are text, quotes make text."""
    parsed = parse_yaml(text, "f.yaml").value
    assert (parsed, type(parsed)) == (value, type(value))


def test_nan_is_a_number() -> None:
    """`.nan` is read; whether it is allowed is for the models to say."""
    assert math.isnan(parse_yaml(".nan", "f.yaml").value)


def test_keys_are_always_text() -> None:
    """A key is the text that was written, whatever a value written so would be."""
    text = "1: a\ntrue: b\nnull: c\n2026-01-01: d\n"
    assert parse_yaml(text, "f.yaml").value == {"1": "a", "true": "b", "null": "c", "2026-01-01": "d"}


def test_merge_keys_are_read() -> None:
    """`<<` fills in what is not given, the first of several sources wins, and positions are the source's."""
    text = "base: &b {x: 1, y: 2}\none: {<<: *b, x: 3}\ntwo: {<<: [*b, {y: 9, z: 4}]}\n'<<': 5\n"
    document = parse_yaml(text, "f.yaml")
    assert document.value == {
        "base": {"x": 1, "y": 2},
        "one": {"x": 3, "y": 2},
        "two": {"x": 1, "y": 2, "z": 4},
        "<<": 5,
    }
    assert document.position(("one", "x")) == (2, 18)
    assert document.position(("one", "y")) == (1, 20)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "f.yaml: is empty (expected YAML)"),
        (" \n\n", "f.yaml: is empty (expected YAML)"),
        ("# nothing\n", "f.yaml: holds only comments (expected YAML)"),
        ("a:\n\tb: 1", "f.yaml:2:1: a tab is used for indentation (indent with spaces)"),
        ("a: 1\n\tb: 2", "f.yaml:2:1: a tab is used for indentation (indent with spaces)"),
        ("a: 1\n---\nb: 2", "f.yaml:2:1: holds several documents (remove the line '---', or make two files)"),
        (
            "a: b: c",
            "f.yaml:1:5: not valid YAML: mapping values are not allowed in this context "
            "(put a text that holds ': ' in quotes, and check the indentation)",
        ),
        (
            "a: 'b",
            "f.yaml:1:6: not valid YAML: found unexpected end of stream (a quote or a bracket is not closed)",
        ),
        (
            "a: [1\nb: 2",
            "f.yaml:2:2: not valid YAML: did not find expected ',' or ']' "
            "(check the indentation, quotes and brackets from here upwards)",
        ),
        (
            "a: %x",
            "f.yaml:1:4: not valid YAML: found character that cannot start any token "
            "(put a text that starts with this character in quotes)",
        ),
        (
            "a: *b",
            "f.yaml:1:4: not valid YAML: found undefined alias (put a text that starts with '*' in quotes)",
        ),
        ("a: &x 1\nb: &x 2", "f.yaml:2:4: the same anchor is given twice (rename one of the two)"),
        ("a: &x [*x]", "f.yaml:1:4: an alias stands inside the value that it names (remove it)"),
        ("a: &x {<<: *x}", "f.yaml:1:4: an alias stands inside the value that it names (remove it)"),
        ("a: {<<: 3}", "f.yaml:1:9: '<<' takes a mapping, or a list of mappings"),
        (
            "{{name}}: 1",
            "f.yaml:1:1: a key must be a text (put a key that starts with '{' or '[' in quotes)",
        ),
        (
            "a: 1\0",
            "f.yaml:1:5: the character U+0000 is not allowed in YAML (remove it, or write it as an escape)",
        ),
        (
            "a: 1\nb: \ud800",
            "f.yaml:2:4: the character U+D800 is not allowed in YAML (remove it, or write it as an escape)",
        ),
        ("a: " + "9" * 5000, "f.yaml:1:4: a number with 5000 digits is too long (put it in quotes)"),
        ("[" * 5000, "f.yaml:1:1001: is nested deeper than 64 levels"),
        ("- " * 5000, "f.yaml:1:127: is nested deeper than 64 levels"),
        ("{a: " * 200, "f.yaml:1:253: is nested deeper than 64 levels"),
        (LAUGHS, "f.yaml:1:29: the aliases make the file too large (write the values out)"),
        (
            "a: &a " + "x" * 1_000_000 + "\nb: [" + "*a, " * 30 + "]",
            "f.yaml:1:4: the aliases make the file too large (write the values out)",
        ),
        ("x" * 10_000_001, "f.yaml: is longer than 10 MB (keep cases in JSONL or CSV files)"),
        ("[" + "1," * 600_000 + "]", "f.yaml:1:1: holds too many values (keep cases in JSONL or CSV files)"),
        (
            "%YAML 3.0\n---\na",
            "f.yaml:1:1: not valid YAML: found incompatible YAML document (remove the line '%YAML')",
        ),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_bad_yaml_is_explained(text: str, message: str) -> None:
    """Each kind of bad YAML gives one sentence that says where, what and what to do."""
    assert complaint(text) == message


def test_all_mistakes_are_reported_at_once() -> None:
    """Duplicate keys and tags are collected over the whole file."""
    text = "a: !!python/object:os.system x\na: 1\nb: {c: !mine 1, c: 2}\nd: !!int 3\n"
    assert complaint(text).splitlines() == [
        "f.yaml:1:4: the tag !!python/object:os.system is not allowed (remove the tag)",
        "f.yaml:2:1: the key 'a' is given twice, first at line 1, column 1",
        "f.yaml:3:8: the tag !mine is not allowed (remove the tag)",
        "f.yaml:3:17: the key 'c' is given twice, first at line 3, column 5",
        "f.yaml:4:4: the tag !!int is not allowed (remove the tag)",
    ]


def test_nesting_up_to_the_limit_is_read() -> None:
    """64 levels are allowed, one more is not."""
    assert parse_yaml("[" * 64 + "]" * 64, "f.yaml").value
    assert "nested deeper" in complaint("[" * 65 + "]" * 65)


@pytest.mark.parametrize(
    ("text", "blank"), [("", True), ("# a\n\n  # b\n", True), ("[]", False), ("# a\nb: 1", False)]
)
def test_blank_files_are_known(text: str, blank: bool) -> None:
    """Comments and white space are nothing, an empty list is something."""
    assert is_blank(text) is blank


def test_byte_order_mark_and_windows_newlines(tmp_path: Path) -> None:
    """A file that Windows programs wrote is read like any other."""
    path = tmp_path / "f.yaml"
    path.write_bytes(b"\xef\xbb\xbfa: 1\r\nb:\r\n  - c\r\n")
    document = read_yaml(path)
    assert document.value == {"a": 1, "b": ["c"]}
    assert document.position(("b", 0)) == (3, 5)


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(plain)
def test_plain_data_survives(value: object) -> None:
    """JSON is YAML: data written as ASCII JSON is read back as it was."""
    text = json.dumps(value)
    if "\\ud" not in text and "Infinity" not in text:  # escapes of halves of characters are not YAML's
        assert parse_yaml(text, "f.yaml").value == value


@settings(max_examples=500)
@given(st.text() | st.text(alphabet="ab:-{}[],&*!|>'\"#%@`? \n\t<0123456789.~"))
def test_any_text_is_read_or_refused(text: str) -> None:
    """Whatever the text, there is a document or a ConfigError with a position inside the text."""
    try:
        parse_yaml(text, "f.yaml")
    except ConfigError as error:
        lines = len(text.splitlines()) + 1
        assert error.problems
        assert all(problem.line is None or 1 <= problem.line <= lines for problem in error.problems)


@given(st.text())
def test_plain_value_never_fails_on_short_text(text: str) -> None:
    """A scalar is a number, a boolean, nothing, or the text itself."""
    value = plain_value(text)
    assert value is None or isinstance(value, bool | int | float) or value == text
