"""What setting up a project changes: compared with what is there, shown as a diff, and done as a whole."""

import os
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from difflib import unified_diff
from enum import StrEnum
from pathlib import Path

from judges.core.errors import ScaffoldError
from scaffold.init.merge import MergeError
from scaffold.init.wanted import WantedFile
from scaffold.rewrite import create_text, replace_text

NOWHERE = "/dev/null"


class State(StrEnum):
    """What becomes of a file."""

    NEW = "new"
    ADDED = "added to"
    SAME = "unchanged"
    DIFFERS = "differs"
    BY_HAND = "by hand"


@dataclass(frozen=True, slots=True)
class Change:
    """A file of the setup, beside the one that is there; `old` is None where there is none to be read.

    `why` says why a person has to change the file, where that is so.
    """

    path: Path
    state: State
    old: str | None
    new: str
    why: str = ""

    @property
    def writes(self) -> bool:
        """Whether the file is written."""
        return self.state in (State.NEW, State.ADDED)


def plan_changes(root: Path, wanted: Iterable[WantedFile]) -> list[Change]:
    """Return what is to change below a project's root; nothing is written."""
    return [_compare(root / file.path, file) for file in wanted]


def _compare(place: Path, file: WantedFile) -> Change:
    if not os.path.lexists(place):
        return Change(file.path, State.NEW, None, file.text)
    try:
        old = place.read_bytes().decode("utf-8-sig")
    except (OSError, ValueError) as error:
        words = getattr(error, "strerror", None) or "no UTF-8"
        return Change(file.path, State.BY_HAND, None, file.text, f"cannot be read ({words})")
    if old.replace("\r\n", "\n") == file.text:
        return Change(file.path, State.SAME, old, old)
    if file.merge is None:
        return Change(file.path, State.DIFFERS, old, file.text)
    try:
        new = file.merge(old) if old.strip() else file.text
    except MergeError as error:
        return Change(file.path, State.BY_HAND, old, file.text, str(error))
    return Change(file.path, State.SAME if new == old else State.ADDED, old, new)


def render_diff(change: Change) -> str:
    """Return the difference between the file that is there and the one of the setup, as `diff -u` shows it.

    There is none where a person has to say how the two become one.
    """
    if change.state is State.BY_HAND:
        return ""
    path = change.path.as_posix()
    old = (change.old or "").splitlines(keepends=True)
    new = change.new.splitlines(keepends=True)
    lines = unified_diff(old, new, NOWHERE if change.old is None else f"a/{path}", f"b/{path}")
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )


def write_changes(root: Path, changes: Sequence[Change]) -> None:
    """Write the files that are new or added to: all of them or none.

    Raises:
        ScaffoldError: one cannot be written; no file has changed.
    """
    with ExitStack() as undo:
        for change in changes:
            if change.writes:
                try:
                    _write(root / change.path, change, undo)
                except OSError as error:
                    raise ScaffoldError(
                        f"{root / change.path}: cannot be written ({error.strerror}); no file was changed. "
                        "See that there is space and that you may write there, then run the command again"
                    ) from error
        undo.pop_all()


def _write(place: Path, change: Change, undo: ExitStack) -> None:
    if change.old is not None:
        replace_text(place, change.new)
        undo.callback(replace_text, place, change.old)
        return
    for folder in reversed([each for each in place.parents if not each.exists()]):
        folder.mkdir()
        undo.callback(_remove_empty, folder)
    create_text(place, change.new)
    undo.callback(place.unlink)


def _remove_empty(folder: Path) -> None:
    with suppress(OSError):  # something else has been put there meanwhile
        folder.rmdir()
