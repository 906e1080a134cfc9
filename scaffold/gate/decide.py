"""From an edit to the decision about it. What measures is passed in; nothing here calls a model."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from judges.core.errors import ConfigError, Problem
from judges.files.grid_suite import Task
from judges.files.problems import raise_any
from judges.files.text import display_path
from judges.out.gate_text import encode_gate, encode_power
from judges.reduce.gate import GateTerms, GateVerdict, Rule, Sample, compute_verdict
from scaffold.gate.edit import Edit, read_edit
from scaffold.gate.keep import append_line, log_rejection
from scaffold.gate.plan import CANDIDATE, CURRENT, NULL_CONTROL, GatePlan
from scaffold.gate.target_task import OPTION, TargetTask, corpus_without, read_target_task
from scaffold.projection.check import check_projections
from scaffold.projection.render import render_projection

UNCHANGED = "no gated-block change"
OUTSIDE = "the files differ outside the block, too: nothing measures that"


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured: the samples of each arm, and `about`: what the verdict is to say of how."""

    samples: Mapping[str, Sequence[Sample]]
    about: Mapping[str, Any] = field(default_factory=dict)


class Measure(Protocol):
    """Gives tasks to all models of the grid, with each of several prompts, as often as planned."""

    def __call__(self, prompts: Mapping[str, str], tasks: Sequence[Task]) -> Measured:
        """Return a sample of each task, model and repeat for each prompt.

        The prompts go by the names of the plan's arms. The null control has the prompt of the current text,
        and must be asked anew.

        Raises:
            RunError: something could not be measured.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class GateRequest:
    """What is to be decided: whether `candidate_file` may take the place of the block's source file.

    `target_task` is JSON or a path, and may be missing where the block does not change. With `append` it
    joins the grid's tasks where the edit is accepted.
    """

    plan: GatePlan
    candidate_file: Path
    target_task: str | None = None
    append: bool = False
    terms: GateTerms = field(default_factory=GateTerms)


def run_gate(request: GateRequest, measure: Measure, now: datetime) -> dict[str, Any]:
    """Decide about an edit, keep what is to be kept, and return what `gate run` prints.

    Everything that can be wrong with files is found before anything is measured. A rejection is logged.

    Raises:
        ConfigError: the committed prompt is stale, or a file or the target task is wrong.
        RunError: something could not be measured.
        OSError: the task or the rejection cannot be written.
    """
    plan = request.plan
    raise_any(check_projections(plan.registry, [plan.block]))
    edit = read_edit(plan.block, request.candidate_file)
    notices = {"notices": [OUTSIDE]} if edit.outside else {}
    if not edit.changes_block:
        return {"accept": True, "reason": UNCHANGED, **notices}
    target = _need_target(request)
    verdict, about = _measure(request, edit, target, measure)
    encoded = {**encode_gate(verdict), **about}
    if not verdict.accept:
        log_rejection(plan.registry.path, _rejection(plan, target, encoded, now))
        return {**encoded, **notices}
    return {**encoded, **(_append(plan, target) if request.append else {}), **notices}


def _need_target(request: GateRequest) -> TargetTask:
    if request.target_task is None:
        message = f"the block changes: {OPTION} must say which task the edit is to make pass"
        hint = 'write JSON such as {"input": "…", "golden_label": "…"}, or a file that holds it'
        raise ConfigError([Problem(message, display_path(request.candidate_file), hint=hint)])
    return read_target_task(request.target_task, request.plan.grid)


def _measure(
    request: GateRequest, edit: Edit, target: TargetTask, measure: Measure
) -> tuple[GateVerdict, Mapping[str, Any]]:
    plan = request.plan
    corpus = corpus_without(plan.grid, target.task)
    texts = {CANDIDATE: edit.candidate}
    prompts = {arm: render_projection(plan.block, texts.get(arm, edit.current)) for arm in plan.arms}
    measured = measure(prompts, (*corpus, target.task))
    verdict = compute_verdict(
        measured.samples[CURRENT],
        measured.samples[CANDIDATE],
        target.task.id,
        terms=request.terms,
        null=measured.samples.get(NULL_CONTROL, ()),
    )
    if request.terms.rule is not Rule.EPSILON:
        return verdict, measured.about
    power = plan.power(len(corpus), float(verdict.current_rate))
    return verdict, {"power": encode_power(power), **measured.about}


def _append(plan: GatePlan, target: TargetTask) -> Mapping[str, str]:
    if any(task.id == target.task.id for task in plan.grid.tasks):
        return {}
    path = plan.grid.path.parent / plan.grid.meta.tasks
    append_line(path, target.value)
    return {"appended_to": display_path(path)}


def _rejection(
    plan: GatePlan, target: TargetTask, verdict: Mapping[str, Any], now: datetime
) -> Mapping[str, Any]:
    return {
        "source_file": plan.block.source_file.relative_to(plan.registry.root).as_posix(),
        "target_task_id": target.task.id,
        "reason": verdict["reason"],
        "verdict": verdict,
        "timestamp": now.isoformat(),
    }
