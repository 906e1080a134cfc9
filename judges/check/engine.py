"""The embedded JavaScript engine (QuickJS): no I/O, limits on time and memory, nothing carried over.

Making a context costs 0.1 ms, ten times an ordinary rule, so contexts are used again. All that could carry
something from one evaluation to the next, the global object and every built-in, is frozen before a context's
first use. A context in which anything went wrong is not used again. A context may move between threads, but
two threads never hold the same one.
"""

import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from queue import LifoQueue
from time import thread_time
from typing import Any

from judges.core.errors import RunError

TIME_LIMIT_SECONDS = 1.0
MEMORY_LIMIT_BYTES = 64_000_000
STACK_LIMIT_BYTES = 256_000  # well inside the smallest stack that a thread gets anywhere

_LOCKDOWN = """
"use strict";
(() => {
  const seen = new Set();
  const freeze = (value) => {
    if ((typeof value !== "object" && typeof value !== "function") || value === null) return;
    if (seen.has(value)) return;
    seen.add(value);
    freeze(Reflect.getPrototypeOf(value));
    for (const key of Reflect.ownKeys(value)) {
      const property = Reflect.getOwnPropertyDescriptor(value, key);
      [property.value, property.get, property.set].forEach(freeze);
    }
    Object.freeze(value);
  };
  const reachNoGlobal = [
    function* () {}, async function () {}, async function* () {},
    [].values(), ""[Symbol.iterator](), "".matchAll(/a/g), new Map().entries(), new Set().entries(),
    [].values().map(String), Iterator.from({ next() {} }),
  ];
  [globalThis, ...reachNoGlobal].forEach(freeze);
})()
"""

_LIMITS = {
    "InternalError: interrupted": f"took more than {TIME_LIMIT_SECONDS:g} s and was stopped",
    "InternalError: out of memory": f"used more than {MEMORY_LIMIT_BYTES // 10**6} MB and was stopped",
}
_INTERRUPTED = next(iter(_LIMITS))

_UNPAIRED = re.compile("[\ud800-\udfff]")

_slots: LifoQueue[Any] = LifoQueue()  # as many contexts as can run at once; None where none was made yet
for _ in range(os.cpu_count() or 1):
    _slots.put(None)


def call(source: str, request: Mapping[str, Any], whole: str = "") -> bool | str:
    """Evaluate the source of a function, call it with the request as JSON text, and return its result.

    `whole` is the second argument, as it is: a large text takes half of the memory that it takes in a
    request. It must be well-formed; where memory does not suffice the function gets no text but `undefined`.

    The engine counts the processor time of the whole process, so busy neighbours eat a call's limit: a call
    that was stopped before its own thread had the time is made again with more.

    Raises:
        RunError: it threw (the message is the JavaScript error's), was stopped, or the request is not JSON.
    """
    import quickjs

    text = _encode(request)
    limit = TIME_LIMIT_SECONDS
    while True:
        started = thread_time()
        try:
            return _attempt(source, (text, whole), limit)
        except quickjs.JSException as error:
            message = _message(error)
            if message != _INTERRUPTED or thread_time() - started > 0.9 * TIME_LIMIT_SECONDS:
                raise RunError(_LIMITS.get(message, message)) from None
            limit *= 2


def find_syntax_error(source: str) -> str | None:
    """Return what is wrong with the source of a function, or None. The function is not called."""
    import quickjs

    try:
        with _context(TIME_LIMIT_SECONDS) as context:
            context.eval(source)
    except quickjs.JSException as error:
        return _message(error)
    except ValueError:
        return "it holds a NUL character or half of a surrogate pair"
    return None


def is_well_formed(text: str) -> bool:
    """Whether a text has no half of a surrogate pair."""
    return text.isascii() or _UNPAIRED.search(text) is None


def _attempt(source: str, arguments: tuple[str, str], limit: float) -> bool | str:
    with _context(limit) as context:
        result: bool | str = context.eval(source)(*arguments)
        return result


@contextmanager
def _context(limit: float) -> Iterator[Any]:
    """Lend a context, and keep it for the next caller unless an error leaves the block."""
    context, kept = _slots.get(), None
    try:
        context = context or _new_context()
        context.set_time_limit(limit)
        yield context
        kept = context
    finally:
        _slots.put(kept)


def _new_context() -> Any:
    import quickjs

    context = quickjs.Context()
    context.set_memory_limit(MEMORY_LIMIT_BYTES)
    context.set_max_stack_size(STACK_LIMIT_BYTES)
    context.eval(_LOCKDOWN)
    return context


def _encode(request: Mapping[str, Any]) -> str:
    try:
        text = json.dumps(request, allow_nan=False, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise RunError(f"needs an input that can be written as JSON: {error}") from None
    return text if text.isascii() else _UNPAIRED.sub(lambda half: f"\\u{ord(half[0]):04x}", text)


def _message(error: Exception) -> str:
    """Return the JavaScript error without its stack."""
    return str(error).partition("\n    at ")[0].removesuffix("\nundefined").strip()
