"""What a command that fills a template says of the files it wrote."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from scaffold.generate.install import Installed


class New(Protocol):
    """What somebody chose."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def root(self) -> Path:
        """The project that it goes to."""

    @property
    def folder(self) -> Path:
        """Where in the project its files go."""


def describe_written(kind: str, new: New, files: "Installed", *, first: bool) -> Iterator[str]:
    """Yield the name, the project and the files, one thing a line; `first`: there was no `.omniscitus/`."""
    yield f"{kind:<12}{new.name}"
    yield f"Project     {new.root}{' (.omniscitus/ is new)' if first else ''}"
    yield f"Files       {new.folder.relative_to(new.root).as_posix()}/"
    backups = dict(files.kept)
    for name in files.written:
        old = f" (the old one is now {backups[name].as_posix()})" if name in backups else ""
        yield f"  {name.as_posix()}{old}"
