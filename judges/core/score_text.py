"""Scores in words: rounded for people, and never across the threshold that they are compared with."""

from decimal import Decimal
from functools import lru_cache

_MOST_PLACES = 20


@lru_cache(maxsize=4096)
def render_score(score: Decimal, *thresholds: Decimal) -> str:
    """Return a score, 0..100, with one decimal place at most.

    Where that would put it on the other side of one of its thresholds it gets as many places as it takes:
    69.96 against 70 is `69.96`, not `70`.
    """
    for places in range(1, _MOST_PLACES):
        rounded = round(score, places)
        if all(
            (rounded < each) == (score < each) and (rounded > each) == (score > each) for each in thresholds
        ):
            return render_exact(rounded)
    return render_exact(score)


def render_exact(number: Decimal) -> str:
    """Return a number in full, without an exponent, trailing zeros or the sign of a zero."""
    text = format(number, "zf")
    return text.rstrip("0").rstrip(".") if "." in text else text


def render_scored(score: Decimal, threshold: Decimal, name: str | None = None) -> str:
    """Return the sentence about a score and what it was compared with, with the criterion's name if any.

    `Scored 65 on naturalness (threshold: 70)`
    """
    on = f" on {name}" if name else ""
    return f"Scored {render_score(score, threshold)}{on} (threshold: {render_exact(threshold)})"
