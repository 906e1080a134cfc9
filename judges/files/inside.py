"""Files inside a folder that a program filled: it may hold links, pipes, and files of any size."""

import os
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISREG

from judges.core.errors import RunError


@dataclass(frozen=True, slots=True)
class Inside:
    """What is at a place inside a folder: `path` is the real path of a regular file, or `complaint` says why.

    `absent` tells that nothing at all is there.
    """

    path: Path | None = None
    complaint: str = ""
    absent: bool = False


def look_inside(folder: Path, name: str) -> Inside:
    """Return what a relative name stands for below a folder. Links count as what they lead to.

    Raises:
        RunError: the folder or the place cannot be looked at.
    """
    place = folder / name
    try:
        root = folder.resolve(strict=True)
        if not os.path.lexists(place):
            return Inside(complaint=f"there is no {name}", absent=True)
        real = place.resolve(strict=True)
        if not real.is_relative_to(root):
            return Inside(complaint=f"{name} leads out of the workspace")
        return Inside(real) if real.is_file() else Inside(complaint=f"{name} is not a regular file")
    except FileNotFoundError as error:
        if Path(str(error.filename)) == folder:
            raise RunError("the workspace is not there any more") from None
        return Inside(complaint=f"{name} is a link to nothing")
    except (OSError, RuntimeError) as error:
        raise RunError(f"{name} cannot be looked at: {_words(error)}") from None


def read_inside(path: Path, limit: int) -> str:
    """Return the text of a regular file that `look_inside` found; bytes that are no UTF-8 become U+FFFD.

    Raises:
        RunError: it cannot be read, or has more than `limit` bytes.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as file:
            if not S_ISREG(os.fstat(file.fileno()).st_mode):
                raise RunError(f"{path.name} is not a regular file")
            data = file.read(limit + 1)
    except OSError as error:
        raise RunError(f"{path.name} cannot be read: {_words(error)}") from None
    if len(data) > limit:
        raise RunError(f"{path.name} is larger than {limit / 1e6:g} MB")
    return data.decode(errors="replace")


def _words(error: Exception) -> str:
    return (isinstance(error, OSError) and error.strerror) or str(error)
