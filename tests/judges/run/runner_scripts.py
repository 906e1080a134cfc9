"""Runners for tests: real programs, and the trials that they are asked about."""

import os
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from textwrap import dedent, indent
from typing import Any, TypeAlias

from judges.core.case import Case, Category, RunRecord, Trial
from judges.run.runner.command import build_command
from judges.run.runner.runner import Runner

LOOP = """\
import json, os, signal, subprocess, sys, threading, time

def answer(**keys):
    print(json.dumps(keys))

def note(pid):
    with open("pids", "a") as file:
        file.write(f"{pid}\\n")

note(os.getpid())
"""
READ = """
for line in sys.stdin:
    request = json.loads(line)
    id, name = request["id"], request["input"].get("name")
"""
HELLO = "answer(id=id, output=f'Hello {name}')\n"

Start: TypeAlias = Callable[..., Runner]


def script(body: str, before: str = "") -> str:
    """A Python runner with this body of its loop, which knows `id` and `name`, and this text before it."""
    return LOOP + before + READ + indent(dedent(body), "    ")


def trial(name: str = "Ann", **keys: Any) -> Trial:
    case = Case(ref=name, title=name, category=Category.ELEMENT, input={"name": name})
    return Trial(case, **keys)


def ask(runner: Runner, *names: str) -> list[RunRecord]:
    """Run trials one after the other."""
    return [runner(trial(name)) for name in names]


def ask_at_once(runner: Runner, *names: str) -> list[RunRecord]:
    """Run trials in a thread each."""
    with ThreadPoolExecutor(len(names)) as pool:
        return list(pool.map(lambda name: runner(trial(name)), names))


def results(records: list[RunRecord]) -> list[str]:
    """The outputs, or the errors in brackets."""
    return [f"({record.error})" if record.output is None else record.output for record in records]


def make_runner(folder: Path, text: str, name: str = "runner.py", **settings: Any) -> Runner:
    """A runner with this text, in a folder."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return Runner(
        build_command(path, folder, os.environ),
        **{"silence_seconds": 20.0, "patience_seconds": 1.0, **settings},
    )


def starter(folder: Path, stack: ExitStack) -> Start:
    """Return what starts runners that the stack ends."""

    def start(text: str, name: str = "runner.py", **settings: Any) -> Runner:
        runner = make_runner(folder, text, name, **settings)
        stack.enter_context(runner.opened(folder))
        return runner

    return start


def pids(folder: Path) -> list[int]:
    """The processes that runners have noted."""
    path = folder / "pids"
    return [int(line) for line in path.read_text().split()] if path.exists() else []


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and was not asked how does not."""
    shown = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return bool(shown.stdout.strip()) and not shown.stdout.strip().startswith("Z")


def wait_until(holds: Callable[[], bool], seconds: float = 10.0) -> None:
    """Wait for something to become true."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not come true in time"
        time.sleep(0.02)
