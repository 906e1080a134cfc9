"""The gate's verdict as JSON values, and why it is so in words; what its corpus can tell at all."""

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

from judges.core.score_text import render_score
from judges.out.summary import render_count
from judges.reduce.gate import TARGET_THRESHOLD, GateVerdict, NullControl, Rule
from judges.reduce.gate_paired import Paired
from judges.reduce.gate_power import LOSS, Power
from judges.reduce.percent import as_decimal


def encode_gate(verdict: GateVerdict) -> dict[str, Any]:
    """Return the verdict as JSON values; rates are 0..1."""
    return {
        "accept": verdict.accept,
        "decision": verdict.decision.value,
        "reason": "; ".join(describe_gate(verdict)),
        "rule": verdict.terms.rule.value,
        "corpus_regressed": verdict.corpus_regressed,
        "target_task_passes": verdict.target_task_passes,
        "corpus_untrustworthy": verdict.corpus_untrustworthy,
        "current_rate": float(verdict.current_rate),
        "candidate_rate": float(verdict.candidate_rate),
        "target_rate": float(verdict.target_rate),
        "epsilon": float(verdict.epsilon),
        "target_threshold": float(TARGET_THRESHOLD),
        "min_trusted_corpus_rate": float(verdict.terms.trust_floor),
        "per_task": [
            {
                "task_id": task.task_id,
                "is_target": task.is_target,
                "current_rate": _number(task.current_rate),
                "candidate_rate": _number(task.candidate_rate),
            }
            for task in verdict.per_task
        ],
        **({"paired": _encode_paired(verdict.paired)} if verdict.paired else {}),
        **({"null_control": _encode_null(verdict.null_control)} if verdict.null_control else {}),
    }


def describe_gate(verdict: GateVerdict) -> Iterator[str]:
    """Yield what speaks against the edit, or else that nothing does."""
    reasons = [*_describe_corpus(verdict)]
    if not verdict.target_task_passes:
        reasons.append(
            f"the target task passes in {_percent(verdict.target_rate, TARGET_THRESHOLD)} % of its samples: "
            f"{_percent(TARGET_THRESHOLD)} % must"
        )
    if verdict.corpus_untrustworthy:
        floor = verdict.terms.trust_floor
        reasons.append(
            f"the current text is right in {_percent(verdict.current_rate, floor)} % of the corpus, below "
            f"{_percent(floor)} %: a comparison with it means nothing"
        )
    control = verdict.null_control
    if control and control.reached:
        reasons.append(
            f"the gain of {_percent(control.gain)} points may be chance: the current text by itself varies "
            f"by {_percent(control.spread)}"
        )
    yield from reasons or ["the corpus has not regressed, and the target task passes"]


def encode_power(power: Power) -> dict[str, Any]:
    """Return what the epsilon rule can tell with a corpus as JSON values; all shares are 0..1."""
    return {
        "rule": Rule.EPSILON.value,
        "tasks": power.tasks,
        "samples_per_task": power.samples,
        "current_rate": power.current_rate,
        "loss": LOSS,
        "caught": round(power.caught, 4),
        "false_alarm": round(power.false_alarm, 4),
        "detectable_loss": power.detectable,
        "words": describe_power(power),
    }


def describe_power(power: Power) -> str:
    """Return the same in a sentence: `with 8 tasks a 10-point loss is caught 29 % of the time, …`."""
    found, rate = power.detectable, Fraction(str(round(power.current_rate, 6)))
    often = (
        f"one of {100 * found:.0f} points is caught 4 of 5 times" if found else "none is caught 4 of 5 times"
    )
    return (
        f"with {render_count(power.tasks, 'task')} a {100 * LOSS:.0f}-point loss is caught "
        f"{100 * power.caught:.0f} % of the time, {often}; an edit that changes nothing is rejected "
        f"{100 * power.false_alarm:.0f} % of the time ({render_count(power.samples, 'independent sample')} a "
        f"task, {_percent(rate)} % of them right with the current text)"
    )


def _describe_corpus(verdict: GateVerdict) -> Iterator[str]:
    if verdict.corpus_regressed is False:
        return
    paired = verdict.paired
    if paired is None:
        lost = verdict.current_rate - verdict.candidate_rate
        yield (
            f"the corpus has regressed by {_percent(lost, verdict.epsilon)} points: "
            f"{_percent(verdict.epsilon)}, one task, are allowed"
        )
        return
    what = (
        "the corpus has regressed" if verdict.corpus_regressed else "whether the corpus has regressed is open"
    )
    allowed = f"a loss of {_percent(paired.margin)} is allowed"
    if paired.interval is None or paired.mean is None:
        yield f"{what}: {render_count(paired.tasks, 'task')} cannot tell"
        return
    low, high = (_percent(Fraction(each)) for each in (paired.interval.low, paired.interval.high))
    yield f"{what}: {_percent(paired.mean)} points (95 % interval {low} to {high}); {allowed}"


def _encode_paired(paired: Paired) -> dict[str, Any]:
    interval = paired.interval
    return {
        "tasks": paired.tasks,
        "mean_difference": _number(paired.mean),
        "interval": [interval.low, interval.high] if interval else None,
        "margin": float(paired.margin),
    }


def _encode_null(control: NullControl) -> dict[str, Any]:
    return {
        "gain": float(control.gain),
        "spread": float(control.spread),
        "spread_reaches_gain": control.reached,
    }


def _number(rate: Fraction | None) -> float | None:
    return None if rate is None else float(rate)


def _percent(share: Fraction, *limits: Fraction) -> str:
    """A share in percent; never rounded to the other side of a limit that it is compared with."""
    hundreds: list[Decimal] = [as_decimal(100 * each) for each in (share, *limits)]
    return render_score(*hundreds)
