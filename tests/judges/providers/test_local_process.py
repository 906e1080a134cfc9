"""The life of a model's server: a real child process, with a program that stands for the model."""

import gc
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from judges.core.errors import ProcessError
from judges.providers.local.process import LocalServer, server_command

FAKE = Path(__file__).with_name("fake_model_server.py")


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "logs" / "fake.log"


def server(log: Path, behaviour: str = "", ready_seconds: float = 20) -> LocalServer:
    return LocalServer([sys.executable, str(FAKE), behaviour], log, ready_seconds=ready_seconds)


def pid_of(url: str) -> int:
    return int(url.split("/")[3])


def is_listening(url: str) -> bool:
    parts = urlsplit(url)
    try:
        socket.create_connection((parts.hostname or "", parts.port or 0), timeout=5).close()
    except ConnectionRefusedError:
        return False
    return True


def within(seconds: float, holds: Callable[[], bool]) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.05)
    return False


def test_starts_when_it_is_needed_and_once(log: Path) -> None:
    """Nothing runs before the first use, and all threads share one process."""
    local = server(log)
    assert not log.exists()
    found: list[str] = []
    threads = [threading.Thread(target=lambda: found.append(local.address().base_url)) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 5
    assert len(set(found)) == 1
    assert local.how_it_ended() is None


def test_the_key_is_not_shown(log: Path) -> None:
    """An address can be printed without its key."""
    assert "key-of-the-fake" not in repr(server(log).address())


def test_has_a_session_of_its_own(log: Path) -> None:
    """Ctrl-C on the terminal does not reach it: its owner ends it."""
    local = server(log)
    pid = pid_of(local.address().base_url)
    assert os.getsid(pid) == pid


def test_ends_with_its_owner(log: Path) -> None:
    """When the last reference goes, so does the process."""
    local = server(log)
    url = local.address().base_url
    assert is_listening(url)
    del local
    gc.collect()
    assert not is_listening(url)


OWNER = """
import os, sys, time
from pathlib import Path
from judges.providers.local.process import LocalServer
local = LocalServer([sys.executable, sys.argv[1]], Path(sys.argv[2]))
print(local.address().base_url, flush=True)
{ending}
"""


@pytest.mark.parametrize(
    "ending",
    [
        pytest.param("sys.exit(1)", id="it exits"),
        pytest.param("raise RuntimeError", id="it fails"),
        pytest.param("os.kill(os.getpid(), 9)", id="it is killed"),
        pytest.param("import _thread; _thread.interrupt_main(); time.sleep(60)", id="Ctrl-C"),
    ],
)
def test_ends_with_the_program(log: Path, ending: str) -> None:
    """However its owner's process ends, the server is gone at once."""
    owner = [sys.executable, "-c", OWNER.format(ending=ending), str(FAKE), str(log)]
    done = subprocess.run(owner, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode != 0
    assert within(5, lambda: not is_listening(done.stdout.strip()))


def test_a_crash_is_followed_by_a_new_start(log: Path) -> None:
    """The next call gets a fresh process, three times; then the server is given up."""
    local = server(log)
    seen = set()
    for _ in range(4):
        url = local.address().base_url
        seen.add(url)
        os.kill(pid_of(url), signal.SIGKILL)
        assert local.how_it_ended() == "was ended by SIGKILL"
    assert len(seen) == 4
    with pytest.raises(ProcessError) as caught:
        local.address()
    assert str(caught.value) == f"the model's server ended 4 times. Its log: {log}"


@pytest.mark.parametrize(
    ("behaviour", "why"),
    [
        pytest.param("broken", "ended (exit code 1): fake: cannot load the model", id="ends"),
        pytest.param("silent", "was not ready within 0.5 s: fake: loading", id="says nothing"),
        pytest.param("rubbish", "did not tell its address: fake: loading", id="says something else"),
    ],
)
def test_a_start_that_fails(log: Path, behaviour: str, why: str) -> None:
    """The reason is the last line of the log, and it is not tried again."""
    local = server(log, behaviour, ready_seconds=20 if behaviour == "broken" else 0.5)
    for _ in range(2):
        with pytest.raises(ProcessError) as caught:
            local.address()
        assert str(caught.value) == f"the model's server {why}. Its log: {log}"
    assert log.read_text().count("fake: loading") == 1


def test_a_program_that_cannot_be_started(log: Path) -> None:
    """A missing program, or a place that takes no log, is one sentence."""
    missing = LocalServer(["/nowhere/python"], log)
    with pytest.raises(ProcessError, match=r"the model's server cannot be started: .*'/nowhere/python'"):
        missing.address()
    log.parent.with_name("file").write_text("")
    with pytest.raises(ProcessError, match=r"the model's server cannot be started: .*File exists"):
        server(log.parent.with_name("file") / "fake.log").address()


def test_the_log_is_kept_and_stays_small(log: Path) -> None:
    """Starts are added to the log, until it is large enough to begin again."""
    for _ in range(2):
        server(log).address()
    assert log.read_text().count("fake: loading") == 2
    log.write_bytes(b"x" * 1_000_001)
    server(log).address()
    assert log.stat().st_size < 1000


def test_the_command_serves_from_this_python() -> None:
    """The program is run by its path, without the working directory on the module path."""
    python, flag, program, model, *options = server_command(Path("m.gguf"), context=512)
    assert (python, flag, model) == (sys.executable, "-P", "m.gguf")
    assert Path(program).name == "server.py"
    assert Path(program).is_file()
    assert options[0::2] == ["--threads", "--context"]
    assert 1 <= int(options[1]) <= 4
    assert options[3] == "512"
