"""Runners that crash, are silent, or cannot be started: what it says, and what it spoils."""

import time
from pathlib import Path

import pytest
from runner_scripts import HELLO, Start, ask, ask_at_once, pids, results, script, wait_until

CRASHES = {
    "an exit code": ("sys.exit(3)", "ended with exit code 3 before it answered"),
    "a signal": (
        "os.kill(os.getpid(), 9)",
        "was ended by the signal SIGKILL before it answered",
    ),
    "no reason": (
        "sys.exit()",
        "ended with exit code 0 before it answered; it has to read on until its standard input ends",
    ),
    "in the middle of an answer": (
        'sys.stdout.write(\'{"id": "\'); sys.stdout.flush(); os._exit(4)',
        "ended with exit code 4 before it answered",
    ),
}


@pytest.mark.parametrize(("body", "sentence"), CRASHES.values(), ids=list(CRASHES))
def test_crashes(start: Start, tmp_path: Path, body: str, sentence: str) -> None:
    """A crash is an error of the trial in flight; the next one gets a fresh process."""
    runner = start(script(f"if name == 'bad': {body}\n{HELLO}"))
    expected = ["Hello Ann", f"(runner.py {sentence})", "Hello Bob"]
    assert results(ask(runner, "Ann", "bad", "Bob")) == expected
    assert len(pids(tmp_path)) == 2


def test_a_crash_says_why(start: Start) -> None:
    """The error that Python ends with is in the message, without the traceback."""
    runner = start(script("raise LookupError(f'nobody is called {name}')"))
    assert results(ask(runner, "Ann")) == [
        "(runner.py ended with exit code 1 before it answered. "
        "Its standard error says: LookupError: nobody is called Ann)"
    ]


def test_a_crash_of_node_says_why(start: Start) -> None:
    """The error that node ends with is in the message, though other lines follow it."""
    runner = start("process.stdin.on('data', () => nothing.at.all)", "runner.js")
    assert results(ask(runner, "Ann")) == [
        "(runner.js ended with exit code 1 before it answered. "
        "Its standard error says: ReferenceError: nothing is not defined)"
    ]


def test_a_crash_takes_all_in_flight(start: Start, tmp_path: Path) -> None:
    """All trials that wait when the process ends are errors; none of them waits on."""
    runner = start(script("held.append(id)\nif len(held) == 5: os._exit(9)\n", "held = []\n"))
    names = ["Ann", "Bob", "Cid", "Dan", "Eve"]
    said = "(runner.py ended with exit code 9 before it answered)"
    assert results(ask_at_once(runner, *names)) == [said] * 5
    assert len(pids(tmp_path)) == 1


def test_a_crash_after_the_answer(start: Start, tmp_path: Path) -> None:
    """A process that ends while nobody waits harms no trial: the next one gets a fresh process."""
    runner = start(script(HELLO + "sys.stdout.flush(); os._exit(1)"))
    outputs = []
    for name in ("Ann", "Bob", "Cid"):
        outputs += ask(runner, name)
        wait_until(lambda: runner._processes[-1].fault is not None)
    assert results(outputs) == ["Hello Ann", "Hello Bob", "Hello Cid"]
    assert len(pids(tmp_path)) == 3


def test_given_up(start: Start, tmp_path: Path) -> None:
    """A runner that never answers is started three times, however many trials there are."""
    runner = start(script(HELLO, "print('no configuration', file=sys.stderr)\nsys.exit(2)\n"))
    began = time.monotonic()
    said = results(ask(runner, *("Ann" for _ in range(200))))
    assert time.monotonic() - began < 10
    assert len(pids(tmp_path)) == 3
    reason = "runner.py ended with exit code 2 before it answered. Its standard error says: no configuration"
    given_up = f"(runner.py was given up after 3 starts in a row without an answer: {reason})"
    assert said == [f"({reason})"] * 3 + [given_up] * 197


def test_not_given_up(start: Start, tmp_path: Path) -> None:
    """A runner that crashes now and then goes on, as long as it answers in between."""
    runner = start(script(f"if name == 'bad': os._exit(1)\n{HELLO}"))
    said = results(ask(runner, *(["Ann", "bad"] * 5)))
    assert said == ["Hello Ann", "(runner.py ended with exit code 1 before it answered)"] * 5
    assert len(pids(tmp_path)) == 5


def test_silence(start: Start, tmp_path: Path) -> None:
    """A process that answers nothing for too long is ended, and all that waits is an error."""
    runner = start(script(f"if name == 'bad': time.sleep(60)\n{HELLO}"), silence_seconds=0.5)
    began = time.monotonic()
    said = results([*ask_at_once(runner, "bad", "bad", "bad"), *ask(runner, "Ann")])
    assert time.monotonic() - began < 8
    silent = "(runner.py was silent for 0.5 s; runner_timeout_seconds sets how long)"
    assert said == [silent] * 3 + ["Hello Ann"]
    assert len(pids(tmp_path)) == 2


def test_slow_is_not_silent(start: Start) -> None:
    """A runner that works on one case at a time is given all the time it needs, as long as it answers."""
    runner = start(script("time.sleep(0.3)\n" + HELLO), silence_seconds=1.0)
    assert results(ask_at_once(runner, *"ABCDEF")) == [f"Hello {name}" for name in "ABCDEF"]


def test_one_forgotten_request(start: Start) -> None:
    """A request that is never answered is an error once nothing else comes either."""
    runner = start(script(f"if name != 'bad': {HELLO}"), silence_seconds=0.5)
    said = results(ask_at_once(runner, "bad", "Ann", "Bob"))
    assert said[0].startswith("(runner.py was silent for 0.5 s")
    assert said[1:] == ["Hello Ann", "Hello Bob"]


def test_standard_output_closed(start: Start) -> None:
    """A process that closes its standard output and lives on is ended."""
    runner = start(script("os.close(1)\ntime.sleep(60)"))
    assert results(ask(runner, "Ann")) == ["(runner.py closed its standard output, and answers nothing more)"]


def test_standard_input_not_read(start: Start) -> None:
    """A process that does not read blocks nobody, however large the requests."""
    runner = start(script(HELLO, "time.sleep(60)\n"), silence_seconds=0.5)
    said = results(ask_at_once(runner, "x" * 500_000, "y" * 500_000))
    assert all("was silent for 0.5 s" in each for each in said)


def test_not_to_be_started(start: Start) -> None:
    """A file that the system cannot execute is an error that says what is missing."""
    runner = start("#!/no/such/program\n", "runner")
    hint = "its first line must name the program that runs it, as #!/usr/bin/env bash does"
    assert results(ask(runner, "Ann")) == [f"(runner cannot be started: No such file or directory ({hint}))"]
