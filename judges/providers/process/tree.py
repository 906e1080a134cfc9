"""A program with everything that it starts: begun in a session of its own, ended as a whole."""

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from judges.providers.process import supervisor

GRACE_SECONDS = 3.0
"""How long a program has to end after it was asked to."""
_LAST_SECONDS = supervisor.LAST_SECONDS + 2.0

Stream = int | IO[bytes]
"""A file, or `subprocess.PIPE` or `DEVNULL`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """What to run: the path of a program with its arguments, the working directory, the environment."""

    arguments: tuple[str, ...]
    folder: Path
    environ: Mapping[str, str] = field(repr=False)


class ProcessTree:
    """A running program. `stdin`, `stdout` and `stderr` are its pipes, if any; who uses one closes it.

    One thread at a time may wait for it; it can be ended from any thread. When this process ends, in whatever
    way, the supervisor ends the tree, and removes the folder `scratch`.

    Raises:
        OSError: it cannot be started.
        ValueError: there is a zero byte in its arguments.
    """

    def __init__(
        self,
        program: Program,
        *,
        stdin: Stream = subprocess.DEVNULL,
        stdout: Stream = subprocess.PIPE,
        stderr: Stream = subprocess.PIPE,
        scratch: Path | None = None,
    ) -> None:
        order = _encode_order(program, scratch)
        self._code: int | None = None
        self._heard = b""
        self._closing = threading.Lock()
        self._socket, theirs = socket.socketpair()
        try:
            self._supervisor = subprocess.Popen(  # noqa: S603  (our own program)
                (sys.executable, "-I", "-S", supervisor.__file__, str(theirs.fileno())),
                cwd=program.folder,
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                pass_fds=(theirs.fileno(),),
                start_new_session=True,  # Ctrl-C is for this process to handle
            )
        except OSError:
            self._socket.close()
            raise
        finally:
            theirs.close()
        self.stdin, self.stdout, self.stderr = (
            self._supervisor.stdin,
            self._supervisor.stdout,
            self._supervisor.stderr,
        )
        self.pid = self._start(order, program.arguments[0])

    def wait(self, seconds: float | None = None) -> int | None:
        """Return the exit code once the program itself has ended; None where it has not in so many seconds.

        A negative one is the signal that ended it.
        """
        if self._code is None and (words := self._hear(seconds)) is not None:
            self._code = int(words[1]) if words else self._lose()
        return self._code

    def terminate(self) -> None:
        """Ask the program, and what is in its process group, to end."""
        self._command(supervisor.TERMINATE)

    def kill(self) -> None:
        """Force the program and everything that it has started to end."""
        self._command(supervisor.KILL)

    def end(self, grace: float = GRACE_SECONDS) -> None:
        """Ask the program to end, and after so many seconds force it; return when nothing of it is left.

        An interrupt meanwhile forces it at once.
        """
        try:
            self.terminate()
            self.wait(grace)
        finally:
            self.close()

    def close(self) -> None:
        """Force whatever is left to end, and return when nothing is."""
        with self._closing:
            if self._socket.fileno() < 0:
                return
            self.kill()
            if not self._hear_out():
                self._supervisor.kill()
            self._supervisor.wait()
            self._socket.close()

    def _start(self, order: bytes, name: str) -> int:
        with suppress(OSError):
            self._socket.sendall(order)
        match self._hear(None):
            case [b"started", pid]:
                return int(pid)
            case [b"failed", number]:
                self._drop()
                raise OSError(int(number), os.strerror(int(number)), name)
            case _:
                self._drop()
                raise OSError(f"{name}: its supervisor could not be started")

    def _drop(self) -> None:
        self._supervisor.wait()
        for stream in (self._socket, self.stdin, self.stdout, self.stderr):
            if stream is not None:
                stream.close()

    def _hear(self, seconds: float | None) -> list[bytes] | None:
        """Return the words of the supervisor's next line; none where it has gone, None when time is up."""
        while b"\n" not in self._heard:
            try:
                self._socket.settimeout(seconds)
                data = self._socket.recv(4096)
            except TimeoutError:
                return None
            except ConnectionResetError:  # it went with a command still unread
                return []
            if not data:
                return []
            self._heard += data
        line, _, self._heard = self._heard.partition(b"\n")
        return line.split()

    def _hear_out(self) -> bool:
        """Whether the supervisor has gone in time; what it said last is kept for who asks later."""
        while words := self._hear(_LAST_SECONDS):
            self._code = int(words[1])
        if self._code is None:
            self._code = self._lose()
        return words is not None

    def _lose(self) -> int:
        """The supervisor was ended by somebody: end what can be reached, and return what that makes of it."""
        with suppress(OSError):
            os.killpg(self.pid, signal.SIGKILL)
        return -signal.SIGKILL

    def _command(self, command: bytes) -> None:
        with suppress(OSError):
            self._socket.send(command)


def describe_exit(code: int) -> str:
    """Return how a process ended, in words."""
    return (
        f"was ended by the signal {name}" if (name := signal_name(code)) else f"ended with exit code {code}"
    )


def signal_name(code: int) -> str | None:
    """Return the name of the signal that an exit code of `ProcessTree.wait` stands for, if it does."""
    if code >= 0:
        return None
    return signal.Signals(-code).name if -code in set(signal.Signals) else str(-code)


def describe_survivors() -> str | None:
    """Return what may survive a tree's end on this system; None where nothing does."""
    if sys.platform == "linux":
        return None
    return "processes that a session moves out of its process group, as its Bash tool does, may outlive it"


def _encode_order(program: Program, scratch: Path | None) -> bytes:
    variables = (f"{name}={value}" for name, value in program.environ.items())
    order = b"\0".join(
        (
            b"%f" % GRACE_SECONDS,
            os.fsencode(scratch or ""),
            b"%d" % len(program.arguments),
            *_encode(program.arguments),
            *_encode(variables),
        )
    )
    return len(order).to_bytes(supervisor.LENGTH_BYTES) + order


def _encode(texts: Iterable[str]) -> Iterable[bytes]:
    for text in texts:
        if "\0" in text:
            raise ValueError("there is a zero byte in an argument or a variable")
        yield os.fsencode(text)
