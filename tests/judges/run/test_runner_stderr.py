"""The standard error of runners: what is kept, and which line says most."""

import io
from pathlib import Path

import pytest

from judges.run.runner.stderr import LOG_BYTES, ErrorLog, ErrorStream


def drained(data: bytes, log: ErrorLog) -> ErrorStream:
    stream = ErrorStream(str, log)
    stream.drain(io.BytesIO(data))
    return stream


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ""),
        ("\n \n", ""),
        ("loading\nno such file\n\n", "no such file"),
        ("Traceback (most recent call last):\n  File x\nkey.KeyError: 'a'\n", "key.KeyError: 'a'"),
        ("x.js:1\n\nTypeError: no\n    at x.js:1\n\nNode.js v20.20.2\n", "TypeError: no"),
        ("Error [ERR_MODULE_NOT_FOUND]: no module\n    at y\n", "Error [ERR_MODULE_NOT_FOUND]: no module"),
        ("ValueError: first\nValueError: second\nbye", "ValueError: second"),
        ("an Error is mentioned\nlast", "last"),
        ("x" * 1000, "x" * 299 + "…"),
    ],
)
def test_words(text: str, words: str) -> None:
    """The last line that names an error, else the last line, and never a long one."""
    assert drained(text.encode(), ErrorLog()).words() == words


def test_only_the_end_is_in_memory() -> None:
    """However much is written, a few thousand characters are kept for messages."""
    assert drained(b"x" * 1_000_000 + b"end", ErrorLog()).tail == "x" * 3997 + "end"


def test_bytes_that_are_no_text() -> None:
    """What is not UTF-8 is kept as far as it can be."""
    assert drained(b"caf\xe9\n", ErrorLog()).tail == "caf\ufffd\n"


def test_the_log_is_bounded(tmp_path: Path) -> None:
    """The file holds the start of a flood, and says that there was more."""
    log = ErrorLog()
    log.open(tmp_path)
    drained(b"x" * (LOG_BYTES + 1_000_000), log)
    log.close()
    path = tmp_path / "runner.stderr.log"
    assert LOG_BYTES <= path.stat().st_size < LOG_BYTES + 100_000
    assert path.read_bytes().endswith(b"x\n(the rest is left out: more than 16 MB)\n")


def test_a_log_that_cannot_be_written(tmp_path: Path) -> None:
    """A full disk costs the log, not the run."""
    (tmp_path / "runner.stderr.log").symlink_to("/dev/full")
    log = ErrorLog()
    log.open(tmp_path)
    assert drained(b"text\n", log).tail == "text\n"
    log.close()


def test_nothing_is_written_once_closed(tmp_path: Path) -> None:
    """What a process says after its run is lost."""
    log = ErrorLog()
    log.open(tmp_path)
    log.close()
    log.write("late")
    assert list(tmp_path.iterdir()) == []
