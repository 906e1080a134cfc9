"""A project with fixtures, and a program that stands for the client: its prompts say what it does."""

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from loopback import Loopback, Reply, anthropic_text

from judges.providers.claude.client import VARIABLE

Write: TypeAlias = Callable[..., Path]

CONDITIONS = 'result: {must_match: {pattern: "STATUS: OK", case_sensitive: true}}'
TEXT = """\
---
{more}
pass_conditions:
  {conditions}
---
# Prompt body

{body}
"""
SEMANTIC = """\
semantic:
    - {id: ok, view: result, judge_model: "anthropic:claude-haiku-4-5", rubric: Is it OK?}"""


class Notes:
    """What the sessions of a test noted."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def sessions(self) -> list[dict[str, Any]]:
        """The sessions that were begun, in order."""
        files = sorted(
            (each for each in self.folder.iterdir() if each.name.isdigit()), key=lambda each: int(each.name)
        )
        return [json.loads(each.read_text()) for each in files if each.stat().st_size]

    @property
    def children(self) -> list[int]:
        """The processes of what they left running."""
        return [int(each.name.partition("-")[2]) for each in self.folder.glob("child-*")]


@pytest.fixture
def notes(tmp_path_factory: pytest.TempPathFactory) -> Notes:
    """Where sessions note that they were begun."""
    return Notes(tmp_path_factory.mktemp("notes"))


@pytest.fixture
def scripted_claude(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, notes: Notes
) -> Path:
    """Take a program of the tests for the client, with a key."""
    program = tmp_path_factory.mktemp("bin") / "claude"
    script = Path(__file__).with_name("scripted_claude.py")
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -S -E {script} "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv(VARIABLE, str(program))
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-fake")
    monkeypatch.setenv("ANTHROPIC_FAKE_NOTES", str(notes.folder))
    monkeypatch.setenv("COLUMNS", "100")
    return program


@pytest.fixture
def fixtures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Write fixtures into a project that is the working directory."""
    folder = tmp_path / ".omniscitus/tests/fixtures"
    folder.mkdir(parents=True)
    monkeypatch.chdir(tmp_path)

    def write(*body: str, name: str = "demo", conditions: str = CONDITIONS, **more: Any) -> Path:
        path = folder / f"{name}.fixture.md"
        keys = {"model": "claude-haiku-4-5", "timeout_seconds": 20, **more}
        lines = "\n".join(f"{key}: {value}" for key, value in keys.items())
        path.write_text(TEXT.format(more=lines, conditions=conditions, body="\n".join(body)))
        return path

    return write


@pytest.fixture
def anthropic_judge(loopback: Loopback, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Answer the questions of semantic rows, with PASS where the evidence says OK."""

    def answer(body: Any) -> Reply:
        verdict = "PASS" if "STATUS: OK" in json.dumps(body["messages"]) else "FAIL"
        return anthropic_text(json.dumps({"verdict": verdict, "reasoning": f"It is a {verdict}."}))

    server = loopback(answer)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
    return server


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and is not yet buried does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def latest(project: Path) -> Path:
    """The newest run directory."""
    return max(project.glob(".omniscitus/runs/*"), key=os.path.getmtime)
