"""The program itself: where it is, and which version."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

from judges.core.errors import ConfigError, Problem
from judges.providers.process.run import run_briefly
from judges.providers.process.tree import Program

VARIABLE = "SCAFFOLD_CLAUDE"
INSTALL = "npm install --global @anthropic-ai/claude-code"
SECONDS = 10.0
"""How long it may take to say something of itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """The program, and the environment of who calls it."""

    path: Path
    version: str
    environ: Mapping[str, str] = field(repr=False)


def find_client(environ: Mapping[str, str], *, seconds: float = SECONDS) -> Client:
    """Return the client: the program that SCAFFOLD_CLAUDE names, else `claude` on PATH.

    Raises:
        ConfigError: there is none, or it does not tell its version in so many seconds.
    """
    path = _find_program(environ)
    version = _ask_version(path, environ.get("PATH", ""), seconds)
    if version is None:
        message = f"{path} cannot be used: `{path.name} --version` fails, or says nothing in {seconds:g} s"
        raise ConfigError([Problem(message, hint=f"install it again with: {INSTALL}")])
    return Client(path=path, version=version, environ=environ)


def _find_program(environ: Mapping[str, str]) -> Path:
    named = environ.get(VARIABLE, "").strip()
    if named:
        path = Path(named).expanduser().absolute()
        if path.is_file() and os.access(path, os.X_OK):
            return path
        hint = f"set it to the path of claude, or unset it to use the one on PATH; to install it: {INSTALL}"
        raise ConfigError([Problem(f"{VARIABLE} is not the path of a program: '{named}'", hint=hint)])
    found = which("claude", path=environ.get("PATH"))
    if found is None:
        hint = f"install it with: {INSTALL}, or set {VARIABLE} to its path"
        raise ConfigError([Problem("there is no program `claude` on PATH", hint=hint)])
    return Path(found).absolute()


@lru_cache(maxsize=16)
def _ask_version(path: Path, search: str, seconds: float) -> str | None:
    """In a home of its own: the user's settings of it are neither read nor changed."""
    with TemporaryDirectory() as home:
        own = {"PATH": search, "HOME": home, "CLAUDE_CONFIG_DIR": home, "DISABLE_AUTOUPDATER": "1"}
        program = Program(arguments=(str(path), "--version"), folder=Path(home), environ=own)
        said = (run_briefly(program, seconds=seconds) or "").split()
    return said[0] if said else None
