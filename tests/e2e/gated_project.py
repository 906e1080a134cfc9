"""A project with a gated block, the prompt that is projected from it, and the grid that measures that."""

import json
from pathlib import Path

import pytest

from judges.files.blocks import default_markers

START, END = default_markers("go-routing")
SOURCE = f"# Go\n\n{START}\nA fault is a bug.\n{END}\n\nMore.\n"
GRID = """\
name: Go routing
arms:
  baseline: {prompt: prompts/baseline.txt, control: true}
  skill: {prompt: ../../../prompts/go.txt, projected_from: go-routing}
models: models.yaml
tasks: tasks.jsonl
labels: [bug, feature]
repeat: 3
"""
TASKS = [
    {"id": "crash", "input": "it crashes", "golden_label": "bug"},
    {"id": "dark", "input": "add a dark mode", "golden_label": "feature"},
    {"id": "slow", "input": "it became slow", "golden_label": "bug"},
]
ENTRY = {
    "source_file": "commands/go.md",
    "block_id": "go-routing",
    "target": "go",
    "projected_prompt_path": "prompts/go.txt",
    "template": "prompts/go.tmpl",
}
FOLDER = ".omniscitus/tests/grids"
FILES = {
    ".omniscitus/gated.yaml": f"- {json.dumps(ENTRY)}\n",
    "commands/go.md": SOURCE,
    "prompts/go.tmpl": "{{block}}\n\n{{input}}",
    "prompts/go.txt": "A fault is a bug.\n\n{{input}}",
    f"{FOLDER}/go.grid.yaml": GRID,
    f"{FOLDER}/prompts/baseline.txt": "bug or feature? {{input}}",
    f"{FOLDER}/models.yaml": "- openai:gpt-4o-mini\n- anthropic:claude-haiku-4-5\n",
    f"{FOLDER}/tasks.jsonl": "".join(f"{json.dumps(task)}\n" for task in TASKS),
}


def write(path: str, text: str) -> Path:
    """Write a file below the working directory, byte for byte, and its folders."""
    whole = Path(path)
    whole.parent.mkdir(parents=True, exist_ok=True)
    whole.write_bytes(text.encode("utf-8"))
    return whole


@pytest.fixture
def gated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project as the working directory, with everything current; it is no git repository."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    for path, text in FILES.items():
        write(path, text)
    return tmp_path
