"""The judge's instructions as text files, and the version that every run records.

Change `VERSION` with every change of meaning. The digest covers the letter of all files of a family, so that
a change of one family leaves what was measured or accepted with the other one as it is.
"""

from functools import cache
from importlib.resources import files
from string import Template
from typing import Literal, TypeAlias

from judges.core.case import digest

VERSION = "1"

Family: TypeAlias = Literal["suite", "semantic"]
"""Who asks: prompt suites and their meta-judges, or the semantic rows of fixtures."""

_SUITE = (
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
FAMILIES: dict[Family, tuple[str, ...]] = {
    "suite": _SUITE,
    "semantic": ("semantic", "context", "predicate", "rubric", "dictated", "complaint"),
}


@cache
def text(name: str) -> str:
    """Return the wording of that name, without the line end that closes the file."""
    return files(__name__).joinpath(f"{name}.txt").read_text(encoding="utf-8").rstrip("\n")


def fill(name: str, /, **values: str) -> str:
    """Return the wording of that name with its `$placeholders` replaced, each exactly once."""
    return Template(text(name)).substitute(values)


@cache
def version(family: Family = "suite") -> str:
    """Return the version and digest of a family's wording, such as `1-4f0c2a9b81d3`."""
    return f"{VERSION}-{digest(chr(0).join(text(name) for name in FAMILIES[family]))[:12]}"
