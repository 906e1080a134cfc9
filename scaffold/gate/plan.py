"""What gating an edit will take: its calls by the formula, and about their tokens and cost."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import repeat
from typing import Any

from judges.core.encode import encode_usage
from judges.core.usage import Usage
from judges.files.evaluation_meta import ModelSpec
from judges.files.gated import GatedBlock, Registry
from judges.files.grid import load_grid
from judges.files.grid_meta import Measure
from judges.files.grid_suite import GridArm, GridSuite
from judges.files.text import display_path
from judges.out.gate_text import encode_power
from judges.providers.base import Message, Request
from judges.providers.connect import parse_model, price_list
from judges.reduce.gate_power import Power, find_power
from scaffold.projection.arms import find_arm

CURRENT, CANDIDATE, NULL_CONTROL = "current", "candidate", "null-control"
"""The arms of a gate: the block as it is, as the edit has it, and as it is once more."""
TARGET_TASKS = 1
"""How many tasks an edit is to make pass."""
ASSUMED_RATE = 0.9
"""How much the current text is taken to have right while nothing is measured."""

NOTES = {
    Measure.LABEL: "an estimate: nothing was sent",
    Measure.SCORE: "an estimate: nothing was sent; each output is also judged, which is not counted here",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class GatePlan:
    """A gated block, and the grid that measures it: `arm` is the one that is projected from the block."""

    registry: Registry
    block: GatedBlock
    grid: GridSuite
    arm: GridArm
    repeat: int
    null_control: bool = False

    @property
    def arms(self) -> tuple[str, ...]:
        """The prompts that are measured; other arms of the grid are not."""
        return (CURRENT, CANDIDATE, *((NULL_CONTROL,) if self.null_control else ()))

    @property
    def calls(self) -> int:
        """How often a model is called."""
        tasks = len(self.grid.tasks) + TARGET_TASKS
        return len(self.arms) * len(self.grid.models) * tasks * self.repeat

    def power(self, tasks: int, current_rate: float) -> Power:
        """Return what a corpus of so many tasks can tell, where this share is right with the current text."""
        samples = len(self.grid.models) * self.repeat
        return find_power(tasks=tasks, samples=samples, current_rate=current_rate)


def plan_gate(
    registry: Registry, target: str, *, repeat: int | None = None, null_control: bool = False
) -> GatePlan:
    """Return what gating an edit of a target's block takes; without `repeat` as often as its grid says.

    Raises:
        ConfigError: there is no such target, no grid measures it, or the grid is wrong.
    """
    block = registry.block(target)
    found = find_arm(registry, block)
    grid = load_grid(found.grid, root=registry.root)
    arm = next(arm for arm in grid.arms if arm.name == found.name)
    return GatePlan(
        registry=registry,
        block=block,
        grid=grid,
        arm=arm,
        repeat=repeat or grid.repeat,
        null_control=null_control,
    )


def estimate_gate(plan: GatePlan, environ: Mapping[str, str]) -> Usage:
    """Return the calls, and about the tokens and the cost in USD, of measuring all that the plan names.

    Every prompt is taken to be as long as the current one, the new task as long as the longest.

    Raises:
        ConfigError: a model's name or address cannot be used.
    """
    prompts = [plan.arm.render(task.variables) for task in plan.grid.tasks]
    prompts.append(max(prompts, key=len))
    once = Usage()
    for spec in plan.grid.models:
        once = sum((_price(spec, prompt, environ) for prompt in prompts), once)
    return sum(repeat(once, len(plan.arms) * plan.repeat), Usage())


def describe_plan(plan: GatePlan, usage: Usage) -> dict[str, Any]:
    """Return what `gate plan` prints."""
    return {
        "target": plan.block.target,
        "block_id": plan.block.block_id,
        "grid": display_path(plan.grid.path),
        "arms": list(plan.arms),
        "models": len(plan.grid.models),
        "corpus_tasks": len(plan.grid.tasks),
        "target_tasks": TARGET_TASKS,
        "repeat": plan.repeat,
        "estimated_api_calls": plan.calls,
        "formula": f"{len(plan.arms)} ({' + '.join(plan.arms)}) x models x (corpus_tasks + 1) x repeat",
        "usage": encode_usage(usage),
        "power": encode_power(plan.power(len(plan.grid.tasks), ASSUMED_RATE)),
        "note": NOTES[plan.grid.measure],
    }


def _price(spec: ModelSpec, prompt: str, environ: Mapping[str, str]) -> Usage:
    prices = price_list(spec.name, environ=environ, base_url=spec.base_url)
    if prices is None:
        return Usage()
    system = (Message("system", spec.system),) if spec.system else ()
    messages = (*system, Message("user", prompt))
    model = parse_model(spec.name).model
    return prices.estimate(Request(model=model, messages=messages, max_tokens=spec.max_tokens))
