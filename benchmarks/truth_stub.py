"""A world whose truth is known, and a model in it: how often it is right is written in the prompt.

    python benchmarks/truth_stub.py DATA

The first line of a prompt is `{"change": -0.1, "arm": "candidate", "seed": 7}`, its last one the task. Tasks
are BANKING77's; each has a difficulty of its own, the same for both arms, so that repeats of a task depend on
each other as a real model's do. The candidate is right more or less often by `change`, over all tasks.
It prints its port. What it answers depends on the prompt, and on how often it has had that prompt before.
"""

import asyncio
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from stub import Stub, run

ACCURACY = 0.8
"""How often the current text is right, over all tasks there could be."""
CONCENTRATION = 2.0
"""Of the tasks' difficulties: two repeats of a task correlate by 1 / (1 + this)."""
TARGET = "(target) "
"""Stands before the task that the edit is to make pass: the candidate is nearly always right there."""
TARGET_RATES = {"current": 0.1, "candidate": 0.95}
IN_WORDS, NO_LABEL = 0.1, 0.05
"""The shares of answers that are a sentence, and of wrong ones that hold no label."""


def rate(change: float, arm: str, task: str) -> float:
    """Return how often an arm is right on a task."""
    if task.startswith(TARGET):
        return TARGET_RATES[arm]
    easy = Random(task).betavariate(ACCURACY * CONCENTRATION, (1 - ACCURACY) * CONCENTRATION)
    if arm == "current":
        return easy
    lost, gained = min(change, 0.0), max(change, 0.0)
    return easy * (1 + lost / ACCURACY) + (1 - easy) * gained / (1 - ACCURACY)


def draw(prompt: str, time: int) -> bool:
    """Return whether the answer to a prompt, asked so many times before, is right."""
    head, _, task = prompt.partition("\n")
    about = json.loads(head)
    return Random(f"{time} {prompt}").random() < rate(about["change"], about["arm"], task)


def read_tasks(data: Path) -> list[dict[str, str]]:
    """Return the tasks of the data file that fit in a line, each with its label."""
    with (data / "banking77_test.jsonl").open(encoding="utf-8") as file:
        tasks = [json.loads(line) for line in file]
    return [task for task in tasks if "\n" not in task["text"]]


class Model:
    """Answers prompts with labels."""

    def __init__(self, tasks: Sequence[dict[str, str]]) -> None:
        self._labels = {task["text"]: task["label"] for task in tasks}
        self._all = sorted(set(self._labels.values()))
        self._asked: Counter[str] = Counter()

    def say(self, request: dict[str, Any]) -> str:
        """Return the right label, another one, or none."""
        prompt = request["messages"][-1]["content"]
        time = self._asked[prompt]
        self._asked[prompt] += 1
        right = self._labels[prompt.partition("\n")[2].removeprefix(TARGET)]
        chance = Random(f"how {time} {prompt}")
        if not draw(prompt, time):
            others = [label for label in self._all if label != right]
            right = chance.choice(others) if chance.random() >= NO_LABEL else "none of these"
        return f"I would say: {right}." if chance.random() < IN_WORDS else right


if __name__ == "__main__":
    asyncio.run(run(Stub(0, Model(read_tasks(Path(sys.argv[1]))).say)))
