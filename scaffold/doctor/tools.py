"""Programs outside Python: are they there, and which version. Each is asked for no more than that."""

import os
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory, TemporaryFile

from scaffold.doctor.finding import Finding, Status

SECTION = "Programs"
SECONDS = 10.0
FIXTURES = "*.fixture.md"


@dataclass(frozen=True, slots=True)
class Tool:
    """A program: what prints its version, what it is for, and how to get it.

    A sealed one is run with a home of its own: none of the user's settings of it are read or written.
    """

    name: str
    command: tuple[str, ...]
    purpose: str
    fix: str
    sealed: bool = False


NODE = Tool(
    "node", ("node", "--version"), "JavaScript runners", "install Node.js 18 or newer from https://nodejs.org"
)
TSX = Tool(
    "tsx",
    ("npx", "--offline", "--no-install", "tsx", "--version"),
    "TypeScript runners",
    "npm install --save-dev tsx",
)
CLAUDE = Tool(
    "claude",
    ("claude", "--version"),
    "fixtures and claude-cli: models",
    "npm install --global @anthropic-ai/claude-code",
    sealed=True,
)
TOOLS = (NODE, TSX, CLAUDE)
_BY_ENDING = {
    **dict.fromkeys((".js", ".mjs", ".cjs"), (NODE,)),
    **dict.fromkeys((".ts", ".mts", ".cts"), (NODE, TSX)),
}


def tools_of_runner(runner: Path | None) -> tuple[Tool, ...]:
    """Return the programs that it takes to start a runner."""
    return _BY_ENDING.get(runner.suffix.lower(), ()) if runner else ()


def has_fixtures(tests: Path) -> bool:
    """Tell whether there are tests of headless sessions below a folder."""
    return next(tests.rglob(FIXTURES), None) is not None


def examine_tools(needed: Mapping[Tool, str], folder: Path) -> Iterator[Finding]:
    """Yield a finding for each program; `needed` names for each that is needed who needs it."""
    for tool in TOOLS:
        version = find_version(tool, folder)
        if version is not None:
            yield Finding(SECTION, tool.name, Status.OK, f"{version} (for {tool.purpose})")
        elif tool in needed:
            yield Finding(
                SECTION, tool.name, Status.MISSING, f"not found, but {needed[tool]} needs it", tool.fix
            )
        else:
            said = f"not found; nothing here needs it (it is for {tool.purpose})"
            yield Finding(SECTION, tool.name, Status.NOTE, said, tool.fix)


def find_version(tool: Tool, folder: Path) -> str | None:
    """Return what a program, run in a folder, says of its version; None where it cannot be run."""
    program = which(tool.command[0])
    if program is None:
        return None
    with TemporaryDirectory() as home, TemporaryFile() as output:
        own = {"HOME": home, "CLAUDE_CONFIG_DIR": home} if tool.sealed else {}
        try:
            process = subprocess.Popen(  # noqa: S603  (a fixed program)
                (program, *tool.command[1:]),
                cwd=folder,
                env={**os.environ, **own},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError:
            return None
        code = _wait(process)
        output.seek(0)
        said = output.read(1000).decode(errors="replace").split("\n")[0].strip()
    return said or None if code == 0 else None


def _wait(process: "subprocess.Popen[bytes]") -> int | None:
    """Return the exit code; None where the process had to be ended, with all that it started."""
    try:
        return process.wait(SECONDS)
    except subprocess.TimeoutExpired:
        return None
    finally:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
