"""What `scaffold --version` says: all that a bug report needs, found at once and without a network.

Whether a project has what it needs is the business of `scaffold doctor`.
"""

import platform
import re
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from shutil import which
from textwrap import fill

import judges
from judges.ask.wording import FAMILIES
from judges.ask.wording import version as wording_version
from judges.core.errors import ConfigError
from judges.providers.claude.client import find_client
from judges.providers.process.run import run_briefly
from judges.providers.process.tree import Program

PACKAGE = "prompt-scaffold"
SECONDS = 1.0
"""How long another program may take to tell its version."""

_WIDTH = 80
_INDENT = 11


def render_version(environ: Mapping[str, str]) -> str:
    """Return the version in the first line, and below it what it runs with, a line each."""
    return "".join(f"{line}\n" for line in _lines(environ))


def _lines(environ: Mapping[str, str]) -> Iterator[str]:
    yield f"scaffold, version {judges.__version__}"
    commit = _commit(Path(judges.__file__).parents[1], environ)
    if commit:
        yield _line("commit", commit)
    yield _line("Python", f"{platform.python_version()} ({platform.python_implementation()})")
    yield _line("platform", platform.platform())
    yield _line("wordings", ", ".join(f"{family} {wording_version(family)}" for family in FAMILIES))
    yield _line("libraries", ", ".join(_libraries()) or "unknown: this is not an installed package")
    yield _line("claude", _client(environ))


def _line(name: str, text: str) -> str:
    return fill(
        f"{name:<{_INDENT}}{text}",
        _WIDTH,
        subsequent_indent=" " * _INDENT,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _commit(folder: Path, environ: Mapping[str, str]) -> str | None:
    """The commit of a checkout; none where the program is installed."""
    git = which("git", path=environ.get("PATH"))
    if git is None or not (folder / ".git").exists():
        return None
    arguments = (git, "describe", "--always", "--dirty", "--abbrev=12")
    said = run_briefly(Program(arguments=arguments, folder=folder, environ=environ), seconds=SECONDS)
    return (said or "").strip() or None


def _libraries() -> Iterator[str]:
    """Those that the package requires, or can make use of, as far as they are installed."""
    try:
        required = requires(PACKAGE) or []
    except PackageNotFoundError:
        return
    for name in sorted({re.split(r"[^\w.-]", each)[0].lower() for each in required}):
        try:
            yield f"{name} {version(name)}"
        except PackageNotFoundError:  # of an extra that was not asked for
            continue


def _client(environ: Mapping[str, str]) -> str:
    try:
        return find_client(environ, seconds=SECONDS).version
    except ConfigError as error:
        return error.problems[0].message
