"""Process trees: real programs that start others, ignore signals, go into sessions of their own, and end."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from runner_scripts import is_alive, wait_until

from judges.providers.process.tree import (
    ProcessTree,
    Program,
    describe_exit,
    describe_survivors,
    signal_name,
)

ENVIRON = {"PATH": os.environ["PATH"]}


def shell(script: str, folder: Path) -> Program:
    return Program(arguments=("/bin/sh", "-c", script), folder=folder, environ=ENVIRON)


def read_pids(folder: Path, count: int) -> list[int]:
    """The processes that have noted their numbers in the file `pids`, once all have."""
    file = folder / "pids"
    wait_until(lambda: file.exists() and file.read_text().count("\n") == count)
    return [int(line) for line in file.read_text().split()]


def quiet(program: Program) -> ProcessTree:
    return ProcessTree(program, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


# A child, a grandchild whose parent ends, and one that goes into a session of its own, as the Bash tool does.
FAMILY = """
note() { echo $$ >> pids; }
sh -c 'echo $$ >> pids; exec sleep 60' &
sh -c "sh -c 'echo \\$\\$ >> pids; exec sleep 60' &"
setsid sh -c 'echo $$ >> pids; trap "" TERM; while true; do sleep 60; done' &
note
"""


def test_streams_and_exit_code(tmp_path: Path) -> None:
    """A program reads, writes and ends as if it had been started directly."""
    tree = ProcessTree(shell("cat; echo oops >&2; pwd; exit 7", tmp_path), stdin=subprocess.PIPE)
    assert tree.stdin
    assert tree.stdout
    assert tree.stderr
    tree.stdin.write(b"hello\n")
    tree.stdin.close()
    with tree.stdout, tree.stderr:
        assert tree.stdout.read() == f"hello\n{tmp_path}\n".encode()
        assert tree.stderr.read() == b"oops\n"
    assert (tree.wait(), tree.wait()) == (7, 7)
    tree.close()
    tree.close()


def run(program: Program) -> bytes:
    tree = ProcessTree(program, stderr=subprocess.DEVNULL)
    assert tree.stdout
    with tree.stdout:
        said = tree.stdout.read()
    tree.close()
    return said


def test_environment_and_signals(tmp_path: Path) -> None:
    """It gets its own variables and no other, byte for byte, and no signal is ignored on its behalf."""
    environ = {"A": "1", "B": "x=\udcff\n", "EMPTY": ""}
    script = (
        "import os, signal\n"
        "print({name: value for name, value in os.environ.items() if name != 'LC_CTYPE'})\n"
        "print(signal.getsignal(signal.SIGINT))"
    )
    program = Program(arguments=(sys.executable, "-c", script), folder=tmp_path, environ=environ)
    assert run(program).decode().splitlines() == [
        str(environ),
        "<built-in function default_int_handler>",
    ]
    status = run(Program(arguments=("/bin/cat", "/proc/self/status"), folder=tmp_path, environ={}))
    ignored = int(next(line for line in status.splitlines() if line.startswith(b"SigIgn")).split()[1], 16)
    assert ignored & (1 << (signal.SIGPIPE - 1)) == 0


def test_descriptors(tmp_path: Path) -> None:
    """Nothing is open in it but its three streams."""
    said = run(shell("ls /proc/self/fd", tmp_path))
    assert said.split() == [b"0", b"1", b"2", b"3"]  # the last is the listing's own


def test_survives_nobody(tmp_path: Path) -> None:
    """Asked to end, the program ends, and with it all that it started, wherever that has gone."""
    tree = quiet(shell(FAMILY + "exec sleep 60", tmp_path))
    pids = read_pids(tmp_path, 4)
    assert all(map(is_alive, pids))
    assert tree.wait(0.01) is None
    began = time.monotonic()
    tree.end(grace=9)
    assert time.monotonic() - began < 8
    assert tree.wait() == -signal.SIGTERM
    assert not any(map(is_alive, pids))


def test_what_is_left_behind(tmp_path: Path) -> None:
    """A program that ends by itself leaves nothing running either, though its code is known at once."""
    tree = quiet(shell(FAMILY + "sleep 0.2; exit 3", tmp_path))
    pids = read_pids(tmp_path, 4)
    assert tree.wait() == 3
    assert sum(map(is_alive, pids)) == 3
    tree.close()
    assert not any(map(is_alive, pids))


def test_forced(tmp_path: Path) -> None:
    """What does not want to end is forced to after the time of grace."""
    script = "trap '' TERM; echo $$ > pids; while true; do sleep 60; done"
    tree = quiet(shell(script, tmp_path))
    pids = read_pids(tmp_path, 1)
    began = time.monotonic()
    tree.end(grace=0.3)
    assert 0.3 <= time.monotonic() - began < 8
    assert tree.wait() == -signal.SIGKILL
    assert not any(map(is_alive, pids))


def test_time_to_clean_up(tmp_path: Path) -> None:
    """Within the time of grace a program may put things in order."""
    script = "trap 'sleep 0.2; touch cleaned; exit 5' TERM; echo $$ > pids; while true; do sleep 0.05; done"
    tree = quiet(shell(script, tmp_path))
    read_pids(tmp_path, 1)
    tree.end()
    assert (tmp_path / "cleaned").exists()
    assert tree.wait() == 5


def test_interrupted_while_it_ends(tmp_path: Path) -> None:
    """An interrupt during the time of grace forces the end at once."""
    script = "trap '' TERM; echo $$ > pids; while true; do sleep 60; done"
    tree = quiet(shell(script, tmp_path))
    pids = read_pids(tmp_path, 1)
    threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        tree.end(grace=30)
    assert time.monotonic() - began < 20
    assert not any(map(is_alive, pids))


OWNER = """
import os, subprocess, sys
from pathlib import Path
from judges.providers.process.tree import ProcessTree, Program
folder, script, scratch = sys.argv[1:]
program = Program(arguments=("/bin/sh", "-c", script), folder=Path(folder), environ=dict(os.environ))
tree = ProcessTree(program, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, scratch=Path(scratch))
Path(folder, "ready").touch()
tree.wait()
"""


def test_its_owner_is_killed(tmp_path: Path) -> None:
    """When this process is killed, the tree ends by itself, and its scratch folder is removed."""
    scratch = tmp_path / "scratch"
    (scratch / "home").mkdir(parents=True)
    (scratch / "home" / "secret").touch()
    owner = subprocess.Popen(
        [sys.executable, "-c", OWNER, str(tmp_path), FAMILY + "exec sleep 60", str(scratch)]
    )
    try:
        pids = read_pids(tmp_path, 4)
        wait_until((tmp_path / "ready").exists)
    finally:
        owner.kill()
        owner.wait()
    wait_until(lambda: not any(map(is_alive, pids)))
    wait_until(lambda: not scratch.exists())


def test_its_supervisor_is_killed(tmp_path: Path) -> None:
    """Somebody who kills the supervisor ends the program, too."""
    tree = quiet(shell("echo $$ > pids; exec sleep 60", tmp_path))
    pids = read_pids(tmp_path, 1)
    tree._supervisor.kill()
    assert tree.wait() == -signal.SIGKILL
    tree.close()
    wait_until(lambda: not any(map(is_alive, pids)))


def test_parallel_trees_do_not_mix(tmp_path: Path) -> None:
    """The end of one tree leaves the others alone, however they were started."""
    folders = [tmp_path / str(number) for number in range(4)]
    for folder in folders:
        folder.mkdir()
    trees = [quiet(shell(FAMILY + "exec sleep 60", each)) for each in folders]
    families = [read_pids(folder, 4) for folder in folders]
    trees[0].end()
    assert [sum(map(is_alive, family)) for family in families] == [0, 4, 4, 4]
    for tree in trees[1:]:
        tree.end()
    assert [sum(map(is_alive, family)) for family in families] == [0, 0, 0, 0]


CANNOT = {
    "no such program": ("/no/such/program", None, FileNotFoundError),
    "not a program": ("text", "just text\n", OSError),
    "no interpreter": ("script", "#!/no/such/interpreter\n", FileNotFoundError),
}


@pytest.mark.parametrize(("name", "content", "error"), CANNOT.values(), ids=list(CANNOT))
def test_cannot_be_started(tmp_path: Path, name: str, content: str | None, error: type[OSError]) -> None:
    """The error is the system's, and names the program."""
    path = tmp_path / name
    if content is not None:
        path.write_text(content)
        path.chmod(0o755)
    with pytest.raises(error) as caught:
        ProcessTree(Program(arguments=(str(path),), folder=tmp_path, environ={}), stdin=subprocess.PIPE)
    assert caught.value.filename == str(path)


