"""What `scaffold --version` says, on a line each."""

import platform
import subprocess
from collections.abc import Mapping
from importlib.metadata import version as installed
from pathlib import Path
from time import monotonic

import pytest

import judges
from judges.ask.wording import version as wording_version
from scaffold.__main__ import run
from scaffold.version import render_version

NOWHERE = {"PATH": "/nowhere"}


def told(environ: Mapping[str, str]) -> dict[str, str]:
    """The names of the lines with what they say, put together where they were wrapped."""
    said: dict[str, str] = {}
    for line in render_version(environ).splitlines()[1:]:
        name, text = line[:11].strip(), line[11:]
        name = name or list(said)[-1]
        said[name] = f"{said.get(name, '')} {text}".strip()
    return said


def client(folder: Path, script: str) -> dict[str, str]:
    """An environment in which `claude` is this script."""
    program = folder / "claude"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return {**NOWHERE, "SCAFFOLD_CLAUDE": str(program)}


def test_the_first_line_is_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    """It has the form that command lines made with click have had for long; nothing is longer than 80."""
    assert run(["--version"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"scaffold, version {judges.__version__}"
    assert max(map(len, lines[1:])) <= 80


def test_a_bug_report_has_what_it_needs() -> None:
    """Python, the platform, the wordings, and each library that the package requires."""
    said = told(NOWHERE)
    assert said["Python"].startswith(platform.python_version())
    assert said["platform"] == platform.platform()
    assert said["wordings"] == f"suite {wording_version()}, semantic {wording_version('semantic')}"
    libraries = dict(each.split(" ") for each in said["libraries"].split(", "))
    assert set(libraries) >= {"anthropic", "click", "genai-prices", "openai", "pydantic", "quickjs-ng"}
    assert libraries["openai"] == installed("openai")


@pytest.mark.parametrize(
    ("script", "shown"),
    [
        pytest.param("echo '2.1.332 (Claude Code)'", "2.1.332", id="there"),
        pytest.param(
            "exit 1", "cannot be used: `claude --version` fails, or says nothing in 1 s", id="broken"
        ),
    ],
)
def test_the_client_is_named(tmp_path: Path, script: str, shown: str) -> None:
    """By its version, or by what is wrong with it."""
    assert told(client(tmp_path, script))["claude"].endswith(shown)


def test_no_client_is_no_error() -> None:
    """It is only needed for sessions."""
    assert told(NOWHERE)["claude"] == "there is no program `claude` on PATH"


def test_a_client_that_hangs_is_left_alone(tmp_path: Path) -> None:
    """Whoever asks for the version gets it at once."""
    began = monotonic()
    assert "says nothing in 1 s" in told(client(tmp_path, "sleep 60"))["claude"]
    assert monotonic() - began < 20


def test_a_checkout_has_its_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And says where files differ from it; an installed package has none."""
    monkeypatch.setattr(judges, "__file__", str(tmp_path / "judges" / "__init__.py"))
    environ = {"PATH": "/usr/bin:/bin"}
    assert "commit" not in told(environ)
    (tmp_path / "file").write_text("one")
    script = (
        "git init -q . && git add file && git -c user.name=a -c user.email=a@example.com commit -qm one && "
        "git rev-parse --short=12 HEAD"
    )
    done = subprocess.run(["sh", "-ec", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    commit = done.stdout.strip()
    assert told(environ)["commit"] == commit
    (tmp_path / "file").write_text("two")
    assert told(environ)["commit"] == f"{commit}-dirty"
