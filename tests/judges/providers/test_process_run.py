"""Programs run to their end: in bounded time, in bounded memory, and stopped on request."""

import os
import resource
import subprocess
import sys
import time
from pathlib import Path

from judges.providers.process import supervisor
from judges.providers.process.run import Ended, Streams, run_briefly, run_program
from judges.providers.process.tree import Program


def shell(script: str, folder: Path) -> Program:
    return Program(arguments=("/bin/sh", "-c", script), folder=folder, environ={"PATH": os.environ["PATH"]})


def run(script: str, folder: Path, said: bytes = b"", **options: object) -> tuple[Ended, bytes]:
    (folder / "in").write_bytes(said)
    with (folder / "in").open("rb") as stdin, (folder / "out").open("wb") as stdout:
        ended = run_program(
            shell(script, folder), Streams(stdin, stdout, stdout), **{"seconds": 10.0, **options}
        )  # type: ignore[arg-type]
    return ended, (folder / "out").read_bytes()


def test_to_its_end(tmp_path: Path) -> None:
    """The exit code, the time until then, and the bytes of its streams as they are."""
    ended, out = run("cat; sleep 0.2; exit 4", tmp_path, b" \0\r\n\xff ")
    assert (ended.code, ended.timed_out, ended.interrupted, out) == (4, False, False, b" \0\r\n\xff ")
    assert 200 <= ended.elapsed_ms < 9000


def test_time_is_up(tmp_path: Path) -> None:
    """It is made to end, and what it has written until then is there."""
    ended, out = run("echo begun; exec sleep 60", tmp_path, seconds=1.0)
    assert (ended.code, ended.timed_out, ended.interrupted, out) == (-15, True, False, b"begun\n")
    assert 1000 <= ended.elapsed_ms < 9000


def test_stopped(tmp_path: Path) -> None:
    """Whoever stops it need not wait for its end."""
    began = time.monotonic()
    ended, _ = run("exec sleep 60", tmp_path, stopped=lambda: time.monotonic() > began + 0.2)
    assert (ended.code, ended.timed_out, ended.interrupted) == (-15, False, True)
    assert time.monotonic() - began < 9


def test_a_flood_of_output(tmp_path: Path) -> None:
    """200 MB of output go to the file, and through no memory of this process."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with (tmp_path / "out").open("wb") as out, (tmp_path / "in").open("w+b") as nothing:
        program = shell("head -c 200000000 /dev/zero", tmp_path)
        assert run_program(program, Streams(nothing, out, out), seconds=60).code == 0
    assert (tmp_path / "out").stat().st_size == 200_000_000
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000  # kB


def test_briefly(tmp_path: Path) -> None:
    """Only what ended well, in time, has said something."""
    scripts = ("echo 1.2.3; echo x >&2", "echo 1; exit 1", "exit 0")
    said = [run_briefly(shell(script, tmp_path), seconds=10) for script in scripts]
    assert said == ["1.2.3\n", None, ""]
    assert run_briefly(shell("echo no; exit 1", tmp_path), seconds=10, codes=(0, 1)) == "no\n"
    assert run_briefly(shell("echo 1; exec sleep 60", tmp_path), seconds=0.5) is None
    assert run_briefly(Program(arguments=("/no/such",), folder=tmp_path, environ={}), seconds=1) is None


def test_the_supervisor_is_light(tmp_path: Path) -> None:
    """It is started for every session, so that it loads next to nothing."""
    listing = "import sys; sys.path.insert(0, sys.argv[1]); import supervisor; print(*sorted(sys.modules))"
    folder = str(Path(supervisor.__file__).parent)
    said = subprocess.run(
        [sys.executable, "-I", "-S", "-c", listing, folder], capture_output=True, text=True, check=True
    )
    assert not {"subprocess", "shutil", "json", "ctypes", "pathlib", "threading", "socket"} & set(
        said.stdout.split()
    )
