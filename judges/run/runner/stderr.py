"""What runners write to their standard error: masked, its end kept for messages, its start in a file."""

import re
import threading
from contextlib import suppress
from pathlib import Path
from typing import IO

from judges.core.row import excerpt
from judges.run.runner.mask import Mask

LOG_NAME = "runner.stderr.log"
LOG_BYTES = 16_000_000
TAIL_LENGTH = 4000
WORDS_LENGTH = 300
PIECE_BYTES = 65_536


_ERROR = re.compile(r"(Uncaught )?[\w.$]*(Error|Exception)\b")


class ErrorLog:
    """The file that all processes of a runner share, made when there is something to write.

    It stops at 16 MB, and where the disk is full: what is lost is a log, not a result.
    """

    def __init__(self) -> None:
        self._path: Path | None = None
        self._file: IO[bytes] | None = None
        self._left = LOG_BYTES
        self._lock = threading.Lock()

    def open(self, folder: Path) -> None:
        """Write to a file in this folder from now on."""
        self._path = folder / LOG_NAME

    def write(self, text: str) -> None:
        """Append a text."""
        data = text.encode("utf-8", "replace")
        with self._lock, suppress(OSError):
            if self._path is None or self._left <= 0:
                return
            if self._file is None:
                self._file = self._path.open("ab", buffering=0)
            self._left -= len(data)
            if self._left <= 0:
                data += f"\n(the rest is left out: more than {LOG_BYTES // 1_000_000} MB)\n".encode()
            self._file.write(data)

    def close(self) -> None:
        """Write nothing more."""
        with self._lock:
            self._path = None
            if self._file is not None:
                self._file.close()
                self._file = None


class ErrorStream:
    """The standard error of one process. `tail` is its end."""

    def __init__(self, mask: Mask, log: ErrorLog) -> None:
        self.tail = ""
        self._mask = mask
        self._log = log

    def drain(self, stream: IO[bytes]) -> None:
        """Read all of it: a process whose standard error nobody reads is stuck once the pipe is full."""
        with stream:
            while piece := stream.readline(PIECE_BYTES):
                text = self._mask(piece.decode("utf-8", "replace"))
                self.tail = (self.tail + text)[-TAIL_LENGTH:]
                self._log.write(text)

    def words(self) -> str:
        """Return the line of the tail that says most: the last that names an error, else the last of all."""
        lines = [line.strip() for line in self.tail.splitlines() if line.strip()]
        errors = [line for line in lines if _ERROR.match(line)]
        return excerpt((errors or lines or [""])[-1], WORDS_LENGTH)
