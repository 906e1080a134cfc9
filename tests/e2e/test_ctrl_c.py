"""Ctrl-C in every phase of a run: it ends at once, keeps what is finished, and shows no traceback."""

import json
import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

import pytest
from command_line import Cli
from loopback import Loopback, Reply, openai_error, openai_text
from test_interrupted import wait_for
from test_run import GOOD, write_cases

SUITE = ".omniscitus/tests/prompts/greeting/prompt-meta.yaml"
SLOW_CHECK = """
import pathlib, time
pathlib.Path("loading").touch()
time.sleep(60)
def check(output, input, json): return True
"""
Start: TypeAlias = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start(project: Path) -> Iterator[Start]:
    """Start a run as a process of its own, which may have a terminal."""
    write_cases(project, 10)
    processes = []

    def call(*arguments: str, url: str = "", stdin: int = subprocess.DEVNULL) -> "subprocess.Popen[str]":
        pipe = subprocess.PIPE
        environ = {**os.environ, "OPENAI_API_KEY": "sk-test", "OPENAI_BASE_URL": url}
        command = [sys.executable, "-m", "scaffold", "run", "--quiet", *arguments]
        process = subprocess.Popen(command, env=environ, stdin=stdin, stdout=pipe, stderr=pipe, text=True)
        processes.append(process)
        return process

    yield call
    for process in processes:
        process.kill()
        process.communicate()


def interrupt(process: "subprocess.Popen[str]") -> tuple[str, str]:
    """Press Ctrl-C; the process must end soon, whatever it waits for."""
    process.send_signal(signal.SIGINT)
    before = time.monotonic()
    out, err = process.communicate(timeout=30)
    assert time.monotonic() - before < 10
    assert process.returncode == 130
    assert "Traceback" not in err
    return out, err


def test_while_loading(project: Path, start: Start) -> None:
    """Nothing was started yet: nothing is left behind."""
    suite = project / SUITE
    (suite.parent / "slow.py").write_text(SLOW_CHECK)
    suite.write_text(suite.read_text().replace('"output.length > 0"', '"python:slow.py:check"'))
    process = start()
    wait_for((project / "loading").exists)
    assert interrupt(process) == ("", "\nInterrupted.\n")
    assert not (project / ".omniscitus/runs").exists()


@contextmanager
def terminal() -> Iterator[int]:
    """A terminal for the standard input of a process."""
    ours, theirs = pty.openpty()
    yield theirs
    os.close(ours)
    os.close(theirs)


def test_while_it_asks_whether_to_spend(project: Path, start: Start, loopback: Loopback) -> None:
    """Who does not consent has spent nothing."""
    server = loopback(openai_text(GOOD))
    with terminal() as stdin:
        process = start("--judge", "openai:o1-pro", url=server.url, stdin=stdin)
        assert process.stderr is not None
        asked = ""
        while not asked.endswith("Go on? [y/N]: "):
            asked += process.stderr.read(1)
        time.sleep(
            0.3
        )  # input() has a moment between its prompt and its wait in which a signal is left lying
        _, err = interrupt(process)
    assert "USD. Go on?" in asked
    assert err.strip() == "Interrupted."
    assert (server.requests, (project / ".omniscitus/runs").exists()) == ([], False)


@pytest.mark.parametrize(
    ("reply", "requests"),
    [
        pytest.param(Reply(delay=60), 2, id="for an answer"),
        pytest.param(  # the first who is asked to wait may keep the second from asking
            openai_error(429, "later", headers={"Retry-After": "60"}), 1, id="as long as it was asked to"
        ),
        pytest.param(openai_error(500, "down"), 2, id="to try again"),
    ],
)
def test_while_it_waits(start: Start, loopback: Loopback, cli: Cli, reply: Reply, requests: int) -> None:
    """Every wait ends at once; the report says what was not run, and so does the run directory."""
    server = loopback(reply)
    process = start("--http-retries", "20", "--concurrency", "2", "--json", "-", url=server.url)
    wait_for(lambda: len(server.requests) >= requests)
    out, err = interrupt(process)
    report = json.loads(out)
    assert (report["exit_code"], report["totals"]["cases"], err) == (130, 0, "")
    assert report["suites"][0]["notices"][-1]["text"] == "10 of 10 trials were not run"
    shown = cli("show", Path(report["run_dir"]).name)
    assert (shown.code, "10 of 10 trials were not run" in shown.out) == (0, True)
