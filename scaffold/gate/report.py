"""What a gate says: its verdict as JSON, and the reasons in words."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from judges.reduce.gate import TARGET_THRESHOLD, GateVerdict, TaskRates
from judges.reduce.gate_paired import Paired

UNCHANGED = "no gated-block change"
ACCEPTED = "the corpus holds and the target task passes"
OUTSIDE = "the files differ outside the block, too: nothing measures that"


def encode_verdict(verdict: GateVerdict) -> dict[str, Any]:
    """Return the verdict; rates are 0..1."""
    encoded: dict[str, Any] = {
        "accept": verdict.accept,
        "decision": verdict.decision.value,
        "reason": "; ".join(find_reasons(verdict)) or ACCEPTED,
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
        "per_task": [_encode_task(task) for task in verdict.per_task],
    }
    if verdict.paired:
        encoded["paired"] = _encode_paired(verdict.paired)
    if control := verdict.null_control:
        encoded["null_control"] = {"gain": float(control.gain), "spread": float(control.spread)}
    return encoded


def find_reasons(verdict: GateVerdict) -> Iterator[str]:
    """Yield what speaks against the edit, in words; nothing where it is accepted."""
    rates = f"{_show(verdict.candidate_rate)} right after {_show(verdict.current_rate)}"
    if verdict.corpus_regressed is None:
        yield f"whether the corpus regressed cannot be told: {rates}"
    elif verdict.corpus_regressed:
        yield f"the corpus regressed: {rates}"
    if not verdict.target_task_passes:
        yield f"the target task fails: {_show(verdict.target_rate)} right, needs {_show(TARGET_THRESHOLD)}"
    if verdict.corpus_untrustworthy:
        floor = _show(verdict.terms.trust_floor)
        yield f"the current block is no measure: {_show(verdict.current_rate)} right, needs {floor}"
    if (control := verdict.null_control) and control.reached:
        spread = _show(control.spread)
        yield f"the gain of {_show(control.gain)} may be chance: the null control differs by {spread}"


def encode_failure(error: Exception) -> dict[str, Any]:
    """Return what is said where nothing could be decided: never an accept."""
    return {"accept": False, "error": str(error)}


def _encode_task(task: TaskRates) -> dict[str, Any]:
    return {
        "task_id": task.task_id,
        "is_target": task.is_target,
        "current_rate": _encode_rate(task.current_rate),
        "candidate_rate": _encode_rate(task.candidate_rate),
    }


def _encode_paired(paired: Paired) -> dict[str, Any]:
    interval = paired.interval
    return {
        "tasks": paired.tasks,
        "mean": _encode_rate(paired.mean),
        "interval": [interval.low, interval.high] if interval else None,
        "margin": float(paired.margin),
    }


def _encode_rate(rate: Fraction | None) -> float | None:
    return None if rate is None else float(rate)


def _show(rate: Fraction) -> str:
    return f"{float(100 * rate):.3g} %"
