"""How sure a result is: intervals, tests of a difference, and the smallest difference that could be seen.

The unit of every statistic is the case. Replicas of a case depend on each other: they are averaged first, so
that more of them make the value of a case steadier, not the number of cases larger (Miller, "Adding error
bars to evals: a statistical approach to language model evaluations", 2024). Where the data cannot tell (too
few cases, or no spread at all) a function returns None, never a number that means nothing.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from random import Random
from statistics import NormalDist, fmean, stdev
from typing import Literal, TypeAlias

from judges.reduce.student_t import detectable_shift, t_quantile, two_sided_tail

Number: TypeAlias = int | float | Decimal | Fraction
Alternative: TypeAlias = Literal["two-sided", "greater", "less"]

_ROUNDING = 1 + 1e-7


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval, in the unit of what was measured."""

    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanDifference:
    """A mean difference over `n` cases, its interval, and the p-value (0..1) of no difference, if tested."""

    n: int
    mean: float
    interval: Interval
    p_value: float | None = None


def wilson_interval(successes: float, n: float, confidence: float = 0.95) -> Interval | None:
    """Return the score interval, 0..1, of a rate; None for n = 0.

    Parts of a success count as they are, as a tie by half. The interval is then wider than it needs to be:
    no values within 0..1 vary more than plain successes and failures of the same mean. `n` may be the
    effective number of cases.

    Source: Wilson, "Probable inference, the law of succession, and statistical inference" (Journal of the
    American Statistical Association, 1927).

    Raises:
        ValueError: the counts or the confidence are impossible.
    """
    _check_counts(successes, n)
    z = NormalDist().inv_cdf((1 + _share(confidence)) / 2)
    if n == 0:
        return None
    rate = successes / n
    scale = 1 + z * z / n
    centre = (rate + z * z / (2 * n)) / scale
    half = z / scale * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    return Interval(low, 1.0 if successes == n else min(1.0, centre + half))


def binomial_test(successes: int, n: int, rate: float = 0.5, alternative: Alternative = "two-sided") -> float:
    """Return the exact p-value, 0..1, of the successes if the true rate is `rate`; 1 for n = 0.

    Two-sided, all outcomes that are no more likely than the observed one count. With `rate` 0.5 this is the
    sign test, and on the cases that changed between two runs McNemar's exact test.

    Sources: Conover, "Practical Nonparametric Statistics" (3rd edition, 1999), chapter 3; for the two-sided
    count, Sterne, "Some remarks on confidence or fiducial limits" (Biometrika, 1954).

    Raises:
        ValueError: the counts or the rate are impossible.
    """
    _check_counts(successes, n)
    chances = [_chance(count, n, _share(rate)) for count in range(n + 1)]
    match alternative:
        case "greater":
            counted = chances[successes:]
        case "less":
            counted = chances[: successes + 1]
        case "two-sided":
            counted = [chance for chance in chances if chance <= chances[successes] * _ROUNDING]
    return min(1.0, math.fsum(counted))


def case_differences(
    current: Mapping[str, Sequence[Number]], baseline: Mapping[str, Sequence[Number]]
) -> dict[str, float]:
    """Return current minus baseline, by case, for the cases that have values in both.

    The values of a case are its replicas; their means are compared, exactly.
    """
    both = [case for case, values in current.items() if values and baseline.get(case)]
    return {case: float(_exact_mean(current[case]) - _exact_mean(baseline[case])) for case in both}


def paired_t(differences: Sequence[float], confidence: float = 0.95) -> MeanDifference | None:
    """Return the mean difference with its t interval and two-sided p-value.

    None for fewer than two cases, or when all differences are equal.

    Source: Student, "The probable error of a mean" (Biometrika, 1908).

    Raises:
        ValueError: a difference is not finite, or the confidence is impossible.
    """
    n, mean = len(differences), _mean(differences)
    certainty = _share(confidence)
    if mean is None:
        return None
    error = stdev(differences) / math.sqrt(n)
    half = t_quantile((1 + certainty) / 2, n - 1) * error
    p_value = two_sided_tail(mean / error, n - 1)
    return MeanDifference(n=n, mean=mean, interval=Interval(mean - half, mean + half), p_value=p_value)


def bootstrap_mean(
    differences: Sequence[float], *, seed: int, confidence: float = 0.95, resamples: int = 2000
) -> MeanDifference | None:
    """Return the mean difference with its percentile interval over resampled cases; the same for a seed.

    None for fewer than two cases, or when all differences are equal.

    Sources: Efron and Tibshirani, "An Introduction to the Bootstrap" (1993), chapter 13; on resampling cases
    with all their replicas, Field and Welsh, "Bootstrapping clustered data" (Journal of the Royal Statistical
    Society B, 2007).

    Raises:
        ValueError: a difference is not finite, or the confidence or the number of resamples is impossible.
    """
    if resamples < 1:
        raise ValueError(f"needs at least one resample, not {resamples}")
    n, mean = len(differences), _mean(differences)
    outside = (1 - _share(confidence)) / 2
    if mean is None:
        return None
    random = Random(seed)  # noqa: S311  (no secret)
    means = sorted(fmean(random.choices(differences, k=n)) for _ in range(resamples))
    interval = Interval(_quantile(means, outside), _quantile(means, 1 - outside))
    return MeanDifference(n=n, mean=mean, interval=interval)


def smallest_detectable_effect(sd: float, n: int, alpha: float = 0.05, power: float = 0.8) -> float | None:
    """Return the mean difference that a two-sided paired t test of n cases would find with this power.

    `sd` is the standard deviation of the differences; the effect has its unit. None for n < 2 or sd = 0.

    Sources: Bloom, "Minimum detectable effects: a simple way to report the statistical power of experimental
    designs" (Evaluation Review, 1995); the power itself is that of Owen, "The power of Student's t-test"
    (Journal of the American Statistical Association, 1965).

    Raises:
        ValueError: `sd` is negative or not finite, or not 0 < alpha < power < 1.
    """
    if not 0 <= sd < math.inf:
        raise ValueError(f"a standard deviation must be finite and not negative, not {sd}")
    if n < 2 or sd == 0:
        return None
    return detectable_shift(alpha, power, n - 1) * sd / math.sqrt(n)


def _check_counts(successes: float, n: float) -> None:
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} of {n} is impossible")


def _share(value: float) -> float:
    if not 0 < value < 1:
        raise ValueError(f"needs a value between 0 and 1, not {value}")
    return value


def _chance(successes: int, n: int, rate: float) -> float:
    """The binomial probability, by logarithms, since its factors leave the range of a float."""
    log_ways = math.lgamma(n + 1) - math.lgamma(successes + 1) - math.lgamma(n - successes + 1)
    return math.exp(log_ways + successes * math.log(rate) + (n - successes) * math.log1p(-rate))


def _exact_mean(values: Sequence[Number]) -> Fraction:
    return sum((Fraction(value) for value in values), Fraction(0)) / len(values)


def _mean(differences: Sequence[float]) -> float | None:
    """The mean of differences that have a spread; None without one."""
    if not all(map(math.isfinite, differences)):
        raise ValueError("a difference is not a finite number")
    return fmean(differences) if len(differences) > 1 and stdev(differences) > 0 else None


def _quantile(ordered: Sequence[float], share: float) -> float:
    """Interpolated as in Hyndman and Fan, "Sample quantiles in statistical packages" (1996), type 7."""
    below, rest = divmod(share * (len(ordered) - 1), 1)
    low = ordered[int(below)]
    return low + rest * (ordered[min(int(below) + 1, len(ordered) - 1)] - low)
