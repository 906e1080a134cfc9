"""How well a judge agrees with people, rating by rating: in the same units, in order, and on average.

Each function takes two equally long lists about the same things in the same order. Where they cannot tell
(nothing was rated, or the ratings do not vary) they return None, never a number that means nothing.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import sqrt
from statistics import fmean


def quadratic_weighted_kappa(first: Sequence[int], second: Sequence[int]) -> float | None:
    """Return the agreement of two raters' levels beyond chance, at most 1; 0 is chance.

    A disagreement counts with the square of its distance, so the number of levels does not matter. None when
    nothing was rated, or both raters gave one and the same level throughout.

    Sources: Cohen, "Weighted kappa: nominal scale agreement with provision for scaled disagreement or partial
    credit" (Psychological Bulletin, 1968); in terms of sums, Fleiss and Cohen, "The equivalence of weighted
    kappa and the intraclass correlation coefficient as measures of reliability" (Educational and
    Psychological Measurement, 1973).

    Raises:
        ValueError: the lists differ in length.
    """
    n = _length(first, second)
    observed = n * sum((a - b) ** 2 for a, b in zip(first, second, strict=True))
    squares = sum(a * a for a in first) + sum(b * b for b in second)
    by_chance = n * squares - 2 * sum(first) * sum(second)
    return 1 - observed / by_chance if by_chance else None


def agreement_within(first: Sequence[int], second: Sequence[int], distance: int) -> float | None:
    """Return the share, 0..1, of the ratings that are at most `distance` apart; None for no ratings.

    Raises:
        ValueError: the lists differ in length.
    """
    if not _length(first, second):
        return None
    return fmean(abs(a - b) <= distance for a, b in zip(first, second, strict=True))


def mean_absolute_error(judge: Sequence[float], people: Sequence[float]) -> float | None:
    """Return the mean distance of the judge from people, in the unit of the ratings; None for no ratings.

    Source: Willmott and Matsuura, "Advantages of the mean absolute error (MAE) over the root mean square
    error (RMSE) in assessing average model performance" (Climate Research, 2005).

    Raises:
        ValueError: the lists differ in length.
    """
    if not _length(judge, people):
        return None
    return fmean(abs(a - b) for a, b in zip(judge, people, strict=True))


def bias(judge: Sequence[float], people: Sequence[float]) -> float | None:
    """Return the mean of judge minus people, in the unit of the ratings; above 0 the judge is too kind.

    None for no ratings.

    Source: Bland and Altman, "Statistical methods for assessing agreement between two methods of clinical
    measurement" (The Lancet, 1986).

    Raises:
        ValueError: the lists differ in length.
    """
    if not _length(judge, people):
        return None
    return fmean(a - b for a, b in zip(judge, people, strict=True))


def kendall_tau_b(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Return the agreement of two orders, -1..1, with ties allowed for; None when either has but one value.

    Source: Kendall, "The treatment of ties in ranking problems" (Biometrika, 1945).

    Raises:
        ValueError: the lists differ in length.
    """
    pairs = _length(first, second) * (len(first) - 1) // 2
    cells = Counter(zip(first, second, strict=True))
    surplus = sum(
        times * other_times * _order(a, other_a) * _order(b, other_b)
        for ((a, b), times), ((other_a, other_b), other_times) in combinations(cells.items(), 2)
    )
    untied = (pairs - _tied_pairs(first)) * (pairs - _tied_pairs(second))
    return surplus / sqrt(untied) if untied else None


def _length(first: Sequence[float], second: Sequence[float]) -> int:
    if len(first) != len(second):
        raise ValueError(f"needs two lists of one length, not {len(first)} and {len(second)}")
    return len(first)


def _order(one: float, other: float) -> int:
    return (one > other) - (one < other)


def _tied_pairs(values: Sequence[float]) -> int:
    return sum(times * (times - 1) // 2 for times in Counter(values).values())
