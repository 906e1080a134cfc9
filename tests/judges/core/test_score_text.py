"""Scores in words."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.core.score_text import render_exact, render_score, render_scored

percents = st.decimals(0, 100, places=12)


@pytest.mark.parametrize(
    ("score", "thresholds", "expected"),
    [
        ("65", ["70"], "65"),
        ("66.66666666666666666666666667", ["70"], "66.7"),
        ("69.96", ["70"], "69.96"),
        ("69.96", ["50", "70"], "69.96"),
        ("69.9999999", ["70"], "69.9999999"),
        ("69.96", [], "70"),
        ("70", ["70"], "70"),
        ("70.04", ["70.04"], "70.04"),
        ("10.01", ["10"], "10.01"),
        ("100", [], "100"),
        ("0", ["0"], "0"),
        ("0.04", [], "0"),
        ("-0.04", [], "0"),
        ("-0.04", ["0"], "-0.04"),
        ("1E+2", ["70"], "100"),
        ("69.99999999999999999999999999", ["70"], "69.99999999999999999999999999"),
    ],
)
def test_scores_are_rounded_on_their_own_side(score: str, thresholds: list[str], expected: str) -> None:
    """One decimal place is enough unless it would contradict the verdict."""
    assert render_score(Decimal(score), *map(Decimal, thresholds)) == expected


@given(percents, percents)
def test_the_text_never_contradicts_the_comparison(score: Decimal, threshold: Decimal) -> None:
    """Whoever reads the number comes to the same decision."""
    shown = Decimal(render_score(score, threshold))
    assert (shown < threshold, shown > threshold) == (score < threshold, score > threshold)


@pytest.mark.parametrize(
    ("number", "expected"),
    [("70", "70"), ("70.50", "70.5"), ("1E+2", "100"), ("0.0", "0"), ("-0.0", "0"), ("-1E+1", "-10")],
)
def test_exact_numbers_are_short(number: str, expected: str) -> None:
    """A threshold is shown as its author would write it."""
    assert render_exact(Decimal(number)) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("naturalness", "Scored 65 on naturalness (threshold: 70)"),
        (None, "Scored 65 (threshold: 70)"),
    ],
)
def test_the_sentence_names_score_and_threshold(name: str | None, expected: str) -> None:
    """A failure reads like the specification says it does."""
    assert render_scored(Decimal(65), Decimal(70), name) == expected
