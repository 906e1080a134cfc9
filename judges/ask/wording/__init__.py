"""The judge's instructions as text files, and the version that every run records.

Change `VERSION` with every change of meaning. The digest covers the letter of all files.
"""

from functools import cache
from importlib.resources import files
from string import Template

from judges.core.case import digest

VERSION = "1"
_NAMES = (
    "instructions",
    "comparison",
    "context",
    "specs",
    "score",
    "predicate",
    "choice",
    "better",
    "overall",
    "declines",
    "expected",
    "format",
    "complaint",
    "meta",
)


@cache
def text(name: str) -> str:
    """Return the wording of that name, without the line end that closes the file."""
    return files(__name__).joinpath(f"{name}.txt").read_text(encoding="utf-8").rstrip("\n")


def fill(name: str, /, **values: str) -> str:
    """Return the wording of that name with its `$placeholders` replaced, each exactly once."""
    return Template(text(name)).substitute(values)


@cache
def version() -> str:
    """Return the wording's version and digest, such as `1-4f0c2a9b81d3`."""
    return f"{VERSION}-{digest(chr(0).join(text(name) for name in _NAMES))[:12]}"
