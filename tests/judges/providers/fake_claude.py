"""A `claude` of our own for tests: a script that does what the test wants, and notes how it was run."""

import json
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from judges.providers.claude.client import Client

VERSION = "9.9.9"
_SCRIPT = """#!{python}
import json, os, signal, subprocess, sys, time
if sys.argv[1:] == ["--version"]:
    print("{version} (Claude Code)")
    sys.exit()
body = sys.stdin.buffer.read()
call = [sys.argv[1:], dict(os.environ), os.getcwd(), body.decode("utf-8", "surrogateescape")]
with open({notes!r}, "a") as file:
    file.write(json.dumps(call) + chr(10))
def note(pid):
    with open({pids!r}, "a") as file:
        file.write(str(pid) + chr(10))
note(os.getpid())
def result(text, **more):
    event = {{"type": "result", "subtype": "success", "is_error": False, "stop_reason": "end_turn"}}
    event |= {{"usage": {{"input_tokens": 7, "output_tokens": 3}}, "total_cost_usd": 0.25, "result": text}}
    event |= more
    print(json.dumps([event]))
{script}
"""


@dataclass(frozen=True, slots=True)
class Call:
    """How the fake was run."""

    arguments: list[str]
    environ: Mapping[str, str]
    folder: str
    body: str


@dataclass(frozen=True, slots=True)
class FakeClaude:
    """The fake, and what it noted."""

    client: Client
    folder: Path

    @property
    def calls(self) -> list[Call]:
        """Every run, in order."""
        return [Call(*json.loads(line)) for line in (self.folder / "notes").read_text().splitlines()]

    @property
    def pids(self) -> list[int]:
        """The processes that were noted."""
        file = self.folder / "pids"
        return [int(line) for line in file.read_text().split()] if file.exists() else []


MakeClaude: TypeAlias = Callable[..., FakeClaude]


@pytest.fixture
def fake_claude(tmp_path: Path) -> MakeClaude:
    """Make a client of a script; further variables of its environment go in by name."""

    def make(script: str, **variables: Any) -> FakeClaude:
        folder = tmp_path / "fake"
        folder.mkdir()
        path = folder / "claude"
        names = {name: str(folder / name) for name in ("notes", "pids")}
        path.write_text(_SCRIPT.format(python=sys.executable, version=VERSION, script=script, **names))
        path.chmod(0o755)
        environ = {"PATH": os.environ["PATH"], "ANTHROPIC_API_KEY": "sk-ant-fake", **variables}
        return FakeClaude(Client(path=path, version=VERSION, environ=environ), folder)

    return make
