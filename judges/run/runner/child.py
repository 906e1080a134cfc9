"""A child process with everything that it starts: begun in a session of its own, ended as a whole."""

import threading
from subprocess import PIPE
from typing import IO

from judges.providers.process.tree import ProcessTree, Program
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
        program = Program(arguments=command.arguments, folder=command.folder, environ=command.environ)
        self._tree = ProcessTree(program, stdin=PIPE)
        assert self._tree.stdin
        assert self._tree.stdout
        assert self._tree.stderr
        self.stdin: IO[bytes] = self._tree.stdin
        self.stdout: IO[bytes] = self._tree.stdout
        self.stderr: IO[bytes] = self._tree.stderr
        self.exited = threading.Event()
        self.gone = threading.Event()

    def wait(self) -> int:
        """Return the exit code once the process has ended: the signal that ended it, negative, if one did."""
        code = self._tree.wait()
        assert code is not None
        self.exited.set()
        return code

    def end(self, patience: float = 0.0) -> None:
        """End the process: wait so many seconds for it to end by itself, ask it to, then force it.

        An interrupt meanwhile forces it at once.
        """
        try:
            if not self.gone.wait(patience):
                self._tree.terminate()
                self.gone.wait(GRACE_SECONDS)
        finally:
            if not self.gone.is_set():
                self._tree.kill()
                self.gone.wait(LAST_SECONDS)

    def close(self) -> None:
        """End at once what the process, which has ended itself, has left behind."""
        self._tree.close()
