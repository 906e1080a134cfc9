"""Several processes with one cache: they wait for each other, and nothing that was paid for is lost."""

import json
import os
import random
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

CASES = 200
CONCURRENCY = 8
KILLS = 8
Start: TypeAlias = Callable[[], "subprocess.Popen[str]"]


@pytest.fixture
def server(loopback: Loopback) -> Server:
    def slowly(body: Any) -> Reply:
        time.sleep(0.01)
        return judge_by_word(body)

    return loopback(slowly)


@pytest.fixture
def start(project: Path, server: Server, monkeypatch: pytest.MonkeyPatch) -> Start:
    """Start a run as a process of its own."""
    write_cases(project, CASES)
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    run = [sys.executable, "-m", "scaffold", "run", "--yes", "--quiet", "--json", "-"]
    command = [*run, "--concurrency", str(CONCURRENCY)]
    pipe = subprocess.PIPE
    return lambda: subprocess.Popen(command, env=dict(os.environ), stdout=pipe, stderr=pipe, text=True)


def verdicts(report: Any) -> dict[str, str]:
    return {case["ref"]: case["verdict"] for case in report["suites"][0]["cases"]}


RIGHT = {f"c{number}": "FAIL" if number % 3 == 2 else "PASS" for number in range(CASES)}


@pytest.mark.parametrize("processes", [2, 4])
def test_runs_at_once_share_a_cache(cli: Cli, start: Start, server: Server, processes: int) -> None:
    """Runs of one suite at once are all right and complain of nothing; the next one pays for nothing."""
    done = [process.communicate(timeout=120) for process in [start() for _ in range(processes)]]
    reports = [json.loads(out) for out, _ in done]
    assert [err for _, err in done] == [""] * processes
    assert [verdicts(report) for report in reports] == [RIGHT] * processes
    assert [report["notices"] for report in reports] == [[]] * processes
    used = [report["usage"]["calls"] + report["usage"]["cached"] for report in reports]
    assert used == [CASES] * processes
    assert sum(report["usage"]["calls"] for report in reports) == len(server.requests)
    paid = len(server.requests)
    again = cli("run", "--quiet", "--json", "-").report
    assert (verdicts(again), again["usage"]["cached"], len(server.requests)) == (RIGHT, CASES, paid)
    assert f"{CASES} answers" in cli("cache", "stats").out


def test_runs_that_are_killed_lose_no_answer(project: Path, start: Start, server: Server) -> None:
    """After kill -9 at any moment the next run pays only for what was in flight."""
    moments = random.Random(20261130)
    kills = 0
    while kills < KILLS and len(server.requests) < CASES:
        process = start()
        before = len(server.requests)
        while len(server.requests) == before and process.poll() is None:
            time.sleep(0.005)
        time.sleep(moments.uniform(0, 0.05))
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=60)
        kills += 1
    assert kills > 3
    out, err = start().communicate(timeout=120)
    report = json.loads(out)
    assert (verdicts(report), report["notices"], err) == (RIGHT, [], "")
    assert CASES <= len(server.requests) <= CASES + kills * CONCURRENCY
