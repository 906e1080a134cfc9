"""Sessions by a stand-in for the client: flags, folders, streams of any kind, and every way to end."""

import os
import resource
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from fake_claude import VERSION, MakeClaude
from runner_scripts import is_alive, wait_until

from judges.core.errors import ProcessError, RunError
from judges.core.session import Isolation
from judges.providers.claude.client import Client
from judges.providers.claude.session import SessionResult, SessionSpec, run_session, session_arguments
from judges.providers.process.slots import Slots

UUID = "11111111-2222-4333-8444-555555555555"


def run(client: Client, folder: Path, **options: Any) -> SessionResult:
    spec = SessionSpec(**{"body": "Do it", "project": folder, "timeout_seconds": 20.0, **options})
    return run_session(spec, folder, client, slots=Slots(1))


FLAGS: dict[str, tuple[dict[str, Any], str]] = {
    "least": ({}, "--permission-mode default --setting-sources= --strict-mcp-config"),
    "most": (
        {
            "model": "claude-haiku-4-5",
            "permission_mode": "plan",
            "allowed_tools": "Bash Read",
            "append_system_prompt": "Be kind.",
            "max_turns": 3,
        },
        "--permission-mode plan --model claude-haiku-4-5 --allowed-tools Bash_Read "
        "--append-system-prompt Be_kind. --max-turns 3 --setting-sources= --strict-mcp-config",
    ),
    "project": (
        {"isolation": Isolation.PROJECT, "plugin_dirs": (Path("/p/a"), Path("/p/b"))},
        "--permission-mode default --setting-sources=project --plugin-dir /p/a --plugin-dir /p/b",
    ),
    "project with sources": (
        {"isolation": Isolation.PROJECT, "setting_sources": ("project", "local")},
        "--permission-mode default --setting-sources=project,local",
    ),
    "host": ({"isolation": Isolation.HOST}, "--permission-mode default"),
    "host with sources": (
        {"isolation": Isolation.HOST, "setting_sources": ("user",)},
        "--permission-mode default --setting-sources=user",
    ),
}


@pytest.mark.parametrize(("options", "flags"), FLAGS.values(), ids=list(FLAGS))
def test_flags(tmp_path: Path, options: dict[str, Any], flags: str) -> None:
    """What is empty is left out; a list of tools and a text are one argument each."""
    spec = SessionSpec(body="x", project=tmp_path, **options)
    arguments = session_arguments(spec, UUID, tmp_path)
    said = " ".join(argument.replace(" ", "_") for argument in arguments)
    assert said == f"-p --output-format stream-json --verbose {flags} --session-id {UUID}"


@pytest.mark.parametrize("text", ["x" * 100_001, "a\0b"], ids=["long", "a zero byte"])
def test_a_text_that_is_no_argument(tmp_path: Path, text: str) -> None:
    """What no command line can hold is given in a file."""
    arguments = session_arguments(
        SessionSpec(body="x", project=tmp_path, append_system_prompt=text), UUID, tmp_path
    )
    file = arguments[arguments.index("--append-system-prompt-file") + 1]
    assert Path(file).read_text() == text


def test_a_session(fake_claude: MakeClaude, tmp_path: Path) -> None:
    """The body on standard input byte for byte, the streams in files, the facts in the result."""
    fake = fake_claude(
        "print('line'); print('oops', file=sys.stderr); open('made', 'w').close(); sys.exit(3)"
    )
    body = " Grüße\r\n\x00\udcff\n"
    ended = run(fake.client, tmp_path, body=body)
    (call,) = fake.calls
    assert call.body == body
    assert (tmp_path / "stream.jsonl").read_bytes() == b"line\n"
    assert (tmp_path / "stderr.txt").read_bytes() == b"oops\n"
    assert (tmp_path / "workspace" / "made").exists()
    assert (ended.exit, ended.signal, ended.timed_out, ended.interrupted) == (3, None, False, False)
    assert ended.claude_version == VERSION
    assert call.arguments[-1] == ended.uuid
    assert ended.elapsed_ms < 10_000
    assert ended.started.tzinfo is not None


