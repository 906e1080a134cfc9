"""How likely the epsilon rule is to catch a loss: what a corpus of this size can and cannot tell.

Samples are taken as independent: X right ones of N by the current text, which is right at a known rate, and Y
of N by a candidate that is right less often by the loss. Both vary, and the loss is caught where
Y / N < X / N - epsilon: where X - Y is more than the samples of one task. The chance is exact, a sum over
two binomial distributions. Real samples of a task depend on each other: tasks that are hard for both texts
make less noise than this, a loss that sits in a few tasks makes more.
"""

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

LOSS = 0.1
"""The loss, 0..1, that the power of a corpus is told of."""
LIKELY = 0.8
"""The chance from which on a loss counts as one that would be caught: 4 of 5 times."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Power:
    """What the epsilon rule can tell with so many `tasks`, and so many `samples` of each.

    `current_rate` is the share that the current text has right, `caught` the chance that a
    candidate which loses `LOSS` is rejected, `false_alarm` that one which changes nothing is, `detectable`
    the smallest loss that is caught 4 of 5 times. All are 0..1.
    """

    tasks: int
    samples: int
    current_rate: float
    caught: float
    false_alarm: float
    detectable: float | None


def find_power(*, tasks: int, samples: int, current_rate: float) -> Power:
    """Return what a corpus of this size can tell.

    Raises:
        ValueError: there is no task or no sample, or a rate is not 0..1.
    """

    def chance(loss: float) -> float:
        return chance_to_catch(tasks=tasks, samples=samples, loss=loss, current_rate=current_rate)

    return Power(
        tasks=tasks,
        samples=samples,
        current_rate=current_rate,
        caught=chance(LOSS),
        false_alarm=chance(0.0),
        detectable=detectable_loss(tasks=tasks, samples=samples, current_rate=current_rate),
    )


def chance_to_catch(*, tasks: int, samples: int, loss: float, current_rate: float) -> float:
    """Return the chance, 0..1, that the epsilon rule rejects a candidate that is worse by `loss` (0..1).

    `samples` is how many there are of each task: models times repeats. The candidate's rate is never below 0.
    A loss of 0 gives the chance to reject an edit that changes nothing.

    Raises:
        ValueError: there is no task or no sample, or a rate is not 0..1.
    """
    if tasks < 1 or samples < 1 or not 0 <= loss <= 1 or not 0 <= current_rate <= 1:
        raise ValueError(f"impossible: {tasks} tasks, {samples} samples, loss {loss}, rate {current_rate}")
    n = tasks * samples
    below = list(accumulate(_binomial(n, max(0.0, current_rate - loss)), initial=0.0))
    current = _binomial(n, current_rate)
    return min(1.0, math.fsum(current[right] * below[right - samples] for right in range(samples, n + 1)))


def detectable_loss(*, tasks: int, samples: int, current_rate: float) -> float | None:
    """Return the smallest loss, 0..1 in steps of 0.01, that is caught 4 of 5 times; None if none is."""
    losses = range(1, math.floor(100 * current_rate) + 1)
    found = bisect_left(
        losses,
        LIKELY,
        key=lambda percent: chance_to_catch(
            tasks=tasks, samples=samples, loss=percent / 100, current_rate=current_rate
        ),
    )
    return losses[found] / 100 if found < len(losses) else None


def _binomial(n: int, rate: float) -> Sequence[float]:
    """The chances of 0 to n successes, by logarithms, since their factors leave the range of a float."""
    if rate in (0.0, 1.0):
        return [float(successes == n * rate) for successes in range(n + 1)]
    yes, no, all_ways = math.log(rate), math.log1p(-rate), math.lgamma(n + 1)
    return [
        math.exp(all_ways - math.lgamma(k + 1) - math.lgamma(n - k + 1) + k * yes + (n - k) * no)
        for k in range(n + 1)
    ]
