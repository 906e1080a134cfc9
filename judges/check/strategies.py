"""Deterministic checks that need no code: one function a strategy, from its value to an assertion.

Texts are compared exactly: case, spaces and newlines count. Lengths are in characters (code points).
"""

import math
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from judges.check.context import Assertion, CheckContext
from judges.check.javascript import js_regex
from judges.check.json_schema import matches_schema
from judges.check.wording import characters, describe, quoted
from judges.core.errors import ConfigError, Problem, RunError
from judges.core.row import excerpt
from judges.files.problems import found
from judges.files.prompt_meta import Strategy


def build_strategy(strategy: Strategy, value: Any) -> Assertion:
    """Return the assertion of a strategy with this value.

    Raises:
        ConfigError: the strategy cannot work with the value.
    """
    return _STRATEGIES[strategy](value)


def _exact(value: Any) -> Assertion:
    if not isinstance(value, str):
        raise _unfit(value, "a text; put it in quotes")

    def check(context: CheckContext) -> str | None:
        if context.output == value:
            return None
        place = f"they differ from character {_first_difference(context.output, value):,} on"
        return f"expected exactly {quoted(value)}; {describe(context.output)}; {place}"

    return check


def _contains(value: Any) -> Assertion:
    wanted = _texts(value)

    def check(context: CheckContext) -> str | None:
        missing = [text for text in wanted if text not in context.output]
        return f"expected to find {_list(missing)}; {describe(context.output)}" if missing else None

    return check


def _not_contains(value: Any) -> Assertion:
    unwanted = _texts(value)

    def check(context: CheckContext) -> str | None:
        present = [text for text in unwanted if text in context.output]
        return f"expected not to find {_list(present)}; {describe(context.output)}" if present else None

    return check


def _regex(value: Any) -> Assertion:
    if not isinstance(value, str) or not value:
        raise _unfit(value, "a JavaScript regular expression, as text")
    matches = js_regex(value)
    shown = excerpt(value)

    def check(context: CheckContext) -> str | None:
        return (
            None if matches(context.output) else f"expected a match of /{shown}/; {describe(context.output)}"
        )

    return check


def _min_length(value: Any) -> Assertion:
    least = _whole(value, 1)

    def check(context: CheckContext) -> str | None:
        enough = len(context.output) >= least
        return None if enough else f"expected at least {characters(least)}; {describe(context.output)}"

    return check


def _max_length(value: Any) -> Assertion:
    most = _whole(value, 0)

    def check(context: CheckContext) -> str | None:
        fits = len(context.output) <= most
        return None if fits else f"expected at most {characters(most)}; {describe(context.output)}"

    return check


def _max_latency_ms(value: Any) -> Assertion:
    most = _amount(value, "milliseconds")

    def check(context: CheckContext) -> str | None:
        if context.latency_ms is None:
            raise RunError("no latency was recorded for this output")
        slow = Decimal(str(context.latency_ms)) > most
        return f"expected at most {most:,} ms; it took {math.ceil(context.latency_ms):,} ms" if slow else None

    return check


def _max_cost_usd(value: Any) -> Assertion:
    most = _amount(value, "USD")

    def check(context: CheckContext) -> str | None:
        if context.cost_usd is None:
            raise RunError("no cost was recorded for this output")
        dear = context.cost_usd > most
        return f"expected at most {most:f} USD; it cost {context.cost_usd:f} USD" if dear else None

    return check


_STRATEGIES: Mapping[Strategy, Callable[[Any], Assertion]] = {
    Strategy.EXACT: _exact,
    Strategy.CONTAINS: _contains,
    Strategy.NOT_CONTAINS: _not_contains,
    Strategy.REGEX: _regex,
    Strategy.JSON_SCHEMA: matches_schema,
    Strategy.MIN_LENGTH: _min_length,
    Strategy.MAX_LENGTH: _max_length,
    Strategy.MAX_LATENCY_MS: _max_latency_ms,
    Strategy.MAX_COST_USD: _max_cost_usd,
}


def _texts(value: Any) -> tuple[str, ...]:
    texts = (value,) if isinstance(value, str) else tuple(value) if isinstance(value, list | tuple) else ()
    if not texts or not all(isinstance(text, str) and text for text in texts):
        raise _unfit(value, "a text, or a list of texts, none of them empty")
    return texts


def _whole(value: Any, least: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise _unfit(value, f"a whole number from {least}")
    return value


def _amount(value: Any, unit: str) -> Decimal:
    if not isinstance(value, int | float) or isinstance(value, bool) or not math.isfinite(value) or value < 0:
        raise _unfit(value, f"a number of {unit}, not negative")
    return Decimal(str(value))


def _first_difference(one: str, other: str) -> int:
    """Return the place, from 1, of the first character that differs or is missing."""
    pairs = zip(one, other, strict=False)
    return next((place for place, (a, b) in enumerate(pairs, 1) if a != b), min(len(one), len(other)) + 1)


def _list(texts: list[str]) -> str:
    return ", ".join(quoted(text) for text in texts)


def _unfit(value: Any, expected: str) -> ConfigError:
    return ConfigError([Problem(f"found {found(value)}, expected {expected}")])
