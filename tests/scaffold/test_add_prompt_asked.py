"""What `scaffold add-prompt` asks for on a terminal."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from new_suite import assert_clean, load

pytestmark = pytest.mark.usefixtures("empty")


def _on_a_terminal(arguments: list[str], answers: str) -> tuple[int, str]:
    """Run the command with a terminal for input and output; return its exit code and what it showed."""
    controller, terminal = pty.openpty()
    command = [sys.executable, "-m", "scaffold", "add-prompt", *arguments]
    process = subprocess.Popen(command, stdin=terminal, stdout=terminal, stderr=terminal, close_fds=True)
    os.close(terminal)
    os.write(controller, answers.encode())
    shown = b""
    try:
        while chunk := os.read(controller, 4096):
            shown += chunk
    except OSError:  # how Linux says that the other end is closed
        pass
    os.close(controller)
    return process.wait(timeout=60), shown.decode()


def test_on_a_terminal_it_asks_for_what_is_missing(empty: Path) -> None:
    """A bad answer is asked again, an empty one takes the default, what was given is not asked."""
    (empty / "p.md").write_text("{text}")
    answers = "../no\ndemo\ngone.md\np.md\n\nmy-judge\nclaude-judge\ntone:1 safety:1\n3\n7\n"
    code, shown = _on_a_terminal([], answers)
    assert code == 0, shown
    for question in (
        "Name of the suite:",
        "Prompt to test",
        "[gpt-4.1-mini]:",
        "[gpt-4o]:",
        "Criteria",
        "[10]:",
    ):
        assert question in shown
    assert "Error: the name '../no'" in shown
    assert "Error: the model 'my-judge' names no provider" in shown
    suite = load()
    assert (suite.meta.target, suite.meta.judge.model, len(list(suite.cases))) == ("p.md", "claude-judge", 7)
    assert [each.name for each in suite.criteria] == ["tone", "safety"]


def test_on_a_terminal_nothing_is_asked_with_no_input() -> None:
    """The flag makes a terminal like a pipe."""
    code, shown = _on_a_terminal(["demo", "--no-input"], "")
    assert code == 0, shown
    assert "Prompt to test" not in shown
    assert_clean(load())
