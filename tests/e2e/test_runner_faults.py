"""Runners that fail: what is told of it, what it spoils, and that nothing of them stays behind."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command_line import Cli
from runner_project import HELLO, SUITE, WriteRunner, alive, cases, errors, run, script


def test_a_crash_spoils_only_what_was_in_flight(cli: Cli, write_runner: WriteRunner) -> None:
    """The trial that was in flight is ERROR with the reason, the others are judged: exit code 3."""
    write_runner(script(f"if name == 'Bob': raise LookupError('no Bob')\n{HELLO}"), names="Ann Bob Cid")
    result = run(cli, "--concurrency", "1")
    assert (result.code, [case["verdict"] for case in cases(result)]) == (3, ["PASS", "ERROR", "PASS"])
    ended = "runner.py ended with exit code 1 before it answered"
    assert errors(result)[1] == f"{ended}. Its standard error says: LookupError: no Bob"


def test_rubbish_is_explained(cli: Cli, write_runner: WriteRunner) -> None:
    """A print for debugging is an error that says where such things belong; no verdict is made of it."""
    write_runner(script(f"print('got', name)\n{HELLO}"))
    result = run(cli)
    assert (result.code, errors(result)) == (
        3,
        [
            "runner.py wrote to its standard output not valid JSON: Expecting value: 'got Ann' "
            "(only answers belong there, everything else to standard error)"
        ],
    )


def test_silence_ends(cli: Cli, write_runner: WriteRunner) -> None:
    """The suite says how long a runner may be silent."""
    write_runner(script("time.sleep(60)"), more="runner_timeout_seconds: 0.5")
    began = time.monotonic()
    result = run(cli)
    assert time.monotonic() - began < 15
    assert (result.code, errors(result)) == (
        3,
        ["runner.py was silent for 0.5 s; runner_timeout_seconds sets how long"],
    )


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        pytest.param(
            "runner.js", "the runner needs node, which is not on PATH (install Node.js", id="no node"
        ),
        pytest.param("runner.ts", "the runner needs npx, which is not on PATH (install Node.js", id="no npx"),
        pytest.param("runner.sh", "the runner may not be executed (chmod +x ", id="not executable"),
    ],
)
def test_what_is_missing(
    cli: Cli,
    project: Path,
    write_runner: WriteRunner,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    sentence: str,
) -> None:
    """A runner that cannot be started stops the run before anything is called: exit code 2."""
    write_runner("", name, mode=0o644)
    empty = project / "empty"
    empty.mkdir()
    monkeypatch.setenv("PATH", str(empty))
    result = cli("run", "greeting")
    assert (result.code, result.out) == (2, "")
    assert sentence in result.err
    assert not (project / ".omniscitus/runs").exists()


def test_no_such_runner(cli: Cli, project: Path, write_runner: WriteRunner) -> None:
    """A runner that does not exist is a mistake of the suite, found by validate too."""
    write_runner(script(HELLO)).unlink()
    for command in ("run", "validate"):
        result = cli(command, "greeting")
        assert result.code == 2
        assert f"runner: {SUITE}/runner.py: does not exist" in result.err


def test_ctrl_c(project: Path, write_runner: WriteRunner) -> None:
    """Ctrl-C ends the runner and what it has started, and keeps what is finished: exit code 130."""
    body = (
        "import subprocess\n"
        "if name == 'Bob':\n"
        "    child = subprocess.Popen(['sleep', '60'])\n"
        "    open('pids', 'a').write(f'{child.pid}\\n')\n"
        "    open('ready', 'w').close()\n"
        "    time.sleep(60)\n"
        f"{HELLO}"
    )
    path = write_runner(script(body), names="Ann Bob Cid")
    command = [sys.executable, "-m", "scaffold", "run", "--quiet", "--concurrency", "1", "--json", "-"]
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True)
    deadline = time.monotonic() + 30
    while not path.with_name("ready").exists():
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert len(alive(project)) == 2
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=15)
    assert (process.returncode, "Traceback" in err) == (130, False)
    assert [case["ref"] for case in json.loads(out)["suites"][0]["cases"]] == ["ann"]
    assert alive(project) == []


def test_given_up(cli: Cli, write_runner: WriteRunner, project: Path) -> None:
    """A runner that cannot work is started three times, not once a case."""
    write_runner(
        "import os\nopen('pids', 'a').write(f'{os.getpid()}\\n')\nimport no_such_module\n",
        names=" ".join("ABCDEFGHIJ"),
    )
    result = run(cli, "--concurrency", "2")
    assert result.code == 3
    assert len((project / SUITE / "pids").read_text().split()) == 3
    assert errors(result)[-1] == (
        "runner.py was given up after 3 starts in a row without an answer: "
        "runner.py ended with exit code 1 before it answered. "
        "Its standard error says: ModuleNotFoundError: No module named 'no_such_module'"
    )
