"""One process of a runner: requests in, answers out, and every way in which that can go wrong."""

import json
import threading
from collections.abc import Mapping
from concurrent.futures import Future
from contextlib import suppress
from itertools import count
from queue import SimpleQueue
from time import monotonic
from typing import Any

from judges.core.encode import encode_value
from judges.core.errors import ProcessError
from judges.providers.process.tree import describe_exit
from judges.run.runner.answer import MAX_LINE_BYTES, Answer, parse_answer, parse_line
from judges.run.runner.child import Child
from judges.run.runner.command import Command
from judges.run.runner.mask import Mask
from judges.run.runner.stderr import ErrorLog, ErrorStream

LAST_WORDS_SECONDS = 1.0
"""How long to read on after a process has ended: what it has started may keep its pipes open."""


class Gone(Exception):  # noqa: N818  (no error: the request was not sent)
    """The process had ended already."""


class Process:
    """A started runner. Safe in several threads, each of which waits for its own answer.

    Four threads serve it: one writes, since a runner that does not read would block everybody; two read its
    outputs; one waits for its end.

    Raises:
        OSError: it cannot be started.
    """

    def __init__(self, command: Command, silence_seconds: float, mask: Mask, log: ErrorLog) -> None:
        self.answered = 0
        self.fault: ProcessError | None = None
        self._name = command.name
        self._silence = silence_seconds
        self._mask = mask
        self._told = False
        self._lock = threading.Lock()
        self._ids = count(1)
        self._open: dict[str, Future[Answer]] = {}
        self._heard = monotonic()
        self._lines: SimpleQueue[bytes | None] = SimpleQueue()
        self._errors = ErrorStream(mask, log)
        self._child = Child(command)
        _start(self._write)
        self._readers = [_start(self._read), _start(self._errors.drain, self._child.stderr)]
        _start(self._watch)

    @property
    def usable(self) -> bool:
        """Whether to send requests here: it runs, or it owes somebody the news of what it did wrong."""
        return self.fault is None or not self._told

    @property
    def gone(self) -> bool:
        """Whether the process and what it had started have ended."""
        return self._child.gone.is_set()

    def ask(self, request: Mapping[str, Any]) -> Answer:
        """Send a request, and wait for its answer.

        Raises:
            ProcessError: there is none.
            Gone: the process had ended before.
        """
        number = str(next(self._ids))
        line = json.dumps({"id": number, **encode_value(request)}, allow_nan=False).encode() + b"\n"
        answer: Future[Answer] = Future()
        with self._lock:
            if self.fault is not None:
                if self._told:
                    raise Gone
                self._told = True
                raise self.fault
            if not self._open:
                self._heard = monotonic()
            self._open[number] = answer
            self._lines.put(line)
        return self._wait(answer)

    def end(self, patience: float) -> None:
        """End the process: at once if requests are open, else after so many seconds to end by itself."""
        self._lines.put(None)
        self._child.end(patience=0.0 if self._open else patience)

    def _wait(self, answer: "Future[Answer]") -> Answer:
        while True:
            left = self._heard + self._silence - monotonic()
            try:
                return answer.result(max(0.0, left))
            except TimeoutError:
                if self._heard + self._silence <= monotonic():
                    self._abandon(f"was silent for {self._silence:g} s; runner_timeout_seconds sets how long")

    def _write(self) -> None:
        # What cannot be written is no news: whoever waits for the process sees that it has ended.
        with suppress(OSError), self._child.stdin as stream:
            while (line := self._lines.get()) is not None:
                stream.write(line)
                stream.flush()

    def _read(self) -> None:
        with self._child.stdout as stream:
            while line := stream.readline(MAX_LINE_BYTES + 1):
                if not line.endswith(b"\n") and len(line) <= MAX_LINE_BYTES:
                    break  # cut by the end of the process
                if not line.isspace() and not self._take(line):
                    return
        if not self._child.exited.wait(LAST_WORDS_SECONDS):
            self._abandon("closed its standard output, and answers nothing more")

    def _take(self, line: bytes) -> bool:
        """Take a line as an answer; return whether to read on."""
        try:
            if len(line) > MAX_LINE_BYTES:
                raise ProcessError(f"a line of more than {MAX_LINE_BYTES // 1_000_000} MB")
            number, document = parse_line(line)
            with self._lock:
                answer = self._open.pop(number, None)
                self._heard = monotonic()
            if answer is None:
                raise ProcessError(f"an answer to '{number}', which is no open request")
        except ProcessError as error:
            hint = "only answers belong there, everything else to standard error"
            self._abandon(f"wrote to its standard output {error} ({hint})", owed=True)
            return False
        self.answered += 1
        try:
            answer.set_result(parse_answer(document))
        except ProcessError as error:
            answer.set_exception(ProcessError(self._mask(f"{self._name}: a wrong answer: {error}")))
        return True

    def _watch(self) -> None:
        code = self._child.wait()
        self._readers[0].join(LAST_WORDS_SECONDS)
        self._child.close()  # what it has left behind, which may hold its pipes open
        for reader in self._readers:
            reader.join(LAST_WORDS_SECONDS)
        self._lines.put(None)
        hint = "; it has to read on until its standard input ends" if code == 0 else ""
        self._fail(f"{describe_exit(code)} before it answered{hint}", owed=False)
        self._child.gone.set()

    def _abandon(self, reason: str, *, owed: bool = False) -> None:
        """Fail all open requests, and end the process in its own time."""
        self._fail(reason, owed=owed)
        _start(self._child.end)
        self._lines.put(None)

    def _fail(self, reason: str, *, owed: bool) -> None:
        """Take the first reason why nothing more comes. `owed`: somebody is to be told, now or later."""
        with self._lock:
            if self.fault is not None:
                return
            self.fault = self._describe(reason)
            failed, self._open = self._open, {}
            self._told = bool(failed) or not owed
        for answer in failed.values():
            answer.set_exception(self.fault)

    def _describe(self, reason: str) -> ProcessError:
        words = self._errors.words()
        said = f". Its standard error says: {words}" if words else ""
        return ProcessError(self._mask(f"{self._name} {reason}") + said, stderr=self._errors.tail)


def _start(work: Any, *arguments: Any) -> threading.Thread:
    thread = threading.Thread(target=work, args=arguments, daemon=True)
    thread.start()
    return thread
