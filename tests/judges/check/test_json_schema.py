"""Outputs described by a JSON Schema."""

from typing import Any

import pytest

from judges.check.context import CheckContext
from judges.check.json_schema import matches_schema
from judges.core.errors import ConfigError, RunError

REPLY = {
    "type": "object",
    "required": ["items"],
    "properties": {"items": {"type": "array", "items": {"$ref": "#/$defs/item"}}},
    "additionalProperties": False,
    "$defs": {"item": {"type": "object", "properties": {"price": {"type": "number", "minimum": 0}}}},
}

OUTPUTS: dict[str, tuple[Any, str, str | None]] = {
    "fits": (REPLY, '{"items": [{"price": 2}]}', None),
    "wrong inside": (
        REPLY,
        '{"items": [{"price": 2}, {"price": "2"}]}',
        "at $.items[1].price: '2' is not of type 'number'",
    ),
    "missing": (REPLY, "{}", "at $: 'items' is a required property"),
    "not json": (
        REPLY,
        "Hello",
        'expected JSON (Expecting value: line 1 column 1 (char 0)); the output (5 characters) is "Hello"',
    ),
    "fenced": (
        REPLY,
        "```json\n{}\n```",
        "expected JSON (Expecting value: line 1 column 1 (char 0)); "
        'the output (14 characters) is "```json\\n{}\\n```"',
    ),
    "NaN": (
        {"type": "number"},
        "NaN",
        'expected JSON (NaN is not JSON); the output (3 characters) is "NaN"',
    ),
    "null is JSON": ({"type": "null"}, "null", None),
    "true allows all": (True, "[]", None),
    "old dialect": (
        {"$schema": "http://json-schema.org/draft-07/schema#", "items": [{"type": "string"}]},
        "[1]",
        "at $[0]: 1 is not of type 'string'",
    ),
    "meta-schema": ({"$ref": "https://json-schema.org/draft/2020-12/schema"}, '{"type": "object"}', None),
    "own identifier": (
        {"$id": "urn:reply", "$ref": "urn:reply#/$defs/a", "$defs": {"a": {"type": "string"}}},
        "1",
        "at $: 1 is not of type 'string'",
    ),
    "pattern as in JavaScript": ({"pattern": "a$"}, r'"a\n"', r"at $: 'a\n' does not match 'a$'"),
    "pattern that does not match": ({"pattern": "^a"}, '"b"', "at $: 'b' does not match '^a'"),
    "pattern of a number": ({"pattern": "^a"}, "1", None),
}

REFUSED: dict[str, tuple[Any, str]] = {
    "text": ("reply.json", "is not a JSON Schema"),
    "list": ([], "is not a JSON Schema"),
    "unknown type": (
        {"properties": {"a": {"type": "objekt"}}},
        "is not a JSON Schema: at $.properties.a.type: 'objekt' is not valid under any of the given schemas",
    ),
    "far reference": (
        {"properties": {"a": {"$ref": "http://127.0.0.1:9/schema.json"}}},
        "$ref 'http://127.0.0.1:9/schema.json' leads nowhere",
    ),
    "file reference": ({"$ref": "file:///etc/passwd"}, "$ref 'file:///etc/passwd' leads nowhere"),
    "missing definition": ({"$ref": "#/$defs/a"}, "$ref '#/$defs/a' leads nowhere"),
    "pattern of Python": (
        {"items": {"pattern": "(?P<a>b)"}},
        "is not a JavaScript regular expression: invalid group",
    ),
}


@pytest.mark.parametrize(("schema", "output", "sentence"), OUTPUTS.values(), ids=OUTPUTS)
def test_an_output_is_compared_with_the_schema(schema: Any, output: str, sentence: str | None) -> None:
    """A failure says where in the output, and what is wrong there."""
    assert matches_schema(schema)(CheckContext(output=output, input={})) == sentence


@pytest.mark.parametrize(("schema", "message"), REFUSED.values(), ids=REFUSED)
def test_a_schema_that_cannot_work_is_refused(schema: Any, message: str) -> None:
    """A wrong schema, or one that would have to be fetched, is found when it is read."""
    with pytest.raises(ConfigError) as caught:
        matches_schema(schema)
    (problem,) = caught.value.problems
    assert problem.message == message


def test_a_pattern_that_runs_too_long_is_an_error() -> None:
    """An output cannot keep the check busy through a pattern."""
    check = matches_schema({"pattern": "^(a|aa)+$"})
    with pytest.raises(RunError, match=r"^the pattern took more than 1 s and was stopped$"):
        check(CheckContext(output=f'"{"a" * 60}b"', input={}))


@pytest.mark.parametrize(
    ("schema", "output", "message"),
    [
        ({"$ref": "#"}, "1", "the output or the schema is nested too deeply"),
        ({}, "[" * 100_000, "the output is nested too deeply to be parsed as JSON"),
    ],
    ids=["schema", "output"],
)
def test_too_deep_is_an_error(schema: Any, output: str, message: str) -> None:
    """Nesting without end is no crash."""
    check = matches_schema(schema)
    with pytest.raises(RunError) as caught:
        check(CheckContext(output=output, input={}))
    assert str(caught.value) == message
