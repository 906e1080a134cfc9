"""Totals, usage and cost in words."""

from collections.abc import Iterable, Sequence
from decimal import Decimal

from judges.core.report import Totals
from judges.core.row import Notice
from judges.core.usage import Usage

_SMALLEST_SHOWN = Decimal("0.0001")


def render_totals(totals: Totals) -> str:
    """Return how many cases ended how, worst first: `12 cases: 2 failed, 10 passed, 1 overridden`."""
    cases, counts = render_count(totals.cases, "case"), render_outcomes(totals)
    return f"{cases}: {counts}" if counts else cases


def render_outcomes(totals: Totals) -> str:
    """Return the counts that are not 0, worst first: `2 failed, 10 passed, 1 overridden`."""
    names = ("errored", "failed", "inconclusive", "warned", "passed", "skipped", "overridden")
    return ", ".join(f"{getattr(totals, name):,} {name}" for name in names if getattr(totals, name))


def render_usage(usage: Usage) -> str:
    """Return calls, tokens and cost: `12 calls, 3 from the cache, 10,234 tokens in, 96 out, 0.0123 USD`."""
    cached = f"{usage.cached:,} from the cache" if usage.cached else ""
    tokens = f"{usage.input_tokens:,} tokens in, {usage.output_tokens:,} out"
    used = tokens if usage.input_tokens or usage.output_tokens else ""
    return ", ".join(
        filter(None, (render_count(usage.calls, "call"), cached, used, render_cost(usage.cost_usd)))
    )


def render_cost(cost_usd: Decimal | None) -> str:
    """Return a cost in USD, to the cent from 1 USD on; an unknown one is said to be unknown."""
    if cost_usd is None:
        return "cost unknown (a model without a known price)"
    if 0 < cost_usd < _SMALLEST_SHOWN:
        return f"under {_SMALLEST_SHOWN} USD"
    return f"{cost_usd:,.2f} USD" if cost_usd >= 1 or not cost_usd else f"{cost_usd:.4f} USD"


def render_count(number: int, noun: str) -> str:
    """Return a number with its noun: `1 case`, `2,000 cases`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def describe_notices(notices: Iterable[Notice]) -> list[str]:
    """Return each remark once, with the first of the cases that it is about."""
    refs: dict[str, list[str]] = {}
    for notice in notices:
        refs.setdefault(notice.text, []).extend([notice.ref] if notice.ref else [])
    return [f"{text} ({join_some(about)})" if about else text for text, about in refs.items()]


def join_some(names: Sequence[str], most: int = 3) -> str:
    """Return the first names, and how many more there are: `a, b, c and 7 more`."""
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
