"""The embedded engine: limits, isolation, and texts of every kind."""

import hashlib
import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judges.check import engine
from judges.core.errors import RunError

ECHO = "(request) => JSON.stringify([JSON.parse(request).text.length, JSON.parse(request).text])"

LIMITS = {
    "loop": ("(() => { for (;;) {} })()", "took more than 1 s and was stopped"),
    "loop in a catch": (
        "(() => { try { for (;;) {} } catch { return true } })()",
        "took more than 1 s and was stopped",
    ),
    "regular expression": ("/(a+)+$/.test('a'.repeat(40) + 'b')", "took more than 1 s and was stopped"),
    "long text": ("'a'.repeat(1e9).length", "used more than 64 MB and was stopped"),
    "growing list": (
        "(() => { const all = []; for (;;) all.push(new Array(1e4).fill(1)) })()",
        "used more than 64 MB and was stopped",
    ),
    "recursion": ("(function f() { return f() })()", "RangeError: Maximum call stack size exceeded"),
    "error": ("(() => { throw new Error('no') })()", "Error: no"),
}

LEAKS = {
    "global": "globalThis.leak = true",
    "built-in prototype": "Object.prototype.leak = true",
    "method of a prototype": "String.prototype.includes.leak = true",
    "replaced method": "JSON.parse = () => true",
    "iterator prototype": "Reflect.getPrototypeOf([].values()).leak = true",
    "iterator helper prototype": "Reflect.getPrototypeOf([].values().map(String)).leak = true",
    "generator prototype": "Reflect.getPrototypeOf(function* () {}).leak = true",
    "async function prototype": "Reflect.getPrototypeOf(async () => {}).leak = true",
    "by definition": "Object.defineProperty(Array.prototype, 'leak', { value: true })",
    "by prototype": "Object.setPrototypeOf(Array.prototype, { leak: true })",
    "by the Function constructor": "Function('globalThis.leak = true; leak = true')()",
    "indirect eval": "(0, eval)('let leak = true')",
    "variable of an indirect eval": "(0, eval)('var leak = true')",
    "deleted built-in": "delete Array.prototype.includes",
}

PROBE = """
(request) => typeof leak === "undefined" && {}.leak === undefined && [].leak === undefined
  && "".includes.leak === undefined && JSON.parse("1") === 1 && [].values().leak === undefined
  && [].values().map(String).leak === undefined && (function* () {}).leak === undefined
  && (async () => {}).leak === undefined && typeof [].includes === "function"
"""

OUTSIDE = ("require", "process", "fetch", "std", "os", "print", "console", "setTimeout", "Worker")


@pytest.mark.parametrize(("code", "message"), LIMITS.values(), ids=LIMITS)
def test_a_limit_or_error_is_a_sentence(code: str, message: str) -> None:
    """Whatever goes wrong inside the engine is one sentence, and the next call works."""
    with pytest.raises(RunError) as caught:
        engine.call(f"(request) => {code}", {})
    assert str(caught.value) == message
    assert engine.call("(request) => true", {}) is True


@pytest.mark.parametrize("code", LEAKS.values(), ids=LEAKS)
def test_nothing_is_carried_over(code: str) -> None:
    """What one evaluation tries to leave behind is not there in the next, whether it threw or not."""
    engine.call(f"(request) => {{ try {{ {code} }} catch {{}} return true }}", {})
    assert engine.call(PROBE, {}) is True


@given(st.lists(st.sampled_from(sorted(LEAKS.values())), max_size=6))
@settings(max_examples=30)
def test_no_sequence_of_evaluations_is_carried_over(codes: list[str]) -> None:
    """No sequence of attempts leaves anything behind."""
    for code in codes:
        engine.call(f"(request) => {{ try {{ {code} }} catch {{}} return true }}", {})
    assert engine.call(PROBE, {}) is True


@given(st.text(st.characters()))
def test_every_text_arrives_whole(text: str) -> None:
    """Any text, with NUL or unpaired surrogates, arrives as JavaScript would hold it."""
    length, echoed = json.loads(str(engine.call(ECHO, {"text": text})))
    units = text.encode("utf-16-le", "surrogatepass")
    assert length == len(units) // 2
    assert echoed.encode("utf-16-le", "surrogatepass") == units


@pytest.mark.parametrize("name", OUTSIDE)
def test_there_is_no_way_out(name: str) -> None:
    """The engine has no object that could read a file, reach a network or print."""
    assert engine.call(f"(request) => typeof {name} === 'undefined'", {}) is True


def test_a_large_text_is_taken() -> None:
    """A text of 16 MB fits the memory limit, whatever its characters."""
    for char, count in (("x", 16_000_000), ('"', 16_000_000), ("가", 5_333_333), ("😀", 4_000_000)):
        source = f"(request) => [...JSON.parse(request).text.slice(0, 2)][0] === {json.dumps(char)}"
        assert engine.call(source, {"text": char * count}) is True


@pytest.mark.parametrize("value", [float("nan"), {1, 2}, object()], ids=["NaN", "set", "object"])
def test_an_input_that_is_not_json_is_refused(value: object) -> None:
    """A value that JSON cannot hold is said so, not sent as something else."""
    with pytest.raises(RunError, match=r"^needs an input that can be written as JSON: "):
        engine.call("(request) => true", {"input": value})


def test_many_threads_share_the_contexts() -> None:
    """Calls from many threads get their own answers, with errors among them."""

    def ask(number: int) -> object:
        source = (
            "(request) => { const n = JSON.parse(request).n; if (n % 7 === 0) throw n; return String(n) }"
        )
        try:
            return engine.call(source, {"n": number})
        except RunError as error:
            return f"threw {error}"

    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(ask, range(1000)))
    assert answers == [f"threw {n}" if n % 7 == 0 else str(n) for n in range(1000)]


def test_a_busy_process_does_not_eat_the_limit() -> None:
    """A call that needs 0.4 s of its own succeeds although other threads use four times as much."""
    source = "(request) => { for (let i = JSON.parse(request).rounds; i > 0; i--) {} return true }"
    started = time.thread_time()
    assert engine.call(source, {"rounds": 1_000_000}) is True
    rounds = int(0.4 / (time.thread_time() - started) * 1_000_000)
    done = threading.Event()

    def work() -> None:
        while not done.is_set():
            hashlib.pbkdf2_hmac("sha256", b"secret", b"salt", 10_000)

    neighbours = [threading.Thread(target=work) for _ in range(4)]
    for thread in neighbours:
        thread.start()
    try:
        assert engine.call(source, {"rounds": rounds}) is True
    finally:
        done.set()
        for thread in neighbours:
            thread.join()


def test_a_syntax_error_is_found_without_a_call() -> None:
    """The source is compiled, not called."""
    assert engine.find_syntax_error("(request) => { throw 1 }") is None
    assert engine.find_syntax_error("(request) => (1") == "SyntaxError: Unexpected end of input"


@pytest.mark.parametrize("source", ["() => '\0'", "() => '\ud800'"], ids=["NUL", "surrogate"])
def test_a_source_that_is_no_text_is_refused(source: str) -> None:
    """Characters that source code cannot hold are named."""
    assert engine.find_syntax_error(source) == "it holds a NUL character or half of a surrogate pair"
