"""The pass rate as people would have it: what a judge that is known to err says, corrected by how it errs.

An output passes or fails by its scores alone, for people and for the judge in the same way: checks of other
kinds are not a matter of agreement.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from statistics import NormalDist

from judges.files.suite import Criterion
from judges.reduce.percent import Scored, weigh
from judges.reduce.statistics import Interval, wilson_interval

LEAST_TPR_AND_TNR = 1.2
"""A judge at chance has 1: the less there is above it, the more the correction enlarges every error."""

_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Share:
    """`count` of `n`."""

    count: int
    n: int

    @property
    def value(self) -> float | None:
        """The share, 0..1; None of nothing."""
        return self.count / self.n if self.n else None

    @property
    def interval(self) -> Interval | None:
        """Wilson's 95 % interval; None of nothing."""
        return wilson_interval(self.count, self.n)


@dataclass(frozen=True, slots=True, kw_only=True)
class PassRate:
    """How many outputs pass: by the judge, and corrected as far as that can be done.

    `judged` is the share of all judged outputs that the judge passes; `tpr` is that of the outputs that
    people pass, and `tnr` the share of the outputs that people fail which the judge fails. `corrected` is
    0..1; without it `why` says what it lacks.
    """

    judged: Share
    tpr: Share
    tnr: Share
    corrected: float | None = None
    interval: Interval | None = None
    why: str | None = None


def correct_pass_rate(judged: Share, both: Sequence[tuple[bool, bool]]) -> PassRate:
    """Return the corrected pass rate. `both` are the verdicts of people and judge on the same outputs.

    It takes what people rated to be a fair sample of what they pass and of what they fail.

    Source: Rogan and Gladen, "Estimating prevalence from the results of a screening test" (American Journal
    of Epidemiology, 1978).
    """
    passed = [judge for people, judge in both if people]
    failed = [not judge for people, judge in both if not people]
    rate = PassRate(judged=judged, tpr=Share(sum(passed), len(passed)), tnr=Share(sum(failed), len(failed)))
    if why := _why_not(rate):
        return replace(rate, why=why)
    tpr, tnr, raw = (share.count / share.n for share in (rate.tpr, rate.tnr, judged))
    corrected = min(1.0, max(0.0, (raw + tnr - 1) / (tpr + tnr - 1)))
    return replace(rate, corrected=corrected, interval=_interval(judged, rate.tpr, rate.tnr))


def passes(criteria: tuple[Criterion, ...], bar: Fraction, percents: Mapping[str, Fraction]) -> bool:
    """Whether percents, 0..100, of all criteria come to a total of at least `bar`, and to all minimums."""
    score = weigh(criteria, {name: Scored(percent=percent) for name, percent in percents.items()})
    enough = score is None or score >= bar
    return enough and all(each.minimum is None or percents[each.name] >= each.minimum for each in criteria)


def _why_not(rate: PassRate) -> str | None:
    if not rate.judged.n:
        return "the judge has scored no output"
    for share, word in ((rate.tpr, "pass"), (rate.tnr, "fail")):
        if not share.n:
            return (
                f"people have rated no output that they {word}, so what the judge makes of those is unknown"
            )
    informed = (rate.tpr.value or 0) + (rate.tnr.value or 0)
    if informed > LEAST_TPR_AND_TNR:
        return None
    return f"TPR + TNR is {informed:.2f}, and it takes more than {LEAST_TPR_AND_TNR}: 1 is chance"


def _interval(judged: Share, tpr: Share, tnr: Share, confidence: float = 0.95) -> Interval | None:
    """Return the interval of a corrected rate, which all three shares make uncertain.

    None where the shares, each pulled towards a half, tell nothing any more.

    Source: Lang and Reiczigel, "Confidence limits for prevalence of disease adjusted for estimated
    sensitivity and specificity" (Preventive Veterinary Medicine, 2014).
    """
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    raw, from_raw = _pull(judged, z * z)
    sensitivity, from_sensitivity = _pull(tpr, 2)
    specificity, from_specificity = _pull(tnr, 2)
    informed = sensitivity + specificity - 1
    if informed < _ROUNDING:
        return None
    rate = (raw + specificity - 1) / informed
    shift = 2 * z * z * (rate * from_sensitivity - (1 - rate) * from_specificity)
    spread = from_raw + rate**2 * from_sensitivity + (1 - rate) ** 2 * from_specificity
    half = z * math.sqrt(spread) / informed
    centre = rate + shift
    return Interval(min(1.0, max(0.0, centre - half)), max(0.0, min(1.0, centre + half)))


def _pull(share: Share, extra: float) -> tuple[float, float]:
    """Return the share with `extra` more, half of which count, and the variance of that."""
    n = share.n + extra
    value = (share.count + extra / 2) / n
    return value, value * (1 - value) / n
