"""The slash commands that a project is set up with, in the real `claude` client."""

from pathlib import Path

import pytest
from claude_client import RealClaude
from claude_scenarios import MODEL, read_events
from claude_stub import ClaudeStub, say

from judges.core.session import Isolation
from judges.providers.claude.session import STREAM, SessionSpec, run_session
from judges.providers.process.slots import Slots
from scaffold.__main__ import run

pytestmark = pytest.mark.client


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with the commands."""
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    assert run(["init", "--claude-code"]) == 0
    return folder


@pytest.mark.parametrize(
    ("command", "asked"),
    [
        ("test-add:prompt", 'Write a test suite for the prompt "support-reply"'),
        ("test-prompt-harness", 'Write, check or run a fixture: "support-reply"'),
    ],
)
def test_a_command_is_known_and_takes_a_name(
    claude_stub: ClaudeStub, real_claude: RealClaude, project: Path, command: str, asked: str
) -> None:
    """The client lists it under its name, and what reaches the model is its text with the name in it."""
    server = claude_stub({asked.split('"', maxsplit=1)[0]: [say("Which one?")]})
    spec = SessionSpec(
        body=f"/{command} support-reply", project=project, model=MODEL, isolation=Isolation.PROJECT
    )
    folder = project.parent / "r1"
    folder.mkdir()
    assert run_session(spec, folder, real_claude(server), slots=Slots()).exit == 0
    started = read_events(folder / STREAM)[0]
    assert command in started["slash_commands"]
    assert asked in server.requests[0].json["messages"][-1]["content"][-1]["text"]
