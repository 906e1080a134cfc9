"""A suite to review: each output begins with the word that a judge goes by."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from command_line import Cli, levels
from loopback import Loopback, Reply, openai_text

FOLDER = Path(".omniscitus/tests/prompts/greeting")
SUITE, OVERRIDES = FOLDER / "prompt-meta.yaml", FOLDER / "overrides/overrides.yaml"
LEVELS = {"kind": (3, 2), "short": (2, 2), "rude": (1, 2), "unsafe": (3, 1)}
JANE = ("--author", "jane@example.com")
FINE = ("--reason", "it is fine", *JANE)
Run: TypeAlias = Callable[..., str]


def judge_by_word(body: Any) -> Reply:
    """A judge that goes by the word that an output begins with; without a judge's question, two models."""
    if "response_format" not in body:
        return openai_text({"gpt-4o-mini": "short", "gpt-4.1": "kind"}[body["model"]])
    output = body["messages"][1]["content"].rpartition('name="output">\n')[2]
    return openai_text(json.dumps(levels(*LEVELS[output.split()[0]])))


def write_outputs(*outputs: str) -> None:
    """Give the suite a case for each output: c0 and so on."""
    head, _, _ = SUITE.read_text().partition("cases:")
    cases = (
        f"  - {{title: c{number}, input: {{name: n{number}}}, output: '{output}'}}\n"
        for number, output in enumerate(outputs)
    )
    SUITE.write_text(f"{head}cases:\n{''.join(cases)}")


@pytest.fixture
def run_outputs(project: Path, cli: Cli, play_openai: Loopback, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a function that runs the suite with these outputs and gives the run's id."""
    play_openai(judge_by_word)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)

    def call(*outputs: str) -> str:
        if outputs:
            write_outputs(*outputs)
        cli("run", "-q")
        return max((project / ".omniscitus/runs").iterdir(), key=lambda path: path.stat().st_mtime_ns).name

    return call
