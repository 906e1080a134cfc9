"""Lines at the end of a file: where they start, several in one step, all or none."""

import errno
from pathlib import Path
from typing import Any

import pytest

from judges.files.whole import LineWriter


def test_places(tmp_path: Path) -> None:
    """Each line's place is that of its first byte, behind what was there before."""
    path = tmp_path / "lines"
    path.write_bytes("é\n".encode())
    writer = LineWriter(path)
    places = [*writer.append_all(["ab", "", "ü"]), *writer.append_all([]), writer.append("c")]
    writer.close()
    assert places == [3, 6, 7, 10]
    assert path.read_bytes() == "é\nab\n\nü\nc\n".encode()


class Full:
    """A file on a disk that takes a few bytes more, and then none."""

    def __init__(self, file: Any) -> None:
        self._file = file
        self._left = 5

    def write(self, data: memoryview) -> int:
        if not self._left:
            raise OSError(errno.ENOSPC, "No space left on device")
        taken = self._file.write(data[: self._left])
        self._left -= taken
        return int(taken)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


def test_all_or_none(tmp_path: Path) -> None:
    """Lines that do not fit leave the file as it was, and the error names it."""
    path = tmp_path / "lines"
    writer = LineWriter(path)
    writer.append("first")
    writer._file = Full(writer._file)
    with pytest.raises(OSError, match="No space left") as caught:
        writer.append_all(["ab", "cd", "ef"])
    writer.close()
    assert caught.value.filename == str(path)
    assert path.read_text() == "first\n"
