"""Sessions of the real `claude` client against a server of our own: all that they do, and how they end."""

import json
import os
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from claude_client import ROOT, RealClaude
from claude_scenarios import GOLDEN, MODEL, SCENARIOS, read_events, shape
from claude_stub import ClaudeStub, Variants, api_error, say, tool
from runner_scripts import is_alive, wait_until

from judges.core.session import Isolation
from judges.providers.claude.client import Client
from judges.providers.claude.session import STREAM, SessionResult, SessionSpec, run_session
from judges.providers.process.slots import Slots

pytestmark = pytest.mark.client

# By scenario: the exit code, the subtype of the result, whether it is an error, its text, and the tool calls.
ENDS: dict[str, tuple[int, str, bool, str | None, list[str]]] = {
    "text": (0, "success", False, "STATUS: OK", []),
    "thinking": (0, "success", False, "STATUS: OK", []),
    "tools": (0, "success", False, "The tool said: Grüße\n{work}", ["Write", "Read", "Bash"]),
    "toolerr": (0, "success", False, "It failed.", ["Read", "Bash"]),
    "parallel": (0, "success", False, "All done.", ["Bash", "Bash", "Read"]),
    "subagent": (0, "success", False, "The part is done.", ["Agent", "Bash"]),
    "denied": (0, "success", False, "Denied.", ["Bash", "Write"]),
    "plan": (0, "success", False, "Denied.", ["Bash", "Write"]),
    "max_turns": (1, "error_max_turns", True, None, ["Bash", "Bash"]),
    "api_error": (1, "success", True, "API Error: 529 Overloaded.", []),
    "recovered": (0, "success", False, "STATUS: OK", []),
    "cut": (1, "success", True, "API Error: Connection to the API was lost", []),
}


def result_of(events: list[dict[str, Any]]) -> dict[str, Any]:
    return [event for event in events if event["type"] == "result"][-1]


def blocks(events: list[dict[str, Any]], kind: str) -> Iterator[dict[str, Any]]:
    for event in events:
        match event:
            case {"message": {"content": [*content]}}:
                yield from (block for block in content if block["type"] == kind)


@pytest.mark.parametrize("name", SCENARIOS)
def test_scenarios(claude_stub: ClaudeStub, real_claude: RealClaude, tmp_path: Path, name: str) -> None:
    """Each ends as it should, and its stream has every kind of event and field of the recorded one."""
    client = real_claude(claude_stub(SCENARIOS[name].conversations))
    ended = SCENARIOS[name].run(tmp_path, client)
    events = read_events(tmp_path / STREAM)
    code, subtype, is_error, text, calls = ENDS[name]
    result = result_of(events)
    assert (ended.exit, result["subtype"], result["is_error"]) == (code, subtype, is_error)
    work = next(event["cwd"] for event in events if "cwd" in event)
    assert text is None or result["result"].startswith(text.format(work=work))
    assert [block["name"] for block in blocks(events, "tool_use")] == calls
    assert {event["session_id"] for event in events if "session_id" in event} == {ended.uuid}
    live, recorded = shape(events), shape(read_events(GOLDEN / f"{name}.jsonl"))
    missing = {kind: sorted(fields - live.get(kind, set())) for kind, fields in recorded.items()}
    assert {kind: fields for kind, fields in missing.items() if fields} == {}


def test_the_recorded_version(real_claude: RealClaude, claude_stub: ClaudeStub) -> None:
    """The client is the version that `make client` installs, and that the streams were recorded with."""
    client = real_claude(claude_stub({}))
    streams = sorted(GOLDEN.glob("*.jsonl"))
    assert [path.stem for path in streams] == sorted(SCENARIOS)
    recorded = {event["claude_code_version"] for path in streams for event in read_events(path)[:1]}
    assert recorded == {client.version}
    assert f"CLAUDE_VERSION = {client.version}\n" in (ROOT / "Makefile").read_text()


def run(client: Client, folder: Path, body: str = "Do the task", **options: Any) -> SessionResult:
    spec = SessionSpec(body=body, project=folder, model=MODEL, **{"timeout_seconds": 60, **options})
    return run_session(spec, folder, client, slots=Slots())


