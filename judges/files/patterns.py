"""Glob patterns as suite files have them: `**`, and `{a,b}` for either."""

import re
from glob import glob
from pathlib import Path, PurePosixPath

MAX_EXPANSIONS = 1000

_BRACES = re.compile(r"\{([^{}]*,[^{}]*)\}")
_WILD = re.compile(r"[*?\[{]")


def find_matches(pattern: str, folder: Path) -> list[PurePosixPath]:
    """Return the names below a folder that match, sorted. Hidden names match only where they are spelt out.

    Raises:
        ValueError: the braces stand for too many patterns.
    """
    names: set[str] = set()
    for each in expand_braces(pattern):
        names.update(glob(each, root_dir=folder, recursive=True))  # noqa: PTH207  (Path.glob finds hidden files)
    return sorted(PurePosixPath(Path(name).as_posix()) for name in names)


def expand_braces(pattern: str) -> list[str]:
    """Return the patterns without braces that one with `{a,b}` stands for.

    Raises:
        ValueError: there are too many.
    """
    done: list[str] = []
    rest = [pattern]
    while rest:
        each = rest.pop(0)
        match = _BRACES.search(each)
        if match is None:
            done.append(each)
            continue
        rest += [each[: match.start()] + choice + each[match.end() :] for choice in match[1].split(",")]
        if len(rest) + len(done) > MAX_EXPANSIONS:
            raise ValueError(f"the braces stand for more than {MAX_EXPANSIONS} patterns")
    return done


def is_pattern(text: str) -> bool:
    """Tell whether a text stands for more than itself."""
    return bool(_WILD.search(text))


def fixed_folder(pattern: str) -> PurePosixPath:
    """Return the folder in which all matches are: the parts before the first that is not fixed."""
    parts = PurePosixPath(pattern).parent.parts
    fixed = next((index for index, part in enumerate(parts) if _WILD.search(part)), len(parts))
    return PurePosixPath(*parts[:fixed])
