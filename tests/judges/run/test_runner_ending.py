"""How runners end: with time to clean up, with all that they have started, and nothing stays behind."""

import os
import signal
import sys
import threading
import time
from pathlib import Path

import pytest
from runner_scripts import HELLO, Start, ask, is_alive, pids, results, script, wait_until

NEVER_ENDING = {
    "reads on for ever": ("", "while True: time.sleep(1)\n"),
    "ignores SIGTERM": ("signal.signal(signal.SIGTERM, signal.SIG_IGN)\n", "while True: time.sleep(1)\n"),
    "has a child": (
        "child = subprocess.Popen(['sleep', '60'])\nnote(child.pid)\n",
        "",
    ),
    "has a child, and neither ends": (
        "child = subprocess.Popen(['sleep', '60'])\nnote(child.pid)\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n",
        "while True: time.sleep(1)\n",
    ),
    "answers for ever": ("", "while True: print('more')\n"),
}


@pytest.mark.parametrize(("before", "after"), NEVER_ENDING.values(), ids=list(NEVER_ENDING))
def test_never_exiting(start: Start, tmp_path: Path, before: str, after: str) -> None:
    """A process that does not end by itself is ended, with all that it has started."""
    runner = start(script(HELLO, before) + after)
    assert results(ask(runner, "Ann")) == ["Hello Ann"]
    assert all(is_alive(pid) for pid in pids(tmp_path))


def test_a_child_that_holds_the_pipes(start: Start) -> None:
    """A crash is seen even where a child of the process lives on with the pipes in its hands."""
    runner = start(script("note(subprocess.Popen(['sleep', '60']).pid)\nos._exit(1)"))
    began = time.monotonic()
    assert results(ask(runner, "Ann")) == ["(runner.py ended with exit code 1 before it answered)"]
    assert time.monotonic() - began < 8


def test_time_to_clean_up(start: Start, tmp_path: Path) -> None:
    """At the end of its input a runner has time to put things in order."""
    runner = start(script(HELLO) + "time.sleep(0.5)\nopen('cleaned', 'w').close()\n")
    ask(runner, "Ann")
    runner.close()
    assert (tmp_path / "cleaned").exists()


def test_stopped_in_flight(start: Start) -> None:
    """Stopping ends what is in flight at once, and nothing is started any more."""
    runner = start(script("time.sleep(60)"))
    said: list[str] = []
    waiting = threading.Thread(target=lambda: said.extend(results(ask(runner, "Ann"))))
    waiting.start()
    wait_until(lambda: bool(runner._processes and runner._processes[0]._open))
    began = time.monotonic()
    runner.close()
    waiting.join(5)
    assert time.monotonic() - began < 3
    assert said == ["(runner.py was ended by the signal SIGTERM before it answered)"]
    assert results(ask(runner, "Bob")) == ["(runner.py was stopped)"]


def test_never_started(start: Start, tmp_path: Path) -> None:
    """A runner that nobody asks is not started."""
    start(script(HELLO)).close()
    assert pids(tmp_path) == []
    assert not (tmp_path / "runner.stderr.log").exists()


def test_an_interrupt_while_it_is_stopped(start: Start, tmp_path: Path) -> None:
    """A second Ctrl-C, while a process takes its time to end, leaves nothing behind."""
    runner = start(script(HELLO) + "while True: time.sleep(1)\n", patience_seconds=20.0)
    ask(runner, "Ann")
    interrupt = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
    interrupt.start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        runner.close()
    assert time.monotonic() - began < 3
    assert not any(is_alive(pid) for pid in pids(tmp_path))


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere only the process group is reached")
def test_a_child_in_a_session_of_its_own(start: Start, tmp_path: Path) -> None:
    """A process that the runner moves out of its reach ends with it all the same."""
    runner = start(script("note(subprocess.Popen(['sleep', '60'], start_new_session=True).pid)\n" + HELLO))
    assert results(ask(runner, "Ann")) == ["Hello Ann"]
    assert len(pids(tmp_path)) == 2
