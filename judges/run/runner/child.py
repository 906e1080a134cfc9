"""A child process with everything that it starts: begun in a session of its own, ended as a whole."""

import os
import signal
import subprocess
import threading
from contextlib import suppress
from typing import IO

from judges.run.runner.command import Command

GRACE_SECONDS = 2.0
"""How long a process has to end after it was asked to."""
LAST_SECONDS = 5.0


class Child:
    """A running process. `stdin`, `stdout` and `stderr` are its pipes; who uses one closes it.

    `exited` is set when the process itself has ended, `gone` by its owner when all of it has been dealt with.

    Raises:
        OSError: it cannot be started.
    """

    def __init__(self, command: Command) -> None:
        self._popen = subprocess.Popen(  # noqa: S603  (running the author's program is the point)
            command.arguments,
            cwd=command.folder,
            env=command.environ,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        assert self._popen.stdin
        assert self._popen.stdout
        assert self._popen.stderr
        self.stdin: IO[bytes] = self._popen.stdin
        self.stdout: IO[bytes] = self._popen.stdout
        self.stderr: IO[bytes] = self._popen.stderr
        self.exited = threading.Event()
        self.gone = threading.Event()

    def wait(self) -> int:
        """Return the exit code once the process has ended: the signal that ended it, negative, if one did."""
        code = self._popen.wait()
        self.exited.set()
        return code

    def end(self, patience: float = 0.0) -> None:
        """End the process: wait so many seconds for it to end by itself, ask it to, then force it.

        An interrupt meanwhile forces it at once.
        """
        try:
            if not self.gone.wait(patience):
                self.signal(signal.SIGTERM)
                self.gone.wait(GRACE_SECONDS)
        finally:
            if not self.gone.is_set():
                self.kill()
                self.gone.wait(LAST_SECONDS)

    def kill(self) -> None:
        """End at once the process and what it has started."""
        self.signal(signal.SIGKILL)

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the process and what it has started."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._popen.pid, number)


def describe_exit(code: int) -> str:
    """Return how a process ended, in words."""
    if code >= 0:
        return f"ended with exit code {code}"
    name = signal.Signals(-code).name if -code in set(signal.Signals) else str(-code)
    return f"was ended by the signal {name}"
