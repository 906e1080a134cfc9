"""What the suites of a project share below `.omniscitus/`: made with the first one."""

from collections.abc import Mapping
from pathlib import Path

from judges.files.project import MARKER
from scaffold.generate.install import Installed, Taken, install

IGNORED = "# what runs leave behind\nruns/\ncache/\n"


def install_shared(root: Path, place: Path, files: Mapping[Path, str]) -> tuple[bool, Installed]:
    """Write the files, by their names below `.omniscitus/`; the first suite brings what git is to ignore.

    `place` is an empty folder to prepare them in. Returns whether this is the first suite, and what became of
    the files: none that is there is touched.

    Raises:
        ScaffoldError: the files cannot be written; nothing has changed.
    """
    first = not (root / MARKER).exists()
    for name, text in {**files, **({Path(".gitignore"): IGNORED} if first else {})}.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text, encoding="utf-8")
    return first, install(place, root / MARKER, Taken.LEAVE)
