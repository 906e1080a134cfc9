"""The program that keeps one process tree: starts a program, tells how it ended, and leaves nothing of it.

It is run as a program of its own for every tree, and imports nothing of this project and little else. On
Linux it is a subreaper: a process whose parent ended becomes its child, even one that went into a session of
its own, and is ended and reaped with the rest. Elsewhere it reaches the program's process group alone.

It is given the number of a socket. On it comes first the order: its length in 8 bytes, then, with zero bytes
between them, the seconds of grace, the scratch folder or nothing, the number of arguments, the arguments, and
the environment. After that each byte is a command: `t` asks the program to end, `k` forces all that is left
to, which also ends the supervisor. It answers in lines: `started PID` or `failed ERRNO`, then `ended CODE`.
When the other end is gone, for whatever reason, it asks, waits for the time of grace, forces, and removes the
scratch folder.
"""

import os
import select
import signal
import sys
import time

TERMINATE, KILL = b"t", b"k"
LENGTH_BYTES = 8
LAST_SECONDS = 10.0
"""How long to try to end what does not end."""
_POLL_SECONDS = 0.01
_PR_SET_CHILD_SUBREAPER = 36


def main() -> None:
    """Run one order."""
    control = int(sys.argv[1])
    os.set_inheritable(control, False)
    order = _read_order(control)
    if order is None:
        return
    grace, scratch, arguments, environ = order
    adopts = _become_subreaper()
    wakeup = _watch_children()
    try:
        program = _start(arguments, environ)
    except OSError as error:
        _say(control, f"failed {error.errno}")
        return
    _release_streams()
    _say(control, f"started {program}")
    tree = Tree(control, program, adopts=adopts)
    tree.keep(wakeup, grace)
    if tree.abandoned and scratch:
        import shutil

        shutil.rmtree(scratch, ignore_errors=True)


class Tree:
    """The running program and its descendants. `abandoned`: its owner went away without a word."""

    def __init__(self, control: int, program: int, *, adopts: bool) -> None:
        self.abandoned = False
        self._control = control
        self._program = program
        self._adopts = adopts
        self._ended = False
        self._childless = False
        self._owned = True
        self._force_at: float | None = None

    def keep(self, wakeup: int, grace: float) -> None:
        """Serve the owner until nothing of the tree is left, or what is left cannot be ended."""
        given_up: float | None = None
        while not (self._childless and self._is_forced()):
            if self._is_forced():
                given_up = given_up or time.monotonic() + LAST_SECONDS
                if time.monotonic() > given_up:
                    return
                self._kill()
            self._listen(wakeup, grace)
            self._reap()
            if self.abandoned and self._ended:
                self._force_at = 0.0

    def _is_forced(self) -> bool:
        return self._force_at is not None and time.monotonic() >= self._force_at

    def _listen(self, wakeup: int, grace: float) -> None:
        """Wait for the owner, or for the end of a child."""
        sources = [wakeup, self._control] if self._owned else [wakeup]
        ready, _, _ = select.select(sources, [], [], self._patience())
        if wakeup in ready:
            os.read(wakeup, 4096)
        if self._control in ready:
            self._obey(_read(self._control), grace)

    def _patience(self) -> float | None:
        if self._force_at is None:
            return None
        return max(_POLL_SECONDS, self._force_at - time.monotonic())

    def _obey(self, commands: bytes, grace: float) -> None:
        self._owned = bool(commands)
        if not self._owned and self._force_at is None:
            self.abandoned = True
            self._force_at = time.monotonic() + grace
        if KILL in commands:
            self._force_at = 0.0
        elif not self._ended:
            _signal_group(self._program, signal.SIGTERM)

    def _reap(self) -> None:
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                self._childless = True
                return
            if not pid:
                self._childless = False
                return
            if pid == self._program:
                self._ended = True
                _say(self._control, f"ended {os.waitstatus_to_exitcode(status)}")

    def _kill(self) -> None:
        if not self._adopts:
            _signal_group(self._program, signal.SIGKILL)
            return
        for pid in _descendants():
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                continue


def _read_order(control: int) -> tuple[float, bytes, list[bytes], dict[bytes, bytes]] | None:
    length = int.from_bytes(_read_exactly(control, LENGTH_BYTES))
    order = _read_exactly(control, length)
    if not length or len(order) < length:
        return None  # its owner has gone already
    grace, scratch, count, *texts = order.split(b"\0")
    arguments, variables = texts[: int(count)], texts[int(count) :]
    environ = dict(variable.split(b"=", 1) for variable in variables)
    return float(grace), scratch, arguments, environ


def _become_subreaper() -> bool:
    """Return whether this process adopts all descendants whose parents end."""
    if sys.platform != "linux":
        return False
    try:
        import ctypes

        return ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0  # type: ignore[no-any-return]
    except (ImportError, OSError, AttributeError):
        return False


def _watch_children() -> int:
    """Return a pipe that can be read whenever a child has ended."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    return reader


def _start(arguments: list[bytes], environ: dict[bytes, bytes]) -> int:
    """Start the program in a process group of its own, with the signals as they are by default."""
    defaults = (signal.SIGINT, signal.SIGPIPE, signal.SIGXFSZ)
    return os.posix_spawn(arguments[0], arguments, environ, setpgroup=0, setsigdef=defaults)


def _release_streams() -> None:
    """Let go of the program's streams: who reads its output must see that it has ended."""
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)


def _descendants() -> list[int]:
    """Return all processes below this one, by the parents that /proc tells."""
    parents = {int(name): _parent(name) for name in os.listdir("/proc") if name.isdigit()}  # noqa: PTH208
    found = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return sorted(found - {os.getpid()})


def _parent(name: str) -> int:
    try:
        with open(f"/proc/{name}/stat", "rb") as file:  # noqa: PTH123  (pathlib is slow to import)
            return int(file.read().rpartition(b")")[2].split()[1])
    except (OSError, IndexError):
        return 0


def _signal_group(group: int, number: signal.Signals) -> None:
    try:
        os.killpg(group, number)
    except OSError:
        return


def _read_exactly(control: int, length: int) -> bytes:
    data = b""
    while len(data) < length and (piece := _read(control, length - len(data))):
        data += piece
    return data


def _read(control: int, length: int = 4096) -> bytes:
    try:
        return os.read(control, length)
    except OSError:
        return b""


def _say(control: int, words: str) -> None:
    try:
        os.write(control, words.encode() + b"\n")
    except OSError:
        return


if __name__ == "__main__":
    main()
