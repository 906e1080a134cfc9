"""Changing a file that an author wrote: whole or not at all, with the old content kept on demand."""

import codecs
import errno
import os
import shutil
from pathlib import Path
from secrets import token_hex

from judges.files.whole import named_errors


def replace_text(path: Path, text: str, *, backup: bool = False) -> Path | None:
    """Put a text in the place of a file's content; return where the old content is kept, if it is.

    Links are followed; permissions and a byte order mark stay. Line ends are written as they are.

    Raises:
        OSError: a file cannot be written; the old one has not changed.
    """
    place = path.resolve(strict=True)
    marked = place.read_bytes().startswith(codecs.BOM_UTF8)
    draft = _draft(place)
    with named_errors(path, draft):
        try:
            draft.touch(0o600, exist_ok=False)  # nobody else may read it, unless that holds for the old one
            draft.write_text(text, encoding="utf-8-sig" if marked else "utf-8", newline="")
            shutil.copymode(place, draft)
            kept = _keep(place) if backup else None
            draft.replace(place)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
    return kept


def create_text(path: Path, text: str) -> None:
    """Write a new file, whole or not at all, and the folders that it is in.

    Raises:
        OSError: it cannot be written, or there is a file of that name already.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = _draft(path)
    with named_errors(path, draft):
        try:
            with draft.open("x", encoding="utf-8", newline="") as file:
                file.write(text)
            if os.path.lexists(path):
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
            draft.rename(path)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise


def free_name(path: Path) -> Path:
    """Return a name beside a file that is not taken: `NAME.bak`, `NAME.bak-2` and so on."""
    number = 1
    while os.path.lexists(name := path.with_name(f"{path.name}.bak{f'-{number}' if number > 1 else ''}")):
        number += 1
    return name


def _draft(path: Path) -> Path:
    """Return where a text is written before it takes the place of a file: no error names it."""
    return path.with_name(f".{path.name}.{token_hex(4)}")


def _keep(path: Path) -> Path:
    return Path(shutil.copy2(path, free_name(path)))
