"""A run that ends early loses nothing: what is finished is kept, and the run can be taken up again."""

import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from command_line import Cli
from loopback import Loopback, Reply, Server
from test_run import judge_by_word, write_cases

CASES = 60
KILLS = 100
CONCURRENCY = 4
Start: TypeAlias = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def server(loopback: Loopback) -> Server:
    def slowly(body: Any) -> Reply:
        time.sleep(0.02)
        return judge_by_word(body)

    return loopback(slowly)


@pytest.fixture
def start(project: Path, server: Server) -> Start:
    """Start the command as a process of its own."""
    write_cases(project, CASES)
    environ = {**os.environ, "OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": "sk-test"}

    def call(*arguments: str) -> "subprocess.Popen[str]":
        command = [sys.executable, "-m", "scaffold", "run", "--yes", "--no-cache", *arguments]
        pipe = subprocess.PIPE
        return subprocess.Popen(command, env=environ, stdout=pipe, stderr=pipe, text=True)

    return call


def finished(project: Path) -> int:
    return sum(
        path.read_bytes().count(b"\n") for path in project.glob(".omniscitus/runs/*/greeting/rows.jsonl")
    )


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def results(text: str) -> Any:
    """What a report says, without where and when."""
    report = json.loads(text)
    (suite,) = report["suites"]
    cases = [
        {key: case[key] for key in ("ref", "verdict", "score", "rows", "output")} for case in suite["cases"]
    ]
    return report["verdict"], report["exit_code"], report["totals"], cases


def test_ctrl_c_keeps_what_is_finished(project: Path, start: Start) -> None:
    """Ctrl-C ends the run with exit code 130; what is finished is in the report, what is not is named."""
    process = start("--concurrency", "2", "--json", "-")
    wait_for(lambda: finished(project) >= 5)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    report = json.loads(out)
    done = report["totals"]["cases"]
    assert process.returncode == report["exit_code"] == 130
    assert "Traceback" not in err
    assert 5 <= done < CASES
    assert len(report["suites"][0]["cases"]) == done
    assert report["suites"][0]["verdict"] == "ERROR"
    assert report["suites"][0]["notices"][-1]["text"] == f"{CASES - done} of {CASES} trials were not run"
    assert "scaffold run --resume" in report["notices"][0]["text"]


def test_a_second_ctrl_c_takes_nothing_away(project: Path, start: Start) -> None:
    """Whoever presses Ctrl-C again while the result is shown gets all of it, and how to go on."""
    process = start("--concurrency", "2", "--json", "-")
    assert process.stdout is not None
    fcntl.fcntl(process.stdout, fcntl.F_SETPIPE_SZ, 4096)  # so that it waits for a reader
    wait_for(lambda: finished(project) >= 5)
    process.send_signal(signal.SIGINT)
    wait_for((newest_run(project) / "run.json").exists)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, "Interrupted" in err, "Traceback" in err) == (130, False, False)
    assert "scaffold run --resume" in json.loads(out)["notices"][0]["text"]


def test_resumed_run_reports_as_a_whole_one(project: Path, start: Start, cli: Cli) -> None:
    """After Ctrl-C and --resume the report equals that of a run that was never interrupted."""
    whole, _ = start("--json", "-").communicate(timeout=60)
    process = start("--concurrency", "2")
    wait_for(lambda: finished(project) >= CASES + 5)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=20)
    resumed, _ = start("--resume", newest_run(project).name, "--json", "-").communicate(timeout=60)
    assert results(resumed) == results(whole)
    shown = cli("show", newest_run(project).name, "--json")
    assert results(shown.out) == results(whole)


def test_kills_lose_nothing(project: Path, start: Start, server: Server) -> None:
    """Killed 100 times at random moments and resumed, runs report as if they had never been interrupted.

    Every finished trial is kept, and only what was in flight is paid for again.
    """
    whole, _ = start("--json", "-").communicate(timeout=60)
    server.requests.clear()
    environ = {**os.environ, "OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": "sk-test"}
    driver = [sys.executable, str(Path(__file__).with_name("kill_driver.py")), str(KILLS), str(CONCURRENCY)]
    done = subprocess.run(driver, env=environ, capture_output=True, text=True, timeout=300, check=True)
    told = json.loads(done.stdout)
    assert (told["kills"], bool(told["runs"])) == (KILLS, True)
    for run in told["runs"]:
        resumed, _ = start("--resume", run, "--json", "-").communicate(timeout=60)
        assert results(resumed) == results(whole)
    needed = CASES * len(told["runs"])
    assert needed <= len(server.requests) <= needed + KILLS * CONCURRENCY


def test_a_changed_suite_is_not_resumed(project: Path, start: Start, cli: Cli) -> None:
    """A run cannot go on with another suite than it was started with."""
    start("--json", "-").communicate(timeout=60)
    suite = project / ".omniscitus/tests/prompts/greeting/prompt-meta.yaml"
    suite.write_text(suite.read_text().replace("Is it kind?", "Is it very kind?"))
    result = cli("run", "--resume", newest_run(project).name)
    assert result.code == 2
    assert "a suite has changed since this run was started" in result.err


@pytest.mark.parametrize("full", [["--json", "/dev/full"], ["--record", "/dev/full"]])
def test_full_disk_for_a_report(start: Start, full: list[str]) -> None:
    """A report that cannot be written is one clear sentence."""
    process = start(*full)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 3
    assert err.endswith("Error: /dev/full: No space left on device\n")
    assert Path("/dev/full").is_char_device()


def test_full_disk_for_the_run(project: Path, start: Start) -> None:
    """Where the run directory cannot be written, the run says so and ends."""
    (project / ".omniscitus/runs").write_text("a file, not a folder")
    process = start()
    _, err = process.communicate(timeout=60)
    assert process.returncode == 3
    assert ".omniscitus/runs" in err
    assert "Traceback" not in err


def newest_run(project: Path) -> Path:
    return max(project.glob(".omniscitus/runs/*"), key=lambda path: path.stat().st_mtime_ns)
