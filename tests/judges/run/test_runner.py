"""Runners as producers of outputs: real programs that answer, fail in every way, and are gone at the end."""

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from decimal import Decimal
from pathlib import Path

import pytest
from runner_scripts import (
    Start,
    ask,
    ask_at_once,
    is_alive,
    pids,
    results,
    script,
    starter,
    trial,
    wait_until,
)

from judges.core.usage import Usage
from judges.providers.budget import Budget
from judges.run.runner.runner import Runner

HELLO = "answer(id=id, output=f'Hello {name}')\n"


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start runners; at the end every process that they have noted is gone, in little time."""
    stack = ExitStack()
    yield starter(tmp_path, stack)
    began = time.monotonic()
    stack.close()
    assert time.monotonic() - began < 6
    assert [pid for pid in pids(tmp_path) if is_alive(pid)] == []


PROGRAMS = {
    "runner.py": script(HELLO),
    "runner.mjs": """
        import { createInterface } from "node:readline";
        for await (const line of createInterface({ input: process.stdin })) {
          const { id, input } = JSON.parse(line);
          console.log(JSON.stringify({ id, output: `Hello ${input.name}` }));
        }
    """,
    "runner.js": """
        require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
          const { id, input } = JSON.parse(line);
          console.log(JSON.stringify({ id, output: `Hello ${input.name}` }));
        });
    """,
    "runner": """#!/usr/bin/env bash
        while IFS= read -r line; do
          id=$(sed -E 's/.*"id": "([0-9]+)".*/\\1/' <<< "$line")
          name=$(sed -E 's/.*"name": "([^"]+)".*/\\1/' <<< "$line")
          printf '{"id": "%s", "output": "Hello %s"}\\n' "$id" "$name"
        done
    """,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs(start: Start, name: str) -> None:
    """Python, both kinds of JavaScript, and an executable of any kind answer alike."""
    runner = start(PROGRAMS[name], name)
    assert results(ask(runner, "Ann", "Bob")) == ["Hello Ann", "Hello Bob"]


def test_one_process_for_all(start: Start, tmp_path: Path) -> None:
    """A hundred trials at once are answered, each with its own output, by one process in any order."""
    runner = start(
        script(
            """
            held.append((id, name))
            if len(held) == 100:
                for id, name in reversed(held):
                    answer(id=id, output=name)
            """,
            "held = []\n",
        )
    )
    names = [f"name {number}" for number in range(100)]
    assert results(ask_at_once(runner, *names)) == names
    assert len(pids(tmp_path)) == 1


def test_request(start: Start) -> None:
    """The request has the input, the arm, the replica and the model."""
    runner = start(script("del request['id']\nanswer(id=id, output=json.dumps(request))"))
    sent = json.loads(str(runner(trial("Ann", model="gpt-4o", arm="a", replica=2)).output))
    assert sent == {"input": {"name": "Ann"}, "arm": "a", "replica": 2, "model": "gpt-4o"}
    sent = json.loads(str(runner(trial("Ann")).output))
    assert (sent["arm"], sent["replica"], sent["model"]) == (None, 1, None)


def test_what_it_took(start: Start) -> None:
    """Tokens, cost and time are those that the runner tells; what it does not tell is not made up."""
    told = "usage={'input_tokens': 7, 'output_tokens': 3}, cost_usd=0.002, latency_ms=12.5, events=[{'a': 1}]"
    runner = start(
        script(
            f"""
            if name == "full": answer(id=id, output="", {told})
            elif name == "tokens": answer(id=id, output="", usage={{"input_tokens": 7, "output_tokens": 3}})
            else: answer(id=id, output="")
            """
        )
    )
    full, tokens, bare = ask(runner, "full", "tokens", "bare")
    assert full.usage == Usage(calls=1, input_tokens=7, output_tokens=3, cost_usd=Decimal("0.002"))
    assert (full.output, full.latency_ms, full.source) == ("", 12.5, "runner.py")
    assert (full.events, bare.events) == (({"a": 1},), ())
    assert tokens.usage == Usage(calls=1, input_tokens=7, output_tokens=3, cost_usd=None)
    assert (bare.usage, bare.latency_ms) == (Usage(), None)


@pytest.mark.parametrize(
    "text",
    ['Grüße, 你好 🙂 \u2028 \x00 "quoted" \\ \r\n end', "x" * 5_000_000, "🙂" * 1_250_000],
    ids=["unicode", "5 MB", "5 MB of emoji"],
)
def test_texts_arrive_as_they_are(start: Start, text: str) -> None:
    """Whatever characters, and however many, an input and an output have."""
    runner = start(script("answer(id=id, output=name)"))
    assert runner(trial(text)).output == text


def test_a_flood_on_standard_error(start: Start, tmp_path: Path) -> None:
    """A runner that writes far more than a pipe holds to its standard error answers all the same."""
    runner = start(script("print('x' * 3_000_000, file=sys.stderr)\n" + HELLO))
    assert results(ask_at_once(runner, "Ann", "Bob")) == ["Hello Ann", "Hello Bob"]
    runner.close()
    assert (tmp_path / "runner.stderr.log").stat().st_size == 6_000_002


def test_errors_in_words(start: Start) -> None:
    """An error that the runner gives is the trial's, and no other trial's; null is nothing given."""
    runner = start(
        script(
            """
            if name == "Bob": answer(id=id, output=None, error="no such person")
            else: answer(id=id, output="Hello", error=None)
            """
        )
    )
    assert results(ask(runner, "Ann", "Bob", "Cid")) == ["Hello", "(runner.py: no such person)", "Hello"]


WRONG = {
    "output='x', error='y'": "expected one of 'output' and 'error', found output and error",
    "": "expected one of 'output' and 'error', found neither",
    "output=7": "output: expected a text, found 7",
    "error=''": "error: must not be empty",
    "output='x', usage={'input_tokens': 1}": "usage.output_tokens: the key is missing",
    "output='x', usage={'input_tokens': -1, 'output_tokens': 1}": "usage.input_tokens: must be at least 0, "
    "found -1",
    "output='x', cost_usd='1'": "cost_usd: expected a number, found '1'",
    "output='x', latency_ms=-2": "latency_ms: must be at least 0, found -2",
}


@pytest.mark.parametrize(("keys", "sentence"), WRONG.items(), ids=list(WRONG))
def test_wrong_answers(start: Start, tmp_path: Path, keys: str, sentence: str) -> None:
    """A wrong answer to an open request is an error of that trial alone; the process goes on."""
    runner = start(script(f"if name == 'bad': answer(id=id, {keys})\nelse: {HELLO}"))
    assert results(ask(runner, "bad", "Ann")) == [f"(runner.py: a wrong answer: {sentence})", "Hello Ann"]
    assert len(pids(tmp_path)) == 1


def test_cases_instead_of_an_output(start: Start) -> None:
    """An answer to another question is an error."""
    runner = start(script("answer(id=id, cases=[])"))
    assert results(ask(runner, "Ann")) == ["(runner.py answered something else than was asked for)"]


HINT = " (only answers belong there, everything else to standard error)"
RUBBISH = {
    "prose": ("print('debug: here')", "not valid JSON: Expecting value: 'debug: here'"),
    "cut JSON": ("print('{')", "not valid JSON: Expecting property name enclosed in double quotes: '{'"),
    "no object": ("print('[1]')", "no object with the id of a request: '[1]'"),
    "no id": ("answer(output='x')", 'no object with the id of a request: \'{"output": "x"}\''),
    "another id": ("answer(id='99', output='x')", "an answer to '99', which is no open request"),
    "a number": (
        "answer(id=1, error='x')",
        'no object with the id of a request: \'{"id": 1, "error": "x"}\'',
    ),
    "not UTF-8": ("sys.stdout.buffer.write(b'\\xff\\n')", "not UTF-8 text: '\ufffd'"),
    "NaN": ("print('NaN')", "not valid JSON: NaN is not a JSON number: 'NaN'"),
    "a key twice": (
        'print(\'{"id":"1","id":"1"}\')',
        'not valid JSON: the key \'id\' is given twice: \'{"id":"1","id":"1"}\'',
    ),
    "nested too deep": ("print('[' * 100_000)", "is nested too deep: '" + "[" * 79 + "…'"),
    "endless": ("while True: sys.stdout.write('x' * 1_000_000)", "a line of more than 32 MB"),
}


@pytest.mark.parametrize(("body", "sentence"), RUBBISH.values(), ids=list(RUBBISH))
def test_rubbish(start: Start, tmp_path: Path, body: str, sentence: str) -> None:
    """What is no answer is an error of the trials that wait, in a clear sentence; the rest go on afresh."""
    runner = start(script(f"if name == 'bad':\n    {body}\n    sys.stdout.flush()\nelse: {HELLO}"))
    expected = ["Hello Ann", f"(runner.py wrote to its standard output {sentence}{HINT})", "Hello Bob"]
    assert results(ask(runner, "Ann", "bad", "Bob")) == expected
    assert len(pids(tmp_path)) == 2


def test_rubbish_between_trials(start: Start) -> None:
    """Rubbish while nobody waits is told to the next trial, and to one only."""
    runner = start(script(HELLO + "print('done', name)"))
    first = ask(runner, "Ann")
    wait_until(lambda: runner._processes[0].fault is not None)
    sentence = f"(runner.py wrote to its standard output not valid JSON: Expecting value: 'done Ann'{HINT})"
    assert results(first + ask(runner, "Bob", "Cid")) == ["Hello Ann", sentence, "Hello Cid"]


def test_an_answer_twice(start: Start) -> None:
    """A second answer to a request fits no open one."""
    runner = start(script("if name == 'bad': answer(id='1', output='again')\nelse: " + HELLO))
    said = results(ask(runner, "Ann", "bad"))[1]
    assert "an answer to '1', which is no open request" in said


def test_blank_lines(start: Start) -> None:
    """Blank lines and Windows line ends are no rubbish."""
    runner = start(
        script("sys.stdout.write('\\n  \\r\\n' + json.dumps({'id': id, 'output': 'x'}) + '\\r\\n')")
    )
    assert results(ask(runner, "Ann", "Bob")) == ["x", "x"]


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


def test_budget(start: Start) -> None:
    """What the runner spends counts: once the budget is passed, nothing more is asked."""
    budget = Budget(Decimal("0.01"))
    runner = start(script("answer(id=id, output='x', cost_usd=0.006)"), budget=budget)
    said = results(ask(runner, "Ann", "Bob", "Cid"))
    assert said[:2] == ["x", "x"]
    assert "the budget of 0.01 USD is used up: 0.0120 USD are spent" in said[2]
    assert budget.spent == Decimal("0.012")


def test_secrets_are_masked(start: Start, tmp_path: Path) -> None:
    """Neither messages nor the log show a secret, wherever the runner writes it."""
    secret = "hunter2-hunter2"

    def mask(text: str) -> str:
        return text.replace(secret, "[PASSWORD]")

    runner = start(
        script(
            f"""
            print("key {secret}", file=sys.stderr)
            if name == "error": answer(id=id, error="not {secret}")
            elif name == "rubbish": print("{secret}")
            else: os._exit(1)
            """
        ),
        mask=mask,
    )
    said = results(ask(runner, "error", "rubbish", "crash"))
    assert said[0] == "(runner.py: not [PASSWORD])"
    assert "Expecting value: '[PASSWORD]'" in said[1]
    assert said[2].endswith("Its standard error says: key [PASSWORD])")
    runner.close()
    assert secret not in (tmp_path / "runner.stderr.log").read_text()


def test_many_threads_start_one_process(start: Start, tmp_path: Path) -> None:
    """Whoever is first starts it; the others wait for that one."""
    runner: Runner = start(script(HELLO, "time.sleep(0.3)\n"))
    ask_at_once(runner, *(str(number) for number in range(30)))
    assert len(pids(tmp_path)) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere only the process group is reached")
def test_a_child_in_a_session_of_its_own(start: Start, tmp_path: Path) -> None:
    """A process that the runner moves out of its reach ends with it all the same."""
    runner = start(script("note(subprocess.Popen(['sleep', '60'], start_new_session=True).pid)\n" + HELLO))
    assert results(ask(runner, "Ann")) == ["Hello Ann"]
    assert len(pids(tmp_path)) == 2
