"""How runners are started, and what is said where they cannot be."""

import os
import sys
from pathlib import Path

import pytest

from judges.core.errors import ConfigError
from judges.run.runner.command import build_command


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, as the working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(folder: Path, name: str, mode: int = 0o644) -> Path:
    path = folder / name
    path.write_text("#!/bin/sh\n", "utf-8")
    path.chmod(mode)
    return path


def fake(folder: Path, name: str, body: str = "exit 0") -> Path:
    """A program in a folder of its own."""
    programs = folder / "bin"
    programs.mkdir(exist_ok=True)
    (programs / name).write_text(f"#!/bin/sh\n{body}\n", "utf-8")
    (programs / name).chmod(0o755)
    return programs


@pytest.mark.parametrize("name", ["runner.py", "RUNNER.PY"])
def test_python(folder: Path, name: str) -> None:
    """Python runs with the Python that runs this program, and prints at once and in UTF-8."""
    file = write(folder, name)
    command = build_command(file, folder, {"A": "1"})
    assert command.arguments == (sys.executable, str(file))
    assert (command.name, command.folder) == (name, folder)
    assert command.environ == {"A": "1", "PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8"}


@pytest.mark.parametrize("name", ["runner.js", "runner.mjs", "runner.cjs"])
def test_node(folder: Path, name: str) -> None:
    """JavaScript runs with the node of the PATH."""
    programs = fake(folder, "node")
    file = write(folder, name)
    assert build_command(file, folder, {"PATH": str(programs)}).arguments == (
        str(programs / "node"),
        str(file),
    )


def test_tsx_is_asked_for_in_the_runners_folder(folder: Path) -> None:
    """TypeScript runs with npx tsx, which is never fetched, and is looked for where the runner will run."""
    programs = fake(folder, "npx", f'echo "$PWD $*" >> "{folder}/asked"')
    test_root = folder / "tests"
    test_root.mkdir()
    file = write(test_root, "runner.ts")
    command = build_command(file, test_root, {"PATH": str(programs)})
    assert command.arguments == (str(programs / "npx"), "--offline", "--no-install", "tsx", str(file))
    assert (folder / "asked").read_text().strip() == f"{test_root} --offline --no-install tsx --version"


def test_anything_executable(folder: Path) -> None:
    """Any other file runs by itself."""
    file = write(folder, "runner.sh", 0o755)
    assert build_command(file, folder, os.environ).arguments == (str(file),)


@pytest.mark.parametrize(
    ("name", "programs", "message"),
    [
        pytest.param(
            "runner.js",
            {},
            "the runner needs node, which is not on PATH "
            "(install Node.js 18 or newer from https://nodejs.org, and have it on PATH)",
            id="no node",
        ),
        pytest.param(
            "runner.ts",
            {},
            "the runner needs npx, which is not on PATH "
            "(install Node.js 18 or newer from https://nodejs.org, and have it on PATH)",
            id="no npx",
        ),
        pytest.param(
            "runner.ts",
            {"npx": "exit 1"},
            "the runner needs tsx, which npx does not find (npm install --save-dev tsx)",
            id="no tsx",
        ),
        pytest.param(
            "runner.rb",
            {},
            "the runner may not be executed (chmod +x runner.rb, or name it .py, .ts, .js or .mjs)",
            id="not executable",
        ),
    ],
)
def test_what_is_missing(folder: Path, name: str, programs: dict[str, str], message: str) -> None:
    """What keeps a runner from being started is said before anything runs, with what helps."""
    for program, body in programs.items():
        fake(folder, program, body)
    with pytest.raises(ConfigError) as caught:
        build_command(write(folder, name), folder, {"PATH": str(folder / "bin")})
    assert str(caught.value) == f"{name}: runner: {message}"


def test_secrets_are_not_shown(folder: Path) -> None:
    """The environment is in no text of the command."""
    command = build_command(write(folder, "runner.py"), folder, {"KEY": "hunter2"})
    assert "hunter2" not in repr(command)
