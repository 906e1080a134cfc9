"""Files that are written whole or not at all, and errors that name the file."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from stat import S_IMODE
from typing import IO, TextIO


@contextmanager
def write_whole(path: Path) -> Iterator[TextIO]:
    """Open a UTF-8 text file that takes its place only when everything was written.

    An earlier file's permissions stay. A link is followed; what is no regular file, such as a pipe, is
    written directly.

    Raises:
        OSError: it cannot be written; the error names the file, and an earlier file is as it was.
    """
    target = path.resolve()
    part = target.with_name(f"{target.name}.{os.getpid()}.tmp")
    mode = S_IMODE(target.stat().st_mode) if target.is_file() else None
    if mode is None and target.exists():
        part = target
    with named_errors(path, part):
        try:
            if mode is not None:
                part.touch(0o600)  # nobody else may read it, unless that holds for the earlier one
            with part.open("w", encoding="utf-8") as file:
                if mode is not None:
                    part.chmod(mode)
                yield file
            if part != target:
                part.replace(target)
        except BaseException:
            if part != target:
                part.unlink(missing_ok=True)
            raise


class LineWriter:
    """Appends lines to a file, each whole or not at all. Used from one thread."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: IO[bytes] = path.open("ab", buffering=0)

    def append(self, line: str) -> int:
        """Append a line, given without its end, and return where it starts.

        Raises:
            OSError: it cannot be written; the error names the file, which is as it was.
        """
        return self.append_all((line,))[0]

    def append_all(self, lines: Iterable[str]) -> list[int]:
        """Append several lines in one step: all of them, or none.

        Raises:
            OSError: they cannot be written; the error names the file, which is as it was.
        """
        at = self._file.tell()
        places, data = [], bytearray()
        for line in lines:
            places.append(at + len(data))
            data += line.encode("utf-8") + b"\n"
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[self._file.write(rest) :]
        except OSError:
            with suppress(OSError):
                self._file.truncate(at)
            with named_errors(self._path):
                raise
        return places

    def close(self) -> None:
        """Close the file."""
        self._file.close()


@contextmanager
def named_errors(path: Path, part: Path | None = None) -> Iterator[None]:
    """Put the file's name into errors that lack it, as those of writing do, or name its unfinished part."""
    try:
        yield
    except OSError as error:
        if error.filename not in (None, str(part)):
            raise
        raise OSError(error.errno, error.strerror, str(path)) from error
