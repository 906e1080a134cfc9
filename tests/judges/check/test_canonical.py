"""JSON as JavaScript prints it."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judges.check import engine
from judges.check.canonical import canonical_input, stringify

PRINTED = {
    "whole number": ("1.0", "1"),
    "minus zero": ("-0.0", "0"),
    "fraction": ("-0.50", "-0.5"),
    "smallest without exponent": ("0.000001", "0.000001"),
    "smaller": ("0.0000001", "1e-7"),
    "smaller with digits": ("1.25e-10", "1.25e-10"),
    "largest without exponent": ("1e20", "100000000000000000000"),
    "larger": ("1e21", "1e+21"),
    "larger with digits": ("12.5e30", "1.25e+31"),
    "beyond exact integers": ("12345678901234567890", "12345678901234567000"),
    "beyond all numbers": ("1e999", "null"),
    "fewest digits": ("5.9604644775390625e-8", "5.960464477539063e-8"),
    "smallest of all": ("5e-324", "5e-324"),
    "controls": (r'"\u0000\b\f\n\r\t\u001f\u007f"', '"\\u0000\\b\\f\\n\\r\\t\\u001f\x7f"'),
    "quotes": (r'"\"\\\/"', r'"\"\\/"'),
    "line separator": (r'"\u2028"', '"\u2028"'),
    "surrogate pair": (r'"\ud83c\udf89"', '"🎉"'),
    "half of a pair": (r'"a\uD83Cb"', r'"a\ud83cb"'),
    "words": ("[true, false, null]", "[true,false,null]"),
    "nothing in it": ("[{}, []]", "[{},[]]"),
    "indices first": ('{"b": 1, "10": 2, "9": 3, "01": 4}', '{"9":3,"10":2,"b":1,"01":4}'),
    "not an index": ('{"b": 1, "4294967295": 2, "4294967294": 3}', '{"4294967294":3,"b":1,"4294967295":2}'),
    "a key twice": ('{"a": 1, "b": 2, "a": 3}', '{"a":3,"b":2}'),
}

SORTED = {
    "sorted": ('{"b": 1, "a": 2}', '{"a":2,"b":1}'),
    "nested as it is": (
        '{"b": {"d": 1, "c": [{"z": 1, "y": 2}]}, "a": 2}',
        '{"a":2,"b":{"d":1,"c":[{"z":1,"y":2}]}}',
    ),
    "by UTF-16": ('{"\uff5e": 1, "\U0001f389": 2}', '{"\U0001f389":2,"\uff5e":1}'),
    "empty": ("{}", "{}"),
    "no object": ('["b", "a"]', '["b","a"]'),
    "null": ("null", "null"),
}

NUMBERS = st.builds("{}e{}".format, st.integers(-(10**9), 10**9), st.integers(-40, 40)).map(float)
KEYS = st.text(st.characters()) | st.from_regex("[0-9]{1,11}", fullmatch=True)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | NUMBERS | st.text(st.characters()),
    lambda inner: st.lists(inner) | st.dictionaries(KEYS, inner),
    max_leaves=20,
)

STRINGIFY = "(request) => JSON.stringify(JSON.parse(request).value)"
SORT = """
(request) => {
  const { value } = JSON.parse(request);
  const pair = (key) => JSON.stringify(key) + ":" + JSON.stringify(value[key]);
  return JSON.stringify(Object.keys(value).sort().map(pair));
}
"""


@pytest.mark.parametrize(("source", "printed"), PRINTED.values(), ids=PRINTED)
def test_a_value_is_printed_as_in_javascript(source: str, printed: str) -> None:
    """Numbers, texts and the order of keys are those of JSON.stringify."""
    assert stringify(json.loads(source)) == printed


@pytest.mark.parametrize(("source", "printed"), SORTED.values(), ids=SORTED)
def test_an_input_is_sorted_at_the_top(source: str, printed: str) -> None:
    """Top-level keys are sorted by their UTF-16 units; what is nested is neither sorted nor dropped."""
    assert canonical_input(json.loads(source)) == printed


@given(VALUES)
@settings(max_examples=50)
def test_any_value_is_printed_as_the_engine_prints_it(value: Any) -> None:
    """The embedded JavaScript engine agrees, whatever the value."""
    assert stringify(value) == engine.call(STRINGIFY, {"value": value})


@given(st.dictionaries(KEYS, VALUES))
@settings(max_examples=50)
def test_any_input_is_sorted_as_the_engine_sorts(value: Any) -> None:
    """The embedded JavaScript engine sorts the same, whatever the keys."""
    pairs = json.loads(str(engine.call(SORT, {"value": value})))
    assert canonical_input(value) == "{" + ",".join(pairs) + "}"
