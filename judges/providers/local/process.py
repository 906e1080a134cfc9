"""The life of a model's server: started when it is needed, again after a crash, ended with its owner."""

import json
import os
import signal
import subprocess
import sys
import threading
import weakref
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import IO

from judges.core.errors import ProcessError
from judges.core.row import excerpt

MOST_STARTS = 4
READY_SECONDS = 120.0
_LARGEST_LOG = 1_000_000
_DYING_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server listens, and the key that it asks for."""

    base_url: str
    key: str = field(repr=False)


class LocalServer:
    """A child process that announces its address on its first line of output. Safe to use from threads.

    What it prints goes to the end of the file `log`. After a crash it is started again, at most
    `MOST_STARTS` times in all; a start that fails is not tried again. The process, with all of its group,
    ends when this object does, or Python; and by itself when this process is killed, since its input ends.
    """

    def __init__(self, command: Sequence[str], log: Path, *, ready_seconds: float = READY_SECONDS) -> None:
        self._command = command
        self._log = log
        self._ready_seconds = ready_seconds
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._address: Address | None = None
        self._starts = 0
        self._failure = ""

    def address(self) -> Address:
        """Return where the server listens, after starting it where it does not run.

        Raises:
            ProcessError: it cannot be started, or has crashed too often.
        """
        with self._lock:
            if self._address is None or self._process is None or self._process.poll() is not None:
                self._address = self._start()
            return self._address

    def how_it_ended(self) -> str | None:
        """Return how the process ended, or None while it runs. One that is just dying is given a second."""
        process = self._process
        if process is None:
            return None
        try:
            code = process.wait(_DYING_SECONDS)
        except subprocess.TimeoutExpired:
            return None
        return _describe_end(code)

    def _start(self) -> Address:
        if self._failure:
            raise ProcessError(self._failure)
        if self._starts == MOST_STARTS:
            raise ProcessError(f"the model's server ended {MOST_STARTS} times. Its log: {self._log}")
        self._starts += 1
        try:
            return self._launch()
        except ProcessError as error:
            self._failure = str(error)
            raise
        except OSError as error:
            self._failure = f"the model's server cannot be started: {error}"
            raise ProcessError(self._failure) from error

    def _launch(self) -> Address:
        with _open_log(self._log, self._command) as log:
            start_of_output = log.tell()
            process = subprocess.Popen(  # noqa: S603  (our own program)
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                start_new_session=True,  # Ctrl-C is for this process to handle
            )
        self._process = process
        weakref.finalize(self, end_process, process)
        line = _first_line(process, self._ready_seconds)
        try:
            announced = json.loads(line or "")
            return Address(announced["base_url"], announced["key"])
        except (ValueError, KeyError, TypeError) as error:
            late = f"was not ready within {self._ready_seconds:g} s"
            end = self.how_it_ended() or (late if line is None else "did not tell its address")
            end_process(process)
            said = _reason(self._log, start_of_output)
            message = f"the model's server {end}{said and f': {said}'}. Its log: {self._log}"
            raise ProcessError(message, exit_code=process.returncode, stderr=said) from error


def server_command(model: Path, *, context: int) -> list[str]:
    """Return the command that serves a model. It runs in this Python, apart from the working directory."""
    program = Path(__file__).with_name("server.py")
    threads = min(4, _usable_cores())
    return [
        *(sys.executable, "-P", str(program), str(model)),
        *("--threads", str(threads), "--context", str(context)),
    ]


def end_process(process: subprocess.Popen[bytes]) -> None:
    """End a process and its group at once. A server of a model has nothing to save."""
    if process.poll() is None:
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
        process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            stream.close()


def _usable_cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _open_log(path: Path, command: Sequence[str]) -> IO[bytes]:
    path.parent.mkdir(parents=True, exist_ok=True)
    large = path.exists() and path.stat().st_size > _LARGEST_LOG
    log = path.open("wb" if large else "ab")
    log.write(f"\n{datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC: {' '.join(command)}\n".encode())
    log.flush()
    return log


def _first_line(process: subprocess.Popen[bytes], seconds: float) -> bytes | None:
    """Return the first line of output, b"" when the process ends without one, or None when time is up."""
    assert process.stdout is not None
    lines: SimpleQueue[bytes] = SimpleQueue()
    read = process.stdout.readline
    threading.Thread(target=lambda: lines.put(read()), daemon=True).start()
    try:
        return lines.get(timeout=seconds)
    except Empty:
        return None


def _describe_end(code: int) -> str:
    if code >= 0:
        return f"ended (exit code {code})"
    name = signal.Signals(-code).name
    hint = (
        ", which means that this processor lacks what the runtime was built for" if name == "SIGILL" else ""
    )
    return f"was ended by {name}{hint}"


def _reason(log: Path, start: int) -> str:
    """Return the first line of the output that speaks of an error, or else the last one."""
    with log.open("rb") as file:
        file.seek(start)
        lines = [line.strip() for line in file.read().decode("utf-8", "replace").split("\n")]
    said = [line.rstrip(".") for line in lines if line]
    return excerpt(next((line for line in said if "error" in line.casefold()), said[-1] if said else ""))
