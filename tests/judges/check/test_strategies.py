"""Strategies: what passes, what fails with which words, and which values are refused."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.check.context import CheckContext
from judges.check.strategies import build_strategy
from judges.core.errors import ConfigError, RunError
from judges.files.prompt_meta import Strategy

PASSING = {
    "exact": ("exact", "Hello", "Hello"),
    "exact, empty": ("exact", "", ""),
    "contains": ("contains", "ell", "Hello"),
    "contains all": ("contains", ["H", "o"], "Hello"),
    "not_contains": ("not_contains", "ELL", "Hello"),
    "not_contains any": ("not_contains", ["x", "y"], "Hello"),
    "regex": ("regex", r"^\w+$", "Hello"),
    "json_schema": ("json_schema", {"type": "object", "required": ["a"]}, '{"a": 1}'),
    "min_length": ("min_length", 5, "Hello"),
    "max_length": ("max_length", 5, "Hello"),
    "max_length, empty": ("max_length", 0, ""),
    "lengths are in code points": ("max_length", 1, "😀"),
}

FAILING = {
    "exact": (
        "exact",
        "Hello\n",
        "Hello",
        'expected exactly "Hello\\n"; the output (5 characters) is "Hello"; they differ from character 6 on',
    ),
    "exact, late": (
        "exact",
        "a" * 2000 + "b",
        "a" * 2000 + "c",
        f'expected exactly "{"a" * 79}…"; the output (2,001 characters) is "{"a" * 79}…"; '
        "they differ from character 2,001 on",
    ),
    "contains": (
        "contains",
        ["H", "refund", "x"],
        "Hello",
        'expected to find "refund", "x"; the output (5 characters) is "Hello"',
    ),
    "not_contains": (
        "not_contains",
        ["x", "H"],
        "H",
        'expected not to find "H"; the output (1 character) is "H"',
    ),
    "regex": ("regex", "^a$", "", "expected a match of /^a$/; the output is empty"),
    "min_length": (
        "min_length",
        1000,
        "Hello",
        'expected at least 1,000 characters; the output (5 characters) is "Hello"',
    ),
    "min_length, empty": ("min_length", 1, "", "expected at least 1 character; the output is empty"),
    "max_length": (
        "max_length",
        3,
        "a\tbc",
        'expected at most 3 characters; the output (4 characters) is "a\\tbc"',
    ),
}

LIMITS = {
    "latency within": ("max_latency_ms", 1000, None),
    "latency over": ("max_latency_ms", 999.5, "expected at most 999.5 ms; it took 1,000 ms"),
    "cost within": ("max_cost_usd", 0.01, None),
    "cost over": ("max_cost_usd", 0.005, "expected at most 0.005 USD; it cost 0.01 USD"),
}

REFUSED: dict[str, tuple[str, Any, str]] = {
    "exact number": ("exact", 42, "found 42, expected a text; put it in quotes"),
    "contains nothing": (
        "contains",
        "",
        "found an empty text, expected a text, or a list of texts, none of them empty",
    ),
    "contains no text": (
        "contains",
        [],
        "found a list, expected a text, or a list of texts, none of them empty",
    ),
    "contains a number": (
        "not_contains",
        ["a", 1],
        "found a list, expected a text, or a list of texts, none of them empty",
    ),
    "regex list": ("regex", ["a"], "found a list, expected a JavaScript regular expression, as text"),
    "regex empty": ("regex", "", "found an empty text, expected a JavaScript regular expression, as text"),
    "regex wrong": ("regex", "(", "is not a JavaScript regular expression: expecting ')'"),
    "schema text": ("json_schema", "reply.json", "is not a JSON Schema"),
    "min_length nothing": ("min_length", 0, "found 0, expected a whole number from 1"),
    "max_length negative": ("max_length", -1, "found -1, expected a whole number from 0"),
    "max_length fraction": ("max_length", 1.5, "found 1.5, expected a whole number from 0"),
    "max_length boolean": ("max_length", True, "found true, expected a whole number from 0"),
    "latency text": ("max_latency_ms", "1s", "found '1s', expected a number of milliseconds, not negative"),
    "latency infinite": (
        "max_latency_ms",
        float("inf"),
        "found inf, expected a number of milliseconds, not negative",
    ),
    "cost negative": ("max_cost_usd", -0.1, "found -0.1, expected a number of USD, not negative"),
}


def context(output: str) -> CheckContext:
    """An output that took a second and cost a cent."""
    return CheckContext(output=output, input={}, latency_ms=1000.0, cost_usd=Decimal("0.01"))


@pytest.mark.parametrize(("strategy", "value", "output"), PASSING.values(), ids=PASSING)
def test_an_output_that_fits_passes(strategy: Strategy, value: Any, output: str) -> None:
    """An assertion that holds has nothing to say."""
    assert build_strategy(strategy, value)(context(output)) is None


@pytest.mark.parametrize(("strategy", "value", "output", "sentence"), FAILING.values(), ids=FAILING)
def test_an_output_that_does_not_fit_is_described(
    strategy: Strategy, value: Any, output: str, sentence: str
) -> None:
    """A failure says what was expected and what was found."""
    assert build_strategy(strategy, value)(context(output)) == sentence


@pytest.mark.parametrize(("strategy", "value", "sentence"), LIMITS.values(), ids=LIMITS)
def test_latency_and_cost_are_limited(strategy: Strategy, value: Any, sentence: str | None) -> None:
    """What was recorded is compared with the limit, which is allowed itself."""
    assert build_strategy(strategy, value)(context("")) == sentence


@pytest.mark.parametrize(("strategy", "what"), [("max_latency_ms", "latency"), ("max_cost_usd", "cost")])
def test_what_was_not_recorded_is_no_pass(strategy: Strategy, what: str) -> None:
    """A limit on what nobody recorded cannot be checked."""
    check = build_strategy(strategy, 10)
    with pytest.raises(RunError) as caught:
        check(CheckContext(output="Hello", input={}))
    assert str(caught.value) == f"no {what} was recorded for this output"


@pytest.mark.parametrize(("strategy", "value", "message"), REFUSED.values(), ids=REFUSED)
def test_a_value_that_cannot_work_is_refused(strategy: Strategy, value: Any, message: str) -> None:
    """A value that would never fail, or never pass, or has the wrong type is found when it is read."""
    with pytest.raises(ConfigError) as caught:
        build_strategy(strategy, value)
    (problem,) = caught.value.problems
    assert problem.message == message


@given(st.text(), st.text(min_size=1), st.text())
def test_contains_and_not_contains_are_opposites(before: str, text: str, after: str) -> None:
    """Of one text, exactly one of the two passes, and what is there is found."""
    output = context(before + text + after)
    assert build_strategy(Strategy.CONTAINS, text)(output) is None
    assert build_strategy(Strategy.NOT_CONTAINS, text)(output) is not None