def test_no_such_folder(tmp_path: Path) -> None:
    """A working directory that is not there is named, too."""
    with pytest.raises(FileNotFoundError) as caught:
        ProcessTree(Program(arguments=("/bin/true",), folder=tmp_path / "gone", environ={}))
    assert caught.value.filename == tmp_path / "gone"


def test_zero_bytes(tmp_path: Path) -> None:
    """No argument can hold one; it is refused, not cut."""
    with pytest.raises(ValueError, match="a zero byte"):
        ProcessTree(shell("echo a\0b", tmp_path))


def test_large_arguments(tmp_path: Path) -> None:
    """Many long arguments and variables reach the program whole."""
    arguments = ("/bin/sh", "-c", 'echo "$# ${#1} ${#BIG}"', "sh", *["x" * 100_000] * 9)
    program = Program(arguments=arguments, folder=tmp_path, environ={"BIG": "y" * 100_000})
    assert run(program) == b"9 100000 100000\n"


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (0, "ended with exit code 0"),
        (-9, "was ended by the signal SIGKILL"),
        (-77, "was ended by the signal 77"),
    ],
)
def test_in_words(code: int, words: str) -> None:
    """An exit code says how a program ended."""
    assert describe_exit(code) == words


def test_signal_names() -> None:
    """Only a negative code stands for a signal."""
    assert (signal_name(143), signal_name(-15)) == (None, "SIGTERM")


@pytest.mark.parametrize(("system", "told"), [("linux", False), ("darwin", True)])
def test_what_may_survive(monkeypatch: pytest.MonkeyPatch, system: str, told: bool) -> None:
    """On Linux nothing does; elsewhere it is said."""
    monkeypatch.setattr(sys, "platform", system)
    assert bool(describe_survivors()) is told
