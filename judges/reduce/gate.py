"""Whether an edit may be applied: it must not harm the corpus, and must make its target task pass.

All rates are exact fractions, 0..1, pooled over samples: one for each model and repeat of a task. Samples of
the target task are no part of the corpus.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from judges.core.errors import RunError
from judges.reduce.gate_paired import Paired, compare_paired
from judges.reduce.grid_cells import exact_mean

TARGET_THRESHOLD = Fraction(1, 2)
TRUST_FLOOR = Fraction(1, 2)
"""Below this the current text does so badly that a comparison with it means nothing."""


class Rule(StrEnum):
    """How it is decided whether the corpus has regressed.

    EPSILON: it has where the candidate's rate is below the current one by more than one task's share of the
    corpus. PAIRED: it has where the interval of the difference, paired by task, lies below -margin; where it
    spans -margin, the decision is INCONCLUSIVE.
    """

    EPSILON = "epsilon"
    PAIRED = "paired"


class GateDecision(StrEnum):
    """What becomes of the edit."""

    ACCEPT = "accept"
    REJECT = "reject"
    INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True, slots=True)
class Sample:
    """What one output for a task was worth, 0..1: with labels 1 if it is right, else 0."""

    task_id: str
    value: Fraction


@dataclass(frozen=True, slots=True)
class GateTerms:
    """What decides. `margin` is the loss, 0..1, that the rule PAIRED allows: None is epsilon."""

    rule: Rule = Rule.EPSILON
    trust_floor: Fraction = TRUST_FLOOR
    margin: Fraction | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskRates:
    """One task before and after; None where there is no sample of it."""

    task_id: str
    is_target: bool
    current_rate: Fraction | None
    candidate_rate: Fraction | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NullControl:
    """What the current text gave when it was run once more.

    `spread` is how far its two rates lie apart, and `gain` the candidate's rate less the first of them: both
    over all tasks, the target included.
    """

    gain: Fraction
    spread: Fraction

    @property
    def reached(self) -> bool:
        """Whether the gain may be chance."""
        return self.spread >= self.gain


@dataclass(frozen=True, slots=True, kw_only=True)
class GateVerdict:
    """What was decided, and by which figures. `corpus_regressed` is None where that cannot be told."""

    decision: GateDecision
    terms: GateTerms
    corpus_regressed: bool | None
    target_task_passes: bool
    corpus_untrustworthy: bool
    current_rate: Fraction
    candidate_rate: Fraction
    target_rate: Fraction
    epsilon: Fraction
    per_task: tuple[TaskRates, ...]
    paired: Paired | None = None
    null_control: NullControl | None = None

    @property
    def accept(self) -> bool:
        """Whether the edit may be applied."""
        return self.decision is GateDecision.ACCEPT


def compute_verdict(
    current: Sequence[Sample],
    candidate: Sequence[Sample],
    target: str,
    *,
    terms: GateTerms = GateTerms(),
    null: Sequence[Sample] = (),
) -> GateVerdict:
    """Decide about an edit from the samples of the current text and of the candidate.

    `target` is the id of the target task, which samples of both may be of. `null` are the samples of a null
    control, if there was one: the current text once more.

    Raises:
        RunError: there is no sample of the corpus, or none of the candidate on the target task.
    """
    corpus, changed = _without(current, target), _without(candidate, target)
    current_rate, candidate_rate = _rate(corpus), _rate(changed)
    target_rate = _rate([sample for sample in candidate if sample.task_id == target])
    if current_rate is None or candidate_rate is None:
        raise RunError("there is no sample of the corpus to compare")
    if target_rate is None:
        raise RunError(f"there is no sample of the candidate on the target task '{target}'")
    epsilon = Fraction(1, len({sample.task_id for sample in corpus}))
    paired: Paired | None = None
    regressed: bool | None = candidate_rate < current_rate - epsilon
    if terms.rule is Rule.PAIRED:
        margin = epsilon if terms.margin is None else terms.margin
        paired = compare_paired(_by_task(corpus), _by_task(changed), margin)
        regressed = paired.regressed
    passes, trusted = target_rate >= TARGET_THRESHOLD, current_rate >= terms.trust_floor
    control = _null_control(current, candidate, null)
    return GateVerdict(
        decision=_decide(regressed, passes and trusted and not (control and control.reached)),
        terms=terms,
        corpus_regressed=regressed,
        target_task_passes=passes,
        corpus_untrustworthy=not trusted,
        current_rate=current_rate,
        candidate_rate=candidate_rate,
        target_rate=target_rate,
        epsilon=epsilon,
        per_task=tuple(_compare_tasks(current, candidate, target)),
        paired=paired,
        null_control=control,
    )


def _decide(regressed: bool | None, otherwise_good: bool) -> GateDecision:
    """What is bad whatever the corpus says is a reject, not a reason to measure more."""
    if regressed or not otherwise_good:
        return GateDecision.REJECT
    return GateDecision.INCONCLUSIVE if regressed is None else GateDecision.ACCEPT


def _null_control(
    current: Sequence[Sample], candidate: Sequence[Sample], null: Sequence[Sample]
) -> NullControl | None:
    rates = _rate(current), _rate(candidate), _rate(null)
    before, after, again = rates
    if before is None or after is None or again is None:
        return None
    return NullControl(gain=after - before, spread=abs(again - before))


def _compare_tasks(current: Sequence[Sample], candidate: Sequence[Sample], target: str) -> list[TaskRates]:
    before, after = _by_task(current), _by_task(candidate)
    return [
        TaskRates(
            task_id=task,
            is_target=task == target,
            current_rate=exact_mean(before.get(task, [])),
            candidate_rate=exact_mean(after.get(task, [])),
        )
        for task in dict.fromkeys((*before, *after))
    ]


def _without(samples: Sequence[Sample], target: str) -> list[Sample]:
    return [sample for sample in samples if sample.task_id != target]


def _by_task(samples: Sequence[Sample]) -> dict[str, list[Fraction]]:
    values: dict[str, list[Fraction]] = {}
    for sample in samples:
        values.setdefault(sample.task_id, []).append(sample.value)
    return values


def _rate(samples: Sequence[Sample]) -> Fraction | None:
    return exact_mean([sample.value for sample in samples])
