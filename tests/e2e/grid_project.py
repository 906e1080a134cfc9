"""A project with a small grid: two arms, two models, four tasks, three labels."""

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import Cli
from gated_project import write

FOLDER = ".omniscitus/tests/grids/triage"
GRID = """\
name: triage
arms:
  baseline: {prompt: prompts/baseline.txt, control: true}
  skill: {prompt: prompts/skill.txt}
models: ../../../models.yaml
tasks: tasks.jsonl
labels: [P1, P2, P3]
repeat: 3
"""
TASKS = [
    {"id": "down", "input": "nothing works", "golden_label": "P1"},
    {"id": "slow", "input": "it became slow", "golden_label": "P2"},
    {"id": "typo", "input": "there is a typo", "golden_label": "P3"},
    {"id": "leak", "input": "a key leaked", "golden_label": "P1"},
]
FILES = {
    ".omniscitus/models.yaml": "- openai:gpt-4o-mini\n- anthropic:claude-haiku-4-5\n",
    f"{FOLDER}/triage.grid.yaml": GRID,
    f"{FOLDER}/prompts/baseline.txt": "P1, P2 or P3?\n{{input}}",
    f"{FOLDER}/prompts/skill.txt": "P1 is an outage or a leak. P1, P2 or P3?\n{{input}}",
    f"{FOLDER}/tasks.jsonl": "".join(f"{json.dumps(task)}\n" for task in TASKS),
}
LABELS = {task["input"]: task["golden_label"] for task in TASKS}
CELLS = 2 * 2 * len(TASKS)


@pytest.fixture
def triage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project as the working directory."""
    monkeypatch.chdir(tmp_path)
    for path, text in FILES.items():
        write(path, text)
    return tmp_path


def by_rules(prompt: str) -> str:
    """Takes a leak for a P2 unless it is told; all else is right."""
    rules, _, task = prompt.rpartition("\n")
    return "P2" if "leak" in task and "leak" not in rules else LABELS[task]


def run(cli: Cli, *arguments: object) -> tuple[int, Any]:
    """Run the grid; return the exit code and the suite's report."""
    result = cli("run", "triage", "--yes", "--json", "-", *arguments)
    return result.code, result.report["suites"][0]
