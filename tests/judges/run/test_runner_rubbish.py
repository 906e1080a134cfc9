"""Runners that write what is no answer: whose error it is, and that the rest go on."""

from pathlib import Path

import pytest
from runner_scripts import HELLO, Start, ask, pids, results, script, wait_until

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
