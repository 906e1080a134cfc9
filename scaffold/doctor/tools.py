"""Programs outside Python: are they there, and which version. Each is asked for no more than that."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from shutil import which

from judges.providers.process.run import run_briefly
from judges.providers.process.tree import Program
from scaffold.doctor.finding import Finding, Status

SECTION = "Programs"
SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Tool:
    """A program: what prints its version, what it is for, and how to get it."""

    name: str
    command: tuple[str, ...]
    purpose: str
    fix: str


NODE = Tool(
    "node", ("node", "--version"), "JavaScript runners", "install Node.js 18 or newer from https://nodejs.org"
)
TSX = Tool(
    "tsx",
    ("npx", "--offline", "--no-install", "tsx", "--version"),
    "TypeScript runners",
    "npm install --save-dev tsx",
)
TOOLS = (NODE, TSX)
_BY_ENDING = {
    **dict.fromkeys((".js", ".mjs", ".cjs"), (NODE,)),
    **dict.fromkeys((".ts", ".mts", ".cts"), (NODE, TSX)),
}


def tools_of_runner(runner: Path | None) -> tuple[Tool, ...]:
    """Return the programs that it takes to start a runner."""
    return _BY_ENDING.get(runner.suffix.lower(), ()) if runner else ()


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
    command = Program(arguments=(program, *tool.command[1:]), folder=folder, environ=os.environ)
    said = run_briefly(command, seconds=SECONDS) or ""
    return said.split("\n")[0].strip() or None
