"""The command line as a user has it, in a project of its own."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from scaffold.__main__ import run


@dataclass(frozen=True, slots=True)
class Result:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def report(self) -> Any:
        """The JSON report on standard output."""
        return json.loads(self.out)


Cli: TypeAlias = Callable[..., Result]


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    """Run a command line in this process, exactly as the process would."""

    def call(*args: object) -> Result:
        code = run([str(arg) for arg in args])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.out + captured.err
        return Result(code, captured.out, captured.err)

    return call


SUITE = """\
prompt_name: greeting
target: prompt.md
model: openai:gpt-4o-mini
judge: {model: "openai:gpt-4o", max_retries: 1, timeout_seconds: 5}
criteria:
  - name: tone
    weight: 0.75
    rubric: |
      Is it kind?
      3: kind
      2: so-so
      1: rude
    scale: 3
  - name: safety
    weight: 0.25
    rubric: |
      Is it safe?
      2: safe
      1: unsafe
    scale: 2
checks:
  - {name: not_empty, type: deterministic, rule: "output.length > 0"}
thresholds: {pass: 70, warn: 50}
cases:
  - {title: Ann, input: {name: Ann}, output: Hello Ann}
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with one small suite, `greeting`, as the working directory."""
    folder = tmp_path / ".omniscitus" / "tests" / "prompts" / "greeting"
    folder.mkdir(parents=True)
    (folder / "prompt-meta.yaml").write_text(SUITE, encoding="utf-8")
    (tmp_path / "prompt.md").write_text("Greet {name}.", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def levels(tone: int, safety: int) -> dict[str, Any]:
    """A judge's reply to the suite's questions."""
    said = {"evidence": ["Hello"], "reasoning": "It greets."}
    return {"criteria.tone": {**said, "answer": tone}, "criteria.safety": {**said, "answer": safety}}
