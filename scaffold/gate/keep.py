"""What a gate leaves behind: an accepted task at the end of the corpus, a rejection in the log.

Lines are appended whole, one writer at a time, so that several gates may do so at once.
"""

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from judges.core.encode import render_line
from judges.files.lock import locked
from judges.files.whole import LineWriter, named_errors

REJECTIONS_FILE = "rejections.jsonl"
"""Beside the registry."""


def append_line(path: Path, value: Any) -> None:
    """Append a JSON value as a line of its own, also where the last line has no end.

    Raises:
        ConfigError: another program has been writing it for too long.
        OSError: it cannot be written; the file is as it was.
    """
    with locked(path):  # half a line of another gate would be taken for one without an end
        gap = "\n" if _lacks_end(path) else ""
        with closing(LineWriter(path)) as writer:
            writer.append(gap + render_line(value))


def log_rejection(registry: Path, entry: Mapping[str, Any]) -> None:
    """Append a rejection to the log beside the registry.

    Raises:
        OSError: it cannot be written; the log is as it was.
    """
    append_line(registry.with_name(REJECTIONS_FILE), entry)


def _lacks_end(path: Path) -> bool:
    with named_errors(path):
        if not path.exists() or not path.stat().st_size:
            return False
        with path.open("rb") as file:
            file.seek(-1, 2)
            return file.read(1) != b"\n"
