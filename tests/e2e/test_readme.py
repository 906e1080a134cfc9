"""The README tells the truth: its session is a real one, its commands exist, its suite is valid."""

import re
import shlex
import shutil
from pathlib import Path

import click
import pytest
from command_line import Cli

from judges.files.load import load_suite
from scaffold.cli import cli as group

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = sorted(
    {line.split("#")[0].strip("$ ").strip() for line in re.findall(r"^\$ scaffold .*", README, re.MULTILINE)}
)


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


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_exist(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command line parses: the command and its options are there."""
    monkeypatch.chdir(ROOT / "examples/support-reply")
    name, *arguments = shlex.split(command)[1:]
    context = click.Context(group, **group.context_settings)
    found = group.get_command(context, name)
    assert found is not None
    found.make_context(name, arguments, parent=context)


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


def test_links_lead_somewhere() -> None:
    """Every relative link of the README and the docs names a file."""
    for page in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md")):
        links = re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8"))
        assert [link for link in links if not (page.parent / link).exists()] == []
