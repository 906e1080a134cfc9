"""How a runner is started: by the ending of its name, and found to be possible before anything is run."""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from shutil import which

from judges.core.errors import ConfigError, Problem
from judges.files.text import display_path

NPX_SECONDS = 60.0
UNBUFFERED = {"PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8"}
"""Python keeps back what it prints to a pipe, and prints it in the locale's encoding, unless it is told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A program with its arguments, working directory and environment. `name` is how messages call it."""

    name: str
    arguments: tuple[str, ...]
    folder: Path
    environ: Mapping[str, str] = field(repr=False)


def build_command(file: Path, folder: Path, environ: Mapping[str, str]) -> Command:
    """Return the command that starts a runner's file in a folder.

    Raises:
        ConfigError: what it takes is not installed, or the file may not be executed.
    """
    find = _PROGRAMS.get(file.suffix.lower(), _itself)
    arguments = find(file.absolute(), folder, environ)
    return Command(name=file.name, arguments=arguments, folder=folder, environ={**UNBUFFERED, **environ})


def _python(file: Path, _: Path, __: Mapping[str, str]) -> tuple[str, ...]:
    return sys.executable, str(file)


def _node(file: Path, _: Path, environ: Mapping[str, str]) -> tuple[str, ...]:
    return _find("node", file, environ), str(file)


def _tsx(file: Path, folder: Path, environ: Mapping[str, str]) -> tuple[str, ...]:
    """Offline: what is not installed is not fetched behind the author's back."""
    tsx = (_find("npx", file, environ), "--offline", "--no-install", "tsx")
    try:
        found = subprocess.run(  # noqa: S603  (a fixed program)
            (*tsx, "--version"),
            cwd=folder,
            env=environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=NPX_SECONDS,
            check=False,
        )
        usable = found.returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        usable = False
    if not usable:
        raise _unusable(file, "needs tsx, which npx does not find", "npm install --save-dev tsx")
    return *tsx, str(file)


def _itself(file: Path, _: Path, __: Mapping[str, str]) -> tuple[str, ...]:
    if not os.access(file, os.X_OK):
        hint = f"chmod +x {display_path(file)}, or name it .py, .ts, .js or .mjs"
        raise _unusable(file, "may not be executed", hint)
    return (str(file),)


def _find(program: str, file: Path, environ: Mapping[str, str]) -> str:
    found = which(program, path=environ.get("PATH"))
    if found is None:
        hint = "install Node.js 18 or newer from https://nodejs.org, and have it on PATH"
        raise _unusable(file, f"needs {program}, which is not on PATH", hint)
    return found


def _unusable(file: Path, message: str, hint: str) -> ConfigError:
    return ConfigError([Problem(f"the runner {message}", display_path(file), key="runner", hint=hint)])


_PROGRAMS: Mapping[str, Callable[[Path, Path, Mapping[str, str]], tuple[str, ...]]] = {
    ".py": _python,
    ".js": _node,
    ".mjs": _node,
    ".cjs": _node,
    ".ts": _tsx,
    ".mts": _tsx,
    ".cts": _tsx,
}
