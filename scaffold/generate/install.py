"""Puts generated files into a project: all of them or none, and never over a file that is there."""

import filecmp
import os
import shutil
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path
from tempfile import mkdtemp

from judges.core.errors import ConfigError, Problem, ScaffoldError

_HINT = "choose another name, or use --force, which keeps the old file beside the new one"


class Taken(Enum):
    """What to do where a file of that name is there already. The same bytes are in the way of REFUSE only."""

    REFUSE = auto()
    KEEP_BESIDE = auto()
    LEAVE = auto()


@dataclass(frozen=True, slots=True)
class Installed:
    """What happened; names are relative to the folder.

    `kept` are pairs of a file and the name its old content has now. `left` were not written.
    """

    written: tuple[Path, ...]
    kept: tuple[tuple[Path, Path], ...] = ()
    left: tuple[Path, ...] = ()


def install(source: Path, folder: Path, taken: Taken) -> Installed:
    """Copy the files of `source` into `folder`, which is made where it is missing.

    Raises:
        ConfigError: files are in the way, and `taken` is REFUSE.
        ScaffoldError: the folder cannot be written; no file in it has changed.
    """
    names = sorted(path.relative_to(source) for path in source.rglob("*") if path.is_file())
    there = [name for name in names if os.path.lexists(folder / name)]
    if there and taken is Taken.REFUSE:
        raise ConfigError([Problem("exists already", str(folder / name), hint=_HINT) for name in there])
    left = tuple(name for name in there if taken is Taken.LEAVE and _differs(source / name, folder / name))
    wanted = [name for name in names if name not in left]
    try:
        return Installed(tuple(wanted), _copy_all(wanted, source, folder), left)
    except OSError as error:
        raise ScaffoldError(
            f"{folder}: cannot be written ({error.strerror}); no file was changed. "
            "See that there is space and that you may write there, then run the command again"
        ) from error


def _differs(new: Path, old: Path) -> bool:
    return os.path.lexists(old) and not (old.is_file() and filecmp.cmp(new, old, shallow=False))


def _copy_all(names: Sequence[Path], source: Path, folder: Path) -> tuple[tuple[Path, Path], ...]:
    """All bytes are on the disk beside the folder before anything in it is touched."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    staging = Path(mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        ready = staging / folder.name
        for name in names:
            (ready / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source / name, ready / name)
        if not os.path.lexists(folder):
            ready.rename(folder)
            return ()
        return _move_each(names, ready, folder)
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _move_each(names: Sequence[Path], ready: Path, folder: Path) -> tuple[tuple[Path, Path], ...]:
    kept = []
    with ExitStack() as undo:
        for name in names:
            place = folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            if _differs(ready / name, place):
                backup = _free_name(place)
                place.rename(backup)
                undo.callback(backup.rename, place)
                kept.append((name, backup.relative_to(folder)))
            if not place.exists():
                (ready / name).rename(place)
                undo.callback(place.unlink)
        undo.pop_all()
    return tuple(kept)


def _free_name(place: Path) -> Path:
    number = 1
    while os.path.lexists(backup := place.with_name(f"{place.name}.bak-{number}")):
        number += 1
    return backup
