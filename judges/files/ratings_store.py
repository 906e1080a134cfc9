"""Adding a person's rating to `ratings.jsonl`, and taking back one that was just given."""

import os
from pathlib import Path

from judges.core.rating import Rating
from judges.files.lock import locked
from judges.files.ratings import read_ratings, render_rating
from judges.files.whole import LineWriter, write_whole


def append_rating(path: Path, *ratings: Rating) -> None:
    """Add ratings, all or none, to the end of a file, which is made where there is none.

    Several processes may do so at once: none of their ratings is lost.

    Raises:
        ConfigError: the file is wrong; it has not changed.
        OSError: it cannot be written; it has not changed.
    """
    with locked(path):
        open_line = ""
        if path.exists():
            read_ratings(path)
            open_line = "" if _ends_whole(path) else "\n"
        writer = LineWriter(path)
        try:
            writer.append(open_line + "\n".join(map(render_rating, ratings)))
        finally:
            writer.close()


def remove_rating(path: Path, rating: Rating) -> bool:
    """Take the last line with exactly this rating out of a file; return whether there was one.

    Raises:
        ConfigError: the file cannot be read.
        OSError: it cannot be written; it has not changed.
    """
    with locked(path):
        lines = path.read_bytes().split(b"\n")
        same = [at for at, line in enumerate(lines) if line.rstrip(b"\r") == render_rating(rating).encode()]
        if not same:
            return False
        del lines[same[-1]]
        with write_whole(path) as file:
            file.write(b"\n".join(lines).decode("utf-8"))
        return True


def _ends_whole(path: Path) -> bool:
    with path.open("rb") as file:
        length = file.seek(0, os.SEEK_END)
        file.seek(max(length - 1, 0))
        return file.read() in (b"", b"\n")