def test_what_was_asked(claude_stub: ClaudeStub, real_claude: RealClaude, tmp_path: Path) -> None:
    """The body arrives as it is, with the model and the words after the system prompt, long ones included."""
    body = "  Do the task: Grüße 🎉\r\n\ttab, trailing blanks  \n\n"
    for words in ("You are under test.", "You are under test. " * 8000):
        server = claude_stub({"Do the task": [say("Hello.")]})
        assert run(real_claude(server), tmp_path, body, append_system_prompt=words).exit == 0
        asked = server.requests[0].json
        assert asked["messages"][-1]["content"][-1]["text"] == body
        assert asked["model"] == MODEL
        assert words.strip() in "".join(block["text"] for block in asked["system"])


def test_what_stays(claude_stub: ClaudeStub, real_claude: RealClaude, tmp_path: Path) -> None:
    """The workspace is a copy with what the session made of it; the rest of its folders has gone."""
    prepared = tmp_path / "prepared"
    prepared.mkdir()
    (prepared / "given.txt").write_text("given")
    server = claude_stub(
        {
            "Do the task": [
                say(tool("Bash", command="cat given.txt > made.txt; echo $HOME $TMPDIR")),
                say("Done."),
            ]
        }
    )
    folder = tmp_path / "r1"
    folder.mkdir()
    run(real_claude(server), folder, workspace=prepared, permission_mode="bypassPermissions")
    assert sorted(path.name for path in folder.iterdir()) == ["stderr.txt", "stream.jsonl", "workspace"]
    assert (folder / "workspace" / "made.txt").read_text() == "given"
    assert not (prepared / "made.txt").exists()
    (said,) = blocks(read_events(folder / STREAM), "tool_result")
    home, temporary = said["content"].split()
    assert home != os.environ["HOME"]
    assert not Path(home).parent.exists()
    assert Path(temporary).parent == Path(home).parent


# Every place that the client reads settings or instructions from.
LEAKS = {"home": "HOME-LEAK", "parent": "PARENT-LEAK", "project": "PROJECT-LEAK"}


def leak(folder: Path) -> Path:
    """A home, and a project in a parent folder, each with instructions and a hook that leaves a mark."""
    home, project = Path(os.environ["HOME"]), folder / "parent" / "project"
    for place, name in ((home / ".claude", "home"), (folder / "parent", "parent"), (project, "project")):
        place.mkdir(parents=True, exist_ok=True)
        (place / "CLAUDE.md").write_text(LEAKS[name])
    for place in (home, project):
        (place / ".claude").mkdir(exist_ok=True)
        hook = {"type": "command", "command": f"touch {folder}/hook-of-{place.name}"}
        hooks = {"hooks": {"SessionStart": [{"hooks": [hook]}]}}
        (place / ".claude" / "settings.json").write_text(json.dumps(hooks))
    return project


