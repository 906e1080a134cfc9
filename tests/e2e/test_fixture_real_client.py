"""Fixtures with the real client, against a server of the test's own: from the command line to the grade."""

import json
from pathlib import Path

import pytest
from claude_client import RealClaude
from claude_stub import ClaudeStub, Variants, api_error, say, think, tool
from command_line import Cli
from fixture_project import SEMANTIC, Write

from judges.providers.claude.client import VARIABLE

pytestmark = pytest.mark.client

BODY = "Do the task"
GOOD, BAD = [say("STATUS: OK")], [say("STATUS: BAD")]
EVERY_FAMILY = """\
run: {must_succeed: true, max_duration_ms: 60000, max_parse_errors: 0, max_cost_usd: 1}
  views:
    thinking: {must_include: [{pattern: "Write, then read", case_sensitive: true}]}
    assistant_text: {must_include: [{pattern: "i write", case_sensitive: false}]}
    tool_inputs: {must_include: [{pattern: "note\\\\.txt", case_sensitive: true}]}
    tool_outputs: {must_include: [{pattern: hello, case_sensitive: true}]}
    everything: {must_not_include: [{pattern: traceback, case_sensitive: false}]}
    transcript: {must_include: [{pattern: "\\\\[call 1: Write[^]*\\\\[call 2: Bash", case_sensitive: true}]}
  tool_calls:
    required: [Write]
    forbidden: [WebFetch]
    counts: {Bash: {exact: 1}}
    order: [Write, Bash]
    inputs: [{tool: Bash, must_match: {pattern: "\\"command\\":\\"cat ", case_sensitive: true}}]
  tool_results: {all_succeeded: true, per_tool: {Bash: {must_succeed: true}}}
  result: {must_match: {pattern: "STATUS: OK", case_sensitive: true}}
  files: [{path: note.txt, must_match: {pattern: "^hello", case_sensitive: true}}]
  semantic: [{id: fine, view: result, judge_model: "claude-cli:claude-haiku-4-5", rubric: Is it fine?}]"""


def test_every_family_of_conditions(
    cli: Cli, fixtures: Write, claude_stub: ClaudeStub, real_claude: RealClaude
) -> None:
    """A session with thinking and tools passes every kind of row; its judge is the client, too."""
    turns = [
        say(think("Write, then read."), "I write.", tool("Write", file_path="note.txt", content="hello\n")),
        say(tool("Bash", command="cat note.txt")),
        say("STATUS: OK"),
    ]
    verdict = '{"verdict": "PASS", "reasoning": "It says so."}'
    real_claude(claude_stub({BODY: turns, "STATUS: OK": [say(verdict)]}))
    fixtures(BODY, conditions=EVERY_FAMILY, permission_mode="bypassPermissions")
    report = cli("bench", "--live", "--json", "-", "-q").report
    (case,) = report["suites"][0]["cases"]
    assert [row["id"] for row in case["rows"] if row["verdict"] != "PASS"] == []
    assert (len(case["rows"]), case["verdict"]) == (21, "PASS")
    assert case["rows"][-1]["reasoning"] == "It says so."
    assert report["usage"]["cost_usd"] > 0


def test_without_a_key_the_client_judges(
    cli: Cli,
    fixtures: Write,
    claude_stub: ClaudeStub,
    real_claude: RealClaude,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A bare claude-* model is asked through the client where that is logged in and the API has no key."""
    verdict = '{"verdict": "FAIL", "reasoning": "It says so."}'
    server = claude_stub({BODY: GOOD, "STATUS: OK": [say(verdict)]})
    client = real_claude(server)
    wrapper = tmp_path / "claude"
    wrapper.write_text(f'#!/bin/sh\nANTHROPIC_BASE_URL={server.url} exec {client.path} "$@"\n')
    wrapper.chmod(0o755)
    monkeypatch.setenv(VARIABLE, str(wrapper))
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    monkeypatch.delenv("ANTHROPIC_BASE_URL")
    monkeypatch.setenv("CLAUDE_CODE_OAUTH_TOKEN", "sk-ant-oat01-fake")
    fixtures(BODY, conditions=SEMANTIC.replace("anthropic:", ""))
    report = cli("bench", "--live", "--json", "-", "-q").report
    (case,) = report["suites"][0]["cases"]
    assert [row["verdict"] for row in case["rows"]] == ["PASS", "FAIL"]
    assert case["rows"][1]["actual_excerpt"] == "It says so."


def test_two_of_three(cli: Cli, fixtures: Write, claude_stub: ClaudeStub, real_claude: RealClaude) -> None:
    """A session that is not the same every time passes by its quorum."""
    real_claude(claude_stub({BODY: Variants(GOOD, BAD, GOOD)}))
    fixtures(BODY, runs=3)
    done = cli("bench", "--live", "-q")
    assert (done.code, "PASS  demo, 2 rows of 3 replicas: 2 passed" in done.out) == (0, True)
    (line,) = (line.split() for line in done.out.splitlines() if "result.must_match" in line)
    assert line == ["PASS", "result.must_match", "2/3"]


def test_stop_early(cli: Cli, fixtures: Write, claude_stub: ClaudeStub, real_claude: RealClaude) -> None:
    """Two that fail decide about three: the third is not begun."""
    server = claude_stub({BODY: BAD})
    real_claude(server)
    fixtures(BODY, runs=3)
    done = cli("bench", "--live", "--stop-early", "-q")
    assert (done.code, len(server.requests)) == (1, 2)
    assert "r3 not started: every row was decided without it" in done.out


def test_a_denied_permission(
    cli: Cli, fixtures: Write, claude_stub: ClaudeStub, real_claude: RealClaude
) -> None:
    """What the session may not do fails its rows, and is told with the replica."""
    real_claude(claude_stub({BODY: [say(tool("Bash", command="touch made")), say("STATUS: OK")]}))
    fixtures(BODY, conditions="tool_results: {all_succeeded: true}", allowed_tools="Read")
    assert cli("bench", "--live", "-q").code == 1
    assert "permission denied: Bash\n" in cli("show", "demo").out


def test_an_api_that_fails(
    cli: Cli, fixtures: Write, claude_stub: ClaudeStub, real_claude: RealClaude
) -> None:
    """Nothing is measured by it, and why is told in the words of the client."""
    real_claude(claude_stub({BODY: [api_error(529, "overloaded_error")]}), CLAUDE_CODE_MAX_RETRIES="0")
    fixtures(BODY, conditions="result: {must_not_match: {pattern: BAD, case_sensitive: true}}")
    done = cli("bench", "--live", "--json", "-", "-q")
    (case,) = done.report["suites"][0]["cases"]
    assert done.code == 3
    assert [row["verdict"] for row in case["rows"]] == ["ERROR", "ERROR"]
    assert case["rows"][1]["error"].startswith("the client could not go on: API Error: 529")


def test_one_replica_then_its_grade(
    cli: Cli, fixtures: Write, claude_stub: ClaudeStub, real_claude: RealClaude
) -> None:
    """The older harness's way: run one, grade it."""
    real_claude(claude_stub({BODY: GOOD}))
    fixtures(BODY)
    assert cli("bench-one", "demo", "r1", "--live").code == 0
    assert cli("grade", "r1").code == 0
    meta = json.loads(Path("r1/run.meta.json").read_text())
    assert (meta["exit"], meta["timed_out"], meta["cost_usd"] > 0) == (0, False, True)