def test_sealed_off(fake_claude: MakeClaude, tmp_path: Path) -> None:
    """Its own home, configuration and temporary directory; of the environment, what it takes to work."""
    given = {
        "HOME": "/home/jane", "LANG": "de_DE.UTF-8", "LC_ALL": "C", "HTTPS_PROXY": "http://proxy:1",
        "ANTHROPIC_BASE_URL": "http://127.0.0.1:9", "CLAUDE_CODE_OAUTH_TOKEN": "token",
        "AWS_SECRET_ACCESS_KEY": "secret", "OPENAI_API_KEY": "secret", "CLAUDECODE": "1", "EDITOR": "vi",
    }  # fmt: skip
    fake = fake_claude("", **given)
    run(fake.client, tmp_path, permission_mode="bypassPermissions")
    (call,) = fake.calls
    environ = dict(call.environ)
    scratch = Path(call.folder).parent
    assert {
        name: environ.pop(name) for name in ("HOME", "CLAUDE_CONFIG_DIR", "TMPDIR", "CLAUDE_CODE_TMPDIR")
    } == {
        "HOME": f"{scratch}/home",
        "CLAUDE_CONFIG_DIR": f"{scratch}/home/.claude",
        "TMPDIR": f"{scratch}/tmp",
        "CLAUDE_CODE_TMPDIR": f"{scratch}/tmp",
    }
    environ.pop("LC_CTYPE", None)  # by the Python of the stand-in
    kept = ("PATH", "LANG", "LC_ALL", "HTTPS_PROXY", "ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY")
    assert environ == {
        **{name: fake.client.environ[name] for name in kept},
        "CLAUDE_CODE_OAUTH_TOKEN": "token",
        "CLAUDE_CODE_MAX_RETRIES": "4",
        "DISABLE_TELEMETRY": "1",
        "DISABLE_ERROR_REPORTING": "1",
        "DISABLE_AUTOUPDATER": "1",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        **({"IS_SANDBOX": "1"} if os.geteuid() == 0 else {}),
    }
    assert not scratch.exists()


def test_on_the_host(fake_claude: MakeClaude, tmp_path: Path) -> None:
    """Everything is the user's own; only that it runs inside another session is not passed on."""
    fake = fake_claude("", HOME="/home/jane", EDITOR="vi", CLAUDECODE="1", CLAUDE_CODE_MAX_RETRIES="7")
    run(fake.client, tmp_path, isolation=Isolation.HOST, permission_mode="bypassPermissions")
    (call,) = fake.calls
    assert call.folder == str(tmp_path)
    assert not {"CLAUDECODE", "IS_SANDBOX", "CLAUDE_CONFIG_DIR"} & set(call.environ)
    wanted = {"HOME": "/home/jane", "EDITOR": "vi", "CLAUDE_CODE_MAX_RETRIES": "7"}
    assert wanted.items() <= call.environ.items()
    assert not (tmp_path / "workspace").exists()


def test_workspaces(fake_claude: MakeClaude, tmp_path: Path) -> None:
    """A copy for each session, with links as links; an earlier workspace gives way."""
    prepared = tmp_path / "prepared"
    (prepared / "sub").mkdir(parents=True)
    (prepared / "sub" / "given").write_text("given")
    (prepared / "link").symlink_to("sub/given")
    (tmp_path / "workspace").mkdir()
    (tmp_path / "workspace" / "old").touch()
    fake = fake_claude(
        "print(sorted(os.listdir('.')), open('link').read()); open('sub/given', 'w').write('changed')"
    )
    for isolation in (Isolation.SEALED, Isolation.HOST):
        run(fake.client, tmp_path, workspace=prepared, isolation=isolation)
        assert (tmp_path / "stream.jsonl").read_text() == "['link', 'sub'] given\n"
        assert sorted(path.name for path in (tmp_path / "workspace").iterdir()) == ["link", "sub"]
        assert (tmp_path / "workspace" / "link").is_symlink()
        assert (tmp_path / "workspace" / "sub" / "given").read_text() == "changed"
    assert (prepared / "sub" / "given").read_text() == "given"


