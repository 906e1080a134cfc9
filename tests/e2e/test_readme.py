"""The README tells the truth: its session is a real one, its suite is valid; other tests run its commands."""

import re
import shutil
from pathlib import Path

import pytest
from command_line import Cli

from judges.files.load import load_suite

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_length() -> None:
    """It is read in a few minutes."""
    assert len(README.splitlines()) <= 150


def test_session_is_real(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every line of the table that the README shows is printed by that command."""
    shutil.copytree(ROOT / "examples/support-reply", tmp_path / "example")
    monkeypatch.chdir(tmp_path / "example")
    monkeypatch.setenv("COLUMNS", "100")
    printed = cli("run", "--quiet").out.splitlines()
    session = README.split("$ scaffold run --quiet\n")[1].split("\n\n$ scaffold show")[0]
    shown = [line for line in session.splitlines() if line not in ("", "...")]
    assert len(shown) > 10
    assert [line for line in shown if line not in printed] == []


def test_suite_is_valid(tmp_path: Path) -> None:
    """The suite in short loads as it is, once the files it names are there."""
    (yaml,) = re.findall(r"```yaml\n(.*?)```", README, re.DOTALL)
    (tmp_path / "prompts").mkdir()
    (tmp_path / "prompts/support-reply.md").write_text("{message}")
    (tmp_path / "rubrics").mkdir()
    (tmp_path / "rubrics/safety.md").write_text("Is it safe?\n5: yes\n1: no\n")
    path = tmp_path / "prompt-meta.yaml"
    path.write_text("prompt_name: support-reply\n" + yaml)
    assert [criterion.name for criterion in load_suite(path, root=tmp_path).criteria] == [
        "correctness",
        "safety",
    ]
