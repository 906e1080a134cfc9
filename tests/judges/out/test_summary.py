"""Totals, usage and cost in words."""

from decimal import Decimal

import pytest

from judges.core.report import Totals
from judges.core.usage import Usage
from judges.out.summary import join_some, render_cost, render_count, render_totals, render_usage


@pytest.mark.parametrize(
    ("totals", "expected"),
    [
        (Totals(), "0 cases"),
        (Totals(cases=1, passed=1), "1 case: 1 passed"),
        (
            Totals(
                cases=5000,
                passed=4994,
                warned=1,
                failed=2,
                errored=1,
                inconclusive=1,
                skipped=1,
                overridden=3,
            ),
            "5,000 cases: 1 errored, 2 failed, 1 inconclusive, 1 warned, "
            "4,994 passed, 1 skipped, 3 overridden",
        ),
    ],
)
def test_totals_name_what_there_is(totals: Totals, expected: str) -> None:
    """What went wrong is said first, and nothing is said of what there is none of."""
    assert render_totals(totals) == expected


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        (Usage(), "0 calls, 0.00 USD"),
        (
            Usage(calls=1, cached=3, input_tokens=10234, output_tokens=96, cost_usd=Decimal("0.0123")),
            "1 call, 3 from the cache, 10,234 tokens in, 96 out, 0.0123 USD",
        ),
        (
            Usage(calls=2, cost_usd=None),
            "2 calls, cost unknown (a model without a known price)",
        ),
    ],
)
def test_usage_is_one_line(usage: Usage, expected: str) -> None:
    """Calls, tokens and cost, with an unknown cost said to be unknown."""
    assert render_usage(usage) == expected


@pytest.mark.parametrize(
    ("cost", "expected"),
    [
        ("0", "0.00 USD"),
        ("0.00001", "under 0.0001 USD"),
        ("0.0001", "0.0001 USD"),
        ("0.4567", "0.4567 USD"),
        ("1.005", "1.00 USD"),
        ("1234.5", "1,234.50 USD"),
    ],
)
def test_costs_have_the_places_that_matter(cost: str, expected: str) -> None:
    """A small cost is never shown as nothing."""
    assert render_cost(Decimal(cost)) == expected


@pytest.mark.parametrize(("number", "expected"), [(0, "0 cases"), (1, "1 case"), (2000, "2,000 cases")])
def test_counts_agree_with_their_noun(number: int, expected: str) -> None:
    """One case, several cases."""
    assert render_count(number, "case") == expected


@pytest.mark.parametrize(
    ("names", "expected"),
    [([], ""), (["a"], "a"), (["a", "b", "c"], "a, b, c"), (list("abcde"), "a, b, c and 2 more")],
)
def test_long_lists_are_cut(names: list[str], expected: str) -> None:
    """The first few names stand for the rest."""
    assert join_some(names) == expected
