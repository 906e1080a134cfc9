"""The server as a process: announced, used, and ended."""

import errno
import http.client
import os
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from http.cookiejar import CookieJar
from pathlib import Path
from typing import TypeAlias
from urllib.parse import urlsplit

import pytest
from reviewed import AUTHOR, run_suite

from judges.core.verdict import ExitCode
from judges.files.ratings import read_ratings
from scaffold.__main__ import run

Serve: TypeAlias = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Start servers for a run; they are ended with the test."""
    started = []
    run_suite(tmp_path)

    def start(*arguments: str) -> "subprocess.Popen[str]":
        command = [sys.executable, "-m", "scaffold", "review", "serve", "--author", AUTHOR, *arguments]
        pipe = subprocess.PIPE
        process = subprocess.Popen(command, cwd=tmp_path, stdout=pipe, stderr=pipe, text=True)
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


def read_url(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline().removesuffix("\n")


def end(process: "subprocess.Popen[str]") -> tuple[int, str, str]:
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    return process.returncode, out, err


def test_a_review(serve: Serve, tmp_path: Path) -> None:
    """The address is all that is printed; what is kept is in the file at once, and summed up at the end."""
    process = serve()
    url = read_url(process)
    assert url.startswith("http://127.0.0.1:")
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
    with browser.open(url) as answer:
        page, address = answer.read().decode(), answer.url
    assert "token" not in address
    state = page.partition('name="state" value="')[2].partition('"')[0]
    origin = f"http://{urlsplit(address).netloc}"
    headers = {"Content-Type": "application/json", "Origin": origin}
    body = f'{{"state": "{state}", "level-0": "4", "level-1": "3"}}'.encode()
    with browser.open(urllib.request.Request(f"{address}/rate", body, headers)) as answer:
        assert "Kept blind: tone 4, safety 3." in answer.read().decode()
        assert answer.headers.get("Server") is None
    ratings = read_ratings(tmp_path / ".omniscitus/tests/greeting/ratings.jsonl")
    assert [each.author for each in ratings] == [AUTHOR, AUTHOR]
    code, out, err = end(process)
    assert (code, out) == (0, "")
    assert err.splitlines() == ["Open this in a browser; Ctrl-C ends the review:", "Kept 2 ratings."]


def test_bytes_that_are_too_many(serve: Serve) -> None:
    """A body that would fill the memory is refused before it is read."""
    process = serve()
    place = urlsplit(read_url(process)).netloc
    connection = http.client.HTTPConnection(place, timeout=30)
    connection.putrequest("POST", "/undo")
    connection.putheader("Content-Length", str(10**12))
    connection.endheaders()
    assert connection.getresponse().status == 413
    connection.close()
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(f"http://{place}/")
    with caught.value as refused:
        assert (refused.code, b"has not shown the token" in refused.read()) == (403, True)
    assert end(process)[0] == 0


def test_others_on_the_network(serve: Serve) -> None:
    """Whoever lets others reach the page is told what that means."""
    process = serve("--host", "0.0.0.0")
    assert read_url(process).startswith("http://127.0.0.1:")
    code, _, err = end(process)
    assert code == 0
    assert err.splitlines() == [
        "Warning: whoever reaches 0.0.0.0 and has this address sees inputs and outputs, and decides. "
        "Nothing is encrypted on the way.",
        "From elsewhere, put this machine's address in place of 127.0.0.1.",
        "Open this in a browser; Ctrl-C ends the review:",
        "Nothing was changed.",
    ]


MISTAKES = [
    ("foreign address", ("--host", "192.0.2.1"), "cannot listen on 192.0.2.1, port 0: "),
    ("no host", ("--host", "a..b"), "cannot listen on a..b, port 0: "),
    ("no such suite", ("--suite", "other"), "has no suite 'other' (there are: greeting)"),
    ("no port", ("--port", "65536"), "65536 is not in the range 0<=x<=65535"),
    ("nobody", ("--author", " "), "it is not known who decides (say it with --author NAME"),
]


@pytest.mark.parametrize(("arguments", "words"), [pytest.param(*each[1:], id=each[0]) for each in MISTAKES])
def test_mistakes(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    words: str,
) -> None:
    """What cannot be served is said in one sentence."""
    run_suite(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert run(["review", "serve", "--author", AUTHOR, *arguments]) == ExitCode.USAGE
    said = capsys.readouterr()
    assert (said.out, words in said.err) == ("", True), said.err


def test_a_port_that_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The message says which port, and how to get another one."""
    run_suite(tmp_path)
    monkeypatch.chdir(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code = run(["review", "serve", "--author", AUTHOR, "--port", str(port)])
    why = os.strerror(errno.EADDRINUSE)
    assert (code, capsys.readouterr().err) == (
        ExitCode.USAGE,
        f"Error: cannot listen on 127.0.0.1, port {port}: {why} (--port 0 takes any free port)\n",
    )
