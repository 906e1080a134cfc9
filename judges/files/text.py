"""The bytes of a text file, refused early where they cannot be text that an author wrote."""

import os
import stat
from codecs import BOM_UTF8
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from judges.core.errors import ConfigError, Problem

MAX_BYTES = 10_000_000


def display_path(path: Path) -> str:
    """Return a path as short as it can be shown: relative to the working directory where it is below it."""
    whole, here = path.absolute(), Path.cwd()
    if ".." in whole.parts:
        plain = Path(os.path.normpath(whole))
        if plain.resolve() == whole.resolve():  # a step up from a link leads elsewhere
            whole = plain
    return str(whole.relative_to(here) if whole.is_relative_to(here) else whole)


def read_text(path: Path, limit: int = MAX_BYTES) -> str:
    """Return the text of a UTF-8 file, without its byte order mark; newlines stay as they are.

    Raises:
        ConfigError: there is no such file, it cannot be read, is longer than `limit` bytes, or is not text.
    """
    return decode(read_bytes(path, limit), path)


def decode(data: bytes, path: Path, line: int = 1) -> str:
    """Return the text of UTF-8 bytes that stand in a file from `line` on.

    Raises:
        ConfigError: the bytes are not text.
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise _refused(path, "is UTF-16, not UTF-8", "save it as UTF-8")
    if b"\0" in data:
        raise _refused(path, "is binary, not text", "name a text file")
    data = data.removeprefix(BOM_UTF8)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        below, column = line_and_column(before, len(before))
        place = (display_path(path), line + below - 1, column)
        raise ConfigError([Problem("is not UTF-8 text", *place, hint="save the file as UTF-8")]) from None


def read_bytes(path: Path, limit: int = MAX_BYTES) -> bytes:
    """Return the bytes of a regular file.

    Raises:
        ConfigError: there is no such file, it cannot be read, or it is longer than `limit` bytes.
    """
    with open_file(path) as file:
        if os.fstat(file.fileno()).st_size > limit:
            hint = "shorten it, or keep cases in JSONL or CSV files"
            raise _refused(path, f"is longer than {limit / 1e6:g} MB", hint)
        return file.read()


@contextmanager
def open_file(path: Path) -> Iterator[BinaryIO]:
    """Open a regular file for reading; errors while it is read are explained too.

    Raises:
        ConfigError: there is no such file, or it cannot be read.
    """
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise _refused(path, "is a folder", "name a file")
        if not stat.S_ISREG(mode):
            raise _refused(path, "is not a regular file", "name a file")
        with path.open("rb") as file:
            yield file
    except (OSError, ValueError) as error:
        raise _refused(path, *_reason(path, error)) from None


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """Return the position, from 1, of a character of the text."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def _reason(path: Path, error: Exception) -> tuple[str, str]:
    if isinstance(error, FileNotFoundError) and path.is_symlink():
        return f"is a link to {path.readlink()}, which does not exist", "correct the link"
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return "does not exist", "check the path"
    words = error.strerror if isinstance(error, OSError) else None
    return f"cannot be read: {words or error}", "check the path and its permissions"


def _refused(path: Path, message: str, hint: str) -> ConfigError:
    return ConfigError([Problem(message, display_path(path), hint=hint)])
