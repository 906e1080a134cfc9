"""Where a new suite goes, and where the prompt that it tests is."""

import os
from pathlib import Path

from judges.core.errors import ConfigError, Problem
from judges.files.project import find_root


def find_project(start: Path) -> Path:
    """Return the folder, from `start` upwards, with `.omniscitus/`, else with `.git`, else `start` itself."""
    return find_root(start) or next(
        (each for each in (start, *start.parents) if (each / ".git").exists()), start
    )


def find_target(text: str, root: Path) -> Path:
    """Return the file below `root` that a path names, seen from the current folder or else from `root`.

    Raises:
        ConfigError: there is no such file, or it lies outside the project.
    """
    places = [Path(os.path.normpath(base / text)) for base in (Path.cwd(), root)]
    place = next((each for each in places if each.is_file()), None)
    if place is None:
        hint = "give a file, relative to this folder or to the project root"
        raise ConfigError([Problem("no such file", file=text, hint=hint)])
    whole, top = place.resolve(), root.resolve()
    if not whole.is_relative_to(top):
        raise ConfigError(
            [Problem(f"lies outside the project root {root}", file=text, hint="copy it into the project")]
        )
    return place if place.is_relative_to(root) else root / whole.relative_to(top)
