"""Runs suites and kills them at random moments, from a process that has everything imported already.

    python kill_driver.py KILLS CONCURRENCY

Prints {"kills": number, "runs": [ids]}. A run that comes to its end is followed by a new one.
"""

import json
import os
import random
import signal
import sys
import time
from contextlib import redirect_stdout
from pathlib import Path

import openai.resources.chat.completions  # noqa: F401  (imported before the fork)

from scaffold.__main__ import run

RUNS = Path(".omniscitus/runs")


def known() -> set[str]:
    return {path.parent.name for path in RUNS.glob("*/plan.json")}


def child(arguments: list[str]) -> int:
    pid = os.fork()
    if pid == 0:
        sink = os.open(os.devnull, os.O_WRONLY)
        os.dup2(sink, 1)
        os.dup2(sink, 2)
        os._exit(run(["run", "--yes", "--no-cache", "--quiet", *arguments]))
    return pid


def main(kills: int, concurrency: int) -> None:
    with redirect_stdout(sys.stderr):
        run(["run", "--dry-run"])  # imports the rest
    moments = random.Random(20261130)
    before = known()
    runs: list[str] = []
    killed = 0
    resumed: str | None = None
    while killed < kills:
        pid = child(["--concurrency", str(concurrency), *(["--resume", resumed] if resumed else [])])
        time.sleep(moments.uniform(0.02, 0.3))
        os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
        killed += os.WIFSIGNALED(status)
        new = sorted(known() - before - set(runs))
        runs += new
        finished = resumed is not None and (RUNS / resumed / "run.json").exists()
        resumed = None if finished else (runs[-1] if runs else None)
    print(json.dumps({"kills": killed, "runs": runs}))


main(int(sys.argv[1]), int(sys.argv[2]))