@pytest.mark.parametrize(
    ("isolation", "seen", "hooks"),
    [
        (Isolation.SEALED, [], []),
        (Isolation.PROJECT, ["project"], ["project"]),
        (Isolation.HOST, ["home", "parent", "project"], ["home", "project"]),
    ],
    ids=["sealed", "project", "host"],
)
def test_isolation(
    claude_stub: ClaudeStub,
    real_claude: RealClaude,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    isolation: Isolation,
    seen: list[str],
    hooks: list[str],
) -> None:
    """A sealed session sees no settings at all, one of the project those alone, one of the host all."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    project = leak(tmp_path)
    server = claude_stub({"Do the task": [say("Hello.")]})
    spec = SessionSpec(body="Do the task", project=project, model=MODEL, isolation=isolation)
    folder = tmp_path / "r1"
    folder.mkdir()
    assert run_session(spec, folder, real_claude(server), slots=Slots()).exit == 0
    asked = json.dumps(server.requests[0].json)
    assert [name for name, text in LEAKS.items() if text in asked] == seen
    assert [name for name in ("home", "project") if (tmp_path / f"hook-of-{name}").exists()] == hooks


LONG = 'python3 -c \'import os, time; open("{file}", "a").write(str(os.getpid()) + chr(10)); time.sleep(60)\''


def long_task(claude_stub: ClaudeStub, real_claude: RealClaude, file: Path) -> Client:
    """A session whose Bash tool runs for a minute, with a child in a session of its own."""
    command = LONG.format(file=file)
    background = f"setsid nohup {command} >/dev/null 2>&1 & {command}"
    server = claude_stub({"Do the task": [say(tool("Bash", command=background)), say("Done.")]})
    return real_claude(server)


def test_time_is_up(claude_stub: ClaudeStub, real_claude: RealClaude, tmp_path: Path) -> None:
    """The session ends with everything that its tools have started."""
    client = long_task(claude_stub, real_claude, tmp_path / "pids")
    began = time.monotonic()
    ended = run(client, tmp_path, timeout_seconds=6, permission_mode="bypassPermissions")
    assert (ended.timed_out, ended.interrupted) == (True, False)
    assert 6000 <= ended.elapsed_ms < 9000
    assert time.monotonic() - began < 15
    pids = [int(line) for line in (tmp_path / "pids").read_text().split()]
    assert len(pids) == 2
    assert not any(map(is_alive, pids))
    assert all(event["type"] != "result" for event in read_events(tmp_path / STREAM))


def test_interrupted(claude_stub: ClaudeStub, real_claude: RealClaude, tmp_path: Path) -> None:
    """A session that is stopped leaves nothing running either, and says that it was stopped."""
    client = long_task(claude_stub, real_claude, tmp_path / "pids")
    stop = threading.Event()
    spec = SessionSpec(body="Do the task", project=tmp_path, model=MODEL, permission_mode="bypassPermissions")
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(run_session, spec, tmp_path, client, slots=Slots(), stopped=stop.is_set)
        file = tmp_path / "pids"
        wait_until(lambda: file.exists() and file.read_text().count("\n") == 2, seconds=20)
        stop.set()
        ended = running.result()
    assert (ended.timed_out, ended.interrupted) == (False, True)
    assert not any(is_alive(int(line)) for line in file.read_text().split())


def test_an_api_that_hangs(claude_stub: ClaudeStub, real_claude: RealClaude, tmp_path: Path) -> None:
    """An answer that never comes is a session that timed out."""
    client = real_claude(claude_stub({"Do the task": [say("Late.", delay=60)]}))
    ended = run(client, tmp_path, timeout_seconds=4)
    assert (ended.timed_out, ended.exit) == (True, 143)


@pytest.mark.parametrize(
    ("status", "kind", "error"),
    [
        (400, "invalid_request_error", "unknown"),
        (500, "api_error", "server_error"),
        (429, "rate_limit_error", "rate_limit"),
    ],
)
def test_errors_of_the_api(
    claude_stub: ClaudeStub, real_claude: RealClaude, tmp_path: Path, status: int, kind: str, error: str
) -> None:
    """They are in the stream as the client's own words, and in its result; the exit code is 1."""
    client = real_claude(claude_stub({"Do the task": [api_error(status, kind)]}), CLAUDE_CODE_MAX_RETRIES="0")
    assert run(client, tmp_path).exit == 1
    events = read_events(tmp_path / STREAM)
    assert (result_of(events)["is_error"], result_of(events)["api_error_status"]) == (True, status)
    (said,) = (event for event in events if event["type"] == "assistant")
    assert (said["message"]["model"], said["error"]) == ("<synthetic>", error)


def test_flaky_replicas(claude_stub: ClaudeStub, real_claude: RealClaude, tmp_path: Path) -> None:
    """Replicas run side by side, each in folders of its own, and may differ: two of three say OK."""
    variants = Variants([say("STATUS: OK")], [say("STATUS: FAIL")], [say("STATUS: OK")])
    client = real_claude(claude_stub({"Do the task": variants}))
    folders = [tmp_path / f"r{number}" for number in (1, 2, 3)]
    for folder in folders:
        folder.mkdir()
    slots = Slots(2)
    spec = SessionSpec(body="Do the task", project=tmp_path, model=MODEL)
    with ThreadPoolExecutor(3) as pool:
        ended = list(pool.map(lambda folder: run_session(spec, folder, client, slots=slots), folders))
    assert len({each.uuid for each in ended}) == 3
    said = sorted(result_of(read_events(folder / STREAM))["result"] for folder in folders)
    assert said == ["STATUS: FAIL", "STATUS: OK", "STATUS: OK"]
