"""Programs that are run to their end, in bounded time and memory: their streams are files."""

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from judges.providers.process.tree import ProcessTree, Program

_POLL_SECONDS = 0.2
BRIEF_BYTES = 100_000


@dataclass(frozen=True, slots=True)
class Streams:
    """The open files that a program reads from and writes to."""

    stdin: IO[bytes]
    stdout: IO[bytes]
    stderr: IO[bytes]


@dataclass(frozen=True, slots=True)
class Ended:
    """How a program ended: its exit code, negative for a signal, and the milliseconds until then.

    `timed_out` or `interrupted`: it was made to end, with everything that it had started.
    """

    code: int
    elapsed_ms: float
    timed_out: bool = False
    interrupted: bool = False


def run_program(
    program: Program,
    streams: Streams,
    *,
    seconds: float,
    stopped: Callable[[], bool] = lambda: False,
    scratch: Path | None = None,
) -> Ended:
    """Run a program to its end, and leave nothing of what it has started.

    It is made to end after so many seconds, and when `stopped` says so. The folder `scratch` is removed
    where this process does not live to see the end.

    Raises:
        OSError: it cannot be started.
    """
    began = time.monotonic()
    tree = ProcessTree(
        program, stdin=streams.stdin, stdout=streams.stdout, stderr=streams.stderr, scratch=scratch
    )
    timed_out = interrupted = False
    try:
        while (code := tree.wait(_patience(began + seconds))) is None:
            interrupted = stopped()
            timed_out = not interrupted and time.monotonic() >= began + seconds
            if interrupted or timed_out:
                break
        elapsed = time.monotonic() - began
    finally:
        tree.end()
    if code is None:
        code = tree.wait()
    assert code is not None
    return Ended(code, elapsed * 1000, timed_out, interrupted)


def run_briefly(program: Program, *, seconds: float, codes: Collection[int] = (0,)) -> str | None:
    """Return what a program prints, at most 100 kB.

    None: it cannot be started, takes longer than that, or ends with an exit code that is none of these.
    """
    with TemporaryFile() as stdin, TemporaryFile() as stdout, TemporaryFile() as stderr:
        try:
            ended = run_program(program, Streams(stdin, stdout, stderr), seconds=seconds)
        except OSError:
            return None
        if ended.code not in codes or ended.timed_out:
            return None
        stdout.seek(0)
        return stdout.read(BRIEF_BYTES).decode("utf-8", "replace")


def _patience(deadline: float) -> float:
    return max(0.001, min(_POLL_SECONDS, deadline - time.monotonic()))
