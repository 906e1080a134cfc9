"""Arms of grids that are sessions of the claude client: commands and subagents on the tasks of a prompt."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import pytest
from claude_client import RealClaude
from claude_stub import Script, say, tool
from command_line import Cli
from gated_project import write
from grid_project import FOLDER, by_rules, run
from labelling import Models
from loopback import Loopback, anthropic_text
from test_interrupted import newest_run, wait_for

from judges.providers.claude.client import VARIABLE

GRID = """\
name: triage
arms:
  baseline: {prompt: prompts/baseline.txt, control: true}
  command: {fixture: session.fixture.md}
models: ["anthropic:claude-haiku-4-5"]
tasks: tasks.jsonl
labels: [P1, P2, P3]
repeat: 2
"""
FIXTURE = """\
---
name: triage-session
permission_mode: bypassPermissions
pass_conditions:
  run: {must_succeed: true}
---
# Prompt body

/triage {{input}}
"""
CLIENT = """#!{python}
import json, os, sys, time
if "--version" in sys.argv:
    print("2.1.332 (fake)")
    sys.exit()
body = sys.stdin.read().strip()
with open({calls!r}, "a") as file:
    file.write(json.dumps([os.getpid(), sys.argv[1:], body]) + chr(10))
def say(**event):
    print(json.dumps(event), flush=True)
def end(text, **more):
    say(type="system", subtype="init", session_id="s")
    content = [{{"type": "text", "text": text}}]
    say(type="assistant", message={{"id": "m", "role": "assistant", "content": content}})
    event = {{"type": "result", "subtype": "success", "is_error": False, "stop_reason": "end_turn"}}
    say(**event | {{"total_cost_usd": 0.25, "result": text}} | more)
{script}
"""
RIGHT = """
end("P1" if "works" in body or "leak" in body else "P2" if "slow" in body else "P3")
"""
WAIT = """
if not os.path.exists({go!r}):
    time.sleep(60)
