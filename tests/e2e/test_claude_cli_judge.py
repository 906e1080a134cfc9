"""Suites judged by the real `claude` client, from the command line to the report."""

import json
from pathlib import Path

import pytest
from claude_client import RealClaude
from claude_stub import ClaudeStub, say
from command_line import Cli, levels

JUDGE = "claude-cli:claude-haiku-4-5"


@pytest.mark.client
@pytest.mark.usefixtures("project")
def test_a_suite(cli: Cli, claude_stub: ClaudeStub, real_claude: RealClaude) -> None:
    """A judge like any other: scores, tokens, cost, the cache; what cannot be sent is left out."""
    server = claude_stub({"Hello Ann": [say(json.dumps(levels(3, 2)), tokens=(1000, 200))]})
    real_claude(server)
    first = cli("run", "greeting", "--judge", JUDGE, "--json", "-").report
    assert (first["verdict"], first["suites"][0]["cases"][0]["score"]) == ("PASS", 100)
    spent = {"calls": 1, "cached": 0, "input_tokens": 1000, "output_tokens": 200, "cost_usd": 0.002}
    assert first["usage"] == spent
    records = next(Path(first["suites"][0]["run_dir"]).glob("**/records.jsonl")).read_text()
    assert '"effective":{"schema":null,"temperature":null}' in records
    again = cli("run", "greeting", "--judge", JUDGE, "--json", "-").report
    assert (again["usage"]["calls"], again["usage"]["cached"], len(server.requests)) == (0, 1, 1)


@pytest.mark.client
@pytest.mark.usefixtures("project")
def test_not_logged_in(
    cli: Cli, claude_stub: ClaudeStub, real_claude: RealClaude, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client without any login measures nothing, and says how to log in."""
    real_claude(claude_stub({}))
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    result = cli("run", "greeting", "--judge", JUDGE)
    assert result.code == 3
    assert "not logged in (Not logged in" in " ".join(result.out.split())


@pytest.mark.usefixtures("project")
def test_no_client(cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without the program nothing is run, and the message says how to get it; an estimate needs none."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("SCAFFOLD_CLAUDE", raising=False)
    result = cli("run", "greeting", "--judge", JUDGE)
    assert result.code == 2
    assert "npm install --global @anthropic-ai/claude-code" in result.err
    assert cli("run", "greeting", "--judge", JUDGE, "--dry-run").code == 0
