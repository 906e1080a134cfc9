"""What `scaffold doctor` needs to find nothing missing, and what it found."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest
from command_line import Result
from loopback import Loopback, Server, openai_text

SUITE = ".omniscitus/tests/prompts/greeting/prompt-meta.yaml"
KEY = "sk-secret-0123456789"
FIXTURE = """\
---
model: claude-haiku-4-5
pass_conditions:
  views: {result: {must_include: [{pattern: "OK", case_sensitive: true}]}}
---
# Prompt body

Say OK.
"""

Install: TypeAlias = Callable[[str, str], None]


@pytest.fixture
def install(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Install a program that is this shell script; no other program is on PATH."""
    folder = tmp_path_factory.mktemp("bin")
    monkeypatch.setenv("PATH", str(folder))

    def write(name: str, script: str) -> None:
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)

    return write


@pytest.fixture
def seeing_judge(loopback: Loopback, monkeypatch: pytest.MonkeyPatch) -> Server:
    """A judge that sees the greeting, and a key for it."""
    said = {"greeting": {"evidence": ["Good morning"], "reasoning": "It does.", "answer": "YES"}}
    server = loopback(openai_text(json.dumps(said)))
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    return server


def edit(project: Path, old: str, new: str) -> None:
    suite = project / SUITE
    assert old in suite.read_text()
    suite.write_text(suite.read_text().replace(old, new))


def found(result: Result, name: str) -> tuple[str, str, str | None]:
    """Status, text and fix of the only finding of that name; of a judge's question where it was asked."""
    findings = [each for each in result.report["findings"] if each["name"] == name]
    return findings[-1]["status"], findings[-1]["text"], findings[-1]["fix"]


def missing(result: Result) -> list[str]:
    return [each["name"] for each in result.report["findings"] if each["status"] == "missing"]