"""


@pytest.fixture
def sessions(triage: Path) -> Path:
    """The grid with a session for its second arm."""
    write(f"{FOLDER}/triage.grid.yaml", GRID)
    write(f"{FOLDER}/session.fixture.md", FIXTURE)
    return triage


@dataclass(frozen=True, slots=True)
class Call:
    """How a session was started."""

    pid: int
    arguments: list[str]
    body: str


Sessions: TypeAlias = Callable[[], list[Call]]
Client: TypeAlias = Callable[[str], Sessions]


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Client:
    """Let this process use a client that is this script; returned is what tells of its sessions."""

    def make(script: str) -> Sessions:
        path, calls = tmp_path / "client", tmp_path / "calls"
        calls.touch()
        path.write_text(CLIENT.format(python=sys.executable, calls=str(calls), script=script))
        path.chmod(0o755)
        monkeypatch.setenv(VARIABLE, str(path))
        return lambda: [Call(*json.loads(line)) for line in calls.read_text().splitlines()]

    return make


@pytest.mark.usefixtures("sessions")
def test_sessions_beside_prompts(cli: Cli, models: Models, client: Client) -> None:
    """The task is put into the fixture's prompt; the session's result is measured like an output."""
    server = models(by_rules)
    started = client(RIGHT)
    code, suite = run(cli, "--live")
    assert (code, suite["verdict"], suite["totals"]["passed"]) == (0, "PASS", 8)
    assert [(rate["arm"], rate["mean"]) for rate in suite["summary"]["rates"]] == [
        ("baseline", 75),
        ("command", 100),
    ]
    assert (len(server.requests), len(started())) == (4 * 2, 4 * 2)
    assert {call.body for call in started()} == {
        "/triage nothing works",
        "/triage it became slow",
        "/triage there is a typo",
        "/triage a key leaked",
    }
    assert {call.arguments[call.arguments.index("--model") + 1] for call in started()} == {"claude-haiku-4-5"}
    folders = sorted(path.parent.name for path in Path(suite["run_dir"]).glob("command-*/r*"))
    assert len(set(folders)) == 4
    assert len(folders) == 8
    assert suite["usage"]["cost_usd"] > 8 * 0.25


@pytest.mark.usefixtures("sessions")
def test_sessions_are_not_run_unless_asked_for(cli: Cli, models: Models) -> None:
    """Without --live their cells are skipped with the reason, and the others are run; no client is needed."""
    server = models(by_rules)
    code, suite = run(cli)
    assert (code, suite["verdict"], len(server.requests)) == (0, "PASS", 8)
    assert (suite["totals"]["passed"], suite["totals"]["skipped"]) == (4, 4)
    skipped = [case for case in suite["cases"] if case["verdict"] == "SKIP"]
    assert {case["ref"].partition("/")[0] for case in skipped} == {"command"}
    assert all("RUN_LLM_BENCH=1" in row["error"] for case in skipped for row in case["rows"])
    assert [rate["arm"] for rate in suite["summary"]["rates"]] == ["baseline"]
    (line,) = [line for line in cli("show").out.splitlines() if line.startswith("SKIP")]
    assert line.split()[1].startswith("command/")
    alone = cli("run", "triage", "--arm", "command")
    assert (alone.code, "RUN_LLM_BENCH=1" in alone.err) == (4, True)


@pytest.mark.parametrize(
    ("script", "said"),
    [
        pytest.param(
            "sys.exit(3)", "the session has no result event; the client exited with 3", id="a crash"
        ),
        pytest.param(
            'end("", subtype="error_during_execution", is_error=True)',
            "error_during_execution",
            id="an error",
        ),
    ],
)
@pytest.mark.usefixtures("sessions")
def test_a_session_that_fails(cli: Cli, models: Models, client: Client, script: str, said: str) -> None:
    """What did not come to its end was not measured: the grid is an error."""
    models(by_rules)
    client(script)
    code, suite = run(cli, "--live", "-k", "command/")
    assert (code, suite["verdict"]) == (3, "ERROR")
    assert all(said in row["error"] for case in suite["cases"] for row in case["rows"])


@pytest.mark.usefixtures("sessions")
def test_a_model_that_no_session_can_run(cli: Cli) -> None:
    """That is found before anything is run."""
    result = cli("run", "triage", "--model", "openai:gpt-4o", "--live")
    assert (
        result.code,
        "a session of the claude client cannot run the model openai:gpt-4o" in result.err,
    ) == (2, True)


def test_ctrl_c_ends_sessions(sessions: Path, cli: Cli, models: Models, client: Client) -> None:
    """No session outlives its run; what was cut off is run again when the run is gone on with."""
    models(by_rules)
    started = client(WAIT.format(go=str(sessions / "go")) + RIGHT)
    command = [
        sys.executable,
        "-m",
        "scaffold",
        "run",
        "triage",
        "--yes",
        "--live",
        "--json",
        "-",
        "--jobs",
        "2",
    ]
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, env={**os.environ}, stdout=pipe, stderr=pipe, text=True)
    wait_for(lambda: len(started()) >= 2)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=20)
    assert process.returncode == 130
    assert not [call for call in started() if Path(f"/proc/{call.pid}").exists()]
    (sessions / "go").touch()
    result = cli("run", "--resume", newest_run(sessions).name, "--json", "-", "--yes")
    assert (result.code, result.report["totals"]["passed"]) == (0, 8)


@pytest.mark.client
@pytest.mark.usefixtures("sessions")
def test_a_command_and_a_prompt_with_the_real_client(
    cli: Cli, loopback: Loopback, real_claude: RealClaude
) -> None:
    """A slash command of the project and a subagent that it starts, with the real client, beside a prompt."""
    write(".claude/commands/triage.md", "Ask the sorter about: $ARGUMENTS")
    write(
        f"{FOLDER}/session.fixture.md",
        FIXTURE.replace("---\n# P", "isolation: project\nsetting_sources: [project]\n---\n# P"),
    )
    agent = tool(
        "Agent",
        description="sort",
        prompt="Sort: a key leaked",
        subagent_type="general-purpose",
        run_in_background=False,
    )
    script = Script(
        {
            "Ask the sorter about: a key leaked": [say(agent), say("The sorter says P1.")],
            "Sort: a key leaked": [say("P1")],
        }
    )
    server = loopback(lambda body: script(body) if "metadata" in body else anthropic_text("P2"))
    real_claude(server)
    code, suite = run(cli, "--live", "--repeat", "1", "-k", "leak")
    assert (code, [(rate["arm"], rate["mean"]) for rate in suite["summary"]["rates"]]) == (
        0,
        [("baseline", 0), ("command", 100)],
    )


def test_an_arm_is_not_run_beside_its_grid(cli: Cli, sessions: Path) -> None:
    """Without names only the grid is run; the fixture is a suite of its own where it is named."""
    planned = cli("run", "--dry-run", "--live").out
    assert "triage: 16 trials" in planned
    assert "triage-session" not in planned
    assert cli("bench", "session", "--dry-run", "--live").out.startswith("triage-session: 1 trial ")


@pytest.mark.parametrize(
    ("place", "name"),
    [(FOLDER, "session"), (".", "session.fixture.md")],
    ids=["a suite of the project", "elsewhere"],
)
def test_there_are_but_arms(cli: Cli, sessions: Path, place: str, name: str) -> None:
    """Who asks for fixtures where all are arms is told so, and how to run one."""
    fixture = sessions / place / "session.fixture.md"
    (sessions / FOLDER / "session.fixture.md").rename(fixture)
    arm = os.path.relpath(fixture, FOLDER)
    write(f"{FOLDER}/triage.grid.yaml", GRID.replace("fixture: session.fixture.md", f"fixture: {arm}"))
    assert (result := cli("bench", "--live")).code == 4
    assert result.err == (
        "Nothing was run: each fixture here is an arm of a grid: scaffold run runs both. "
        f"Alone: scaffold bench {name}.\n"
    )
    assert cli("bench", name, "--dry-run", "--live").code == 0
    fixture.unlink()
    assert "there is no fixture here. Write one with: scaffold add-fixture" in cli("bench", "--live").err


def test_an_arm_that_failed_by_itself(
    cli: Cli, sessions: Path, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """--failed runs what was named in the last run, not what would be found without names."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-fake")
    client("sys.exit(3)")
    assert cli("run", f"{FOLDER}/session.fixture.md", "--live", "-q").code == 3
    assert cli("run", "--failed", "--live", "--dry-run").out.startswith("triage-session: 1 trial ")
    (sessions / FOLDER / "session.fixture.md").unlink()
    gone = cli("run", "--failed", "--live")
    assert (gone.code, f"there is no suite '{sessions / FOLDER}/session.fixture.md'" in gone.err) == (2, True)