def test_the_settings_of_the_project(fake_claude: MakeClaude, tmp_path: Path) -> None:
    """They are copied into the workspace, whose own go before; other working copies are not."""
    project, prepared = tmp_path / "project", tmp_path / "prepared"
    (project / ".claude" / "worktrees" / "huge").mkdir(parents=True)
    (project / ".claude" / "settings.json").write_text("{}")
    (project / "CLAUDE.md").write_text("project")
    (project / "code.py").touch()
    prepared.mkdir()
    (prepared / "CLAUDE.md").write_text("workspace")
    fake = fake_claude(
        "print(open('CLAUDE.md').read(), sorted(os.listdir('.claude')), os.path.exists('code.py'))"
    )
    run(fake.client, tmp_path, project=project, workspace=prepared, isolation=Isolation.PROJECT)
    assert (tmp_path / "stream.jsonl").read_text() == "workspace ['settings.json'] False\n"


def test_what_cannot_be_copied(fake_claude: MakeClaude, tmp_path: Path) -> None:
    """Pipes, and folders made read-only, are in nobody's way."""
    folder = "os.environ['HOME'] + '/modules'"
    fake = fake_claude(f"os.mkfifo('pipe'); os.makedirs({folder} + '/a'); os.chmod({folder}, 0o500)")
    assert run(fake.client, tmp_path).exit == 0
    assert not Path(fake.calls[0].folder).parent.exists()


ORPHANS = """
for own in (False, True):
    note(subprocess.Popen(['sleep', '60'], start_new_session=own, stdout=subprocess.DEVNULL).pid)
"""
ENDS = {
    "asked to": (ORPHANS + "time.sleep(60)", None, "SIGTERM"),
    "with an exit code of its own": (
        "signal.signal(15, lambda *_: sys.exit(143))\n" + ORPHANS + "time.sleep(60)",
        143,
        None,
    ),
    "forced": ("signal.signal(15, signal.SIG_IGN)\n" + ORPHANS + "time.sleep(60)", None, "SIGKILL"),
}


@pytest.mark.parametrize(("script", "code", "name"), ENDS.values(), ids=list(ENDS))
def test_time_is_up(
    fake_claude: MakeClaude, tmp_path: Path, script: str, code: int | None, name: str | None
) -> None:
    """The client is made to end, and everything that it has started with it."""
    fake = fake_claude("print('begun', flush=True)\n" + script)
    ended = run(fake.client, tmp_path, timeout_seconds=2.0)
    assert (ended.exit, ended.signal, ended.timed_out) == (code, name, True)
    assert (tmp_path / "stream.jsonl").read_text() == "begun\n"
    assert len(fake.pids) == 3
    assert not any(map(is_alive, fake.pids))


def test_a_crash(fake_claude: MakeClaude, tmp_path: Path) -> None:
    """A client that is killed leaves nothing running either; what it has written stays."""
    fake = fake_claude(ORPHANS + "print('{\"type\": \"sys', end='', flush=True)\nos.kill(os.getpid(), 9)")
    ended = run(fake.client, tmp_path)
    assert (ended.exit, ended.signal, ended.timed_out) == (None, "SIGKILL", False)
    assert (tmp_path / "stream.jsonl").read_text() == '{"type": "sys'
    assert not any(map(is_alive, fake.pids))


def test_an_interrupt(fake_claude: MakeClaude, tmp_path: Path) -> None:
    """Ctrl-C in the thread that waits ends the session, and removes its folders."""
    fake = fake_claude(ORPHANS + "time.sleep(60)")
    main = threading.get_ident()

    def interrupt() -> None:
        wait_until(lambda: len(fake.pids) == 3)
        signal.pthread_kill(main, signal.SIGINT)

    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        run(fake.client, tmp_path)
    assert not any(map(is_alive, fake.pids))
    assert not Path(fake.calls[0].folder).parent.exists()


def test_stopped_before_its_turn(fake_claude: MakeClaude, tmp_path: Path) -> None:
    """A session that waits for a slot is not started any more."""
    fake = fake_claude("")
    slots = Slots(1)
    with slots.slot(), pytest.raises(RunError, match="the run was stopped"):
        run_session(
            SessionSpec(body="x", project=tmp_path), tmp_path, fake.client, slots=slots, stopped=lambda: True
        )
    assert fake.pids == []


def test_a_flood(fake_claude: MakeClaude, tmp_path: Path) -> None:
    """200 MB of stream and a line of 50 MB are on disk, and were in no memory."""
    fake = fake_claude("for _ in range(4): sys.stdout.write('x' * 50_000_000 + chr(10))")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert run(fake.client, tmp_path).exit == 0
    assert (tmp_path / "stream.jsonl").stat().st_size == 200_000_004
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000  # kB


def test_bytes_that_are_no_text(fake_claude: MakeClaude, tmp_path: Path) -> None:
    """The stream is kept as it is."""
    fake = fake_claude(r"sys.stdout.buffer.write(b'\xff\x00\r\n{')")
    run(fake.client, tmp_path)
    assert (tmp_path / "stream.jsonl").read_bytes() == b"\xff\x00\r\n{"


def test_not_to_be_started(tmp_path: Path) -> None:
    """A client that has gone meanwhile is an error of the session."""
    client = Client(path=tmp_path / "gone", version="1", environ={})
    with pytest.raises(ProcessError, match="gone cannot be started: No such file or directory"):
        run(client, tmp_path)


def test_no_folder(fake_claude: MakeClaude, tmp_path: Path) -> None:
    """A folder that cannot be written is an error that names the file."""
    with pytest.raises(OSError, match=r"none/stream\.jsonl"):
        run(fake_claude("").client, tmp_path / "none", project=tmp_path)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere only the process group is reached")
def test_its_owner_is_killed(fake_claude: MakeClaude, tmp_path: Path) -> None:
    """When the whole run is killed, its sessions end, and their folders with the settings go."""
    fake = fake_claude(ORPHANS + "time.sleep(60)")
    owner = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import sys; from pathlib import Path\n"
            "from judges.providers.claude.session import *\n"
            "from judges.providers.claude.client import Client\n"
            "folder = Path(sys.argv[1])\n"
            "client = Client(path=folder / 'fake/claude', version='1', environ={})\n"
            "run_session(SessionSpec(body='x', project=folder), folder, client, slots=Slots())",
            str(tmp_path),
        ]
    )
    try:
        wait_until(lambda: len(fake.pids) == 3)
    finally:
        owner.kill()
        owner.wait()
    wait_until(lambda: not any(map(is_alive, fake.pids)))
    wait_until(lambda: not Path(fake.calls[0].folder).parent.exists())


def test_time_counts_from_the_start(fake_claude: MakeClaude, tmp_path: Path) -> None:
    """Waiting for a slot takes nothing of a session's time."""
    fake, slots = fake_claude("time.sleep(0.3)"), Slots(1)
    spec = SessionSpec(body="x", project=tmp_path, timeout_seconds=3)
    with ThreadPoolExecutor(1) as pool:
        with slots.slot():
            running = pool.submit(run_session, spec, tmp_path, fake.client, slots=slots)
            time.sleep(0.5)
            assert fake.pids == []
        ended = running.result()
    assert 300 <= ended.elapsed_ms < 3000
    assert not ended.timed_out
