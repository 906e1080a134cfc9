"""What is published: the wheel and the sdist, and the program as it is installed from them, in a clean place.

The place is the one that `pipx run` makes: the wheel and what it requires, and nothing of the tests.
"""

import json
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable
from email import message_from_bytes
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TypeAlias
from zipfile import ZipFile

import pytest

import judges

ROOT = Path(__file__).parents[2]
LISTED = (ROOT / "tests/golden/wheel.txt").read_text("utf-8").splitlines()
IMPORT_ALL = """
import importlib, json, pkgutil, sys
missing = {}
for package in ("judges", "scaffold"):
    for module in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
        try:
            importlib.import_module(module.name)
        except ModuleNotFoundError as error:
            missing[module.name] = error.name
print(json.dumps(missing))
"""
ENTRY_POINTS = """
from importlib.metadata import distribution
print([(each.group, each.value) for each in distribution("prompt-scaffold").entry_points])
"""
Installed: TypeAlias = Callable[..., subprocess.CompletedProcess[str]]


def _build(target: Path, *options: str) -> None:
    command = [sys.executable, "-m", "build", "--no-isolation", *options, "--outdir", str(target), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the sdist, and the wheel that was built from it."""
    folder = tmp_path_factory.mktemp("dist")
    _build(folder)
    return folder


@pytest.fixture(scope="module")
def wheel(dist: Path) -> Path:
    """The wheel."""
    (path,) = dist.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where pipx keeps what it installs."""
    return tmp_path_factory.mktemp("pipx")


@pytest.fixture(scope="module")
def installed(wheel: Path, place: Path) -> Installed:
    """Run `scaffold` as `pipx run` does: the first time it is installed."""
    pipx = [sys.executable, "-m", "pipx", "run", "--spec", str(wheel), "scaffold"]
    kept = {"PIPX_HOME": str(place), "PIPX_BIN_DIR": str(place / "bin"), "COLUMNS": "100"}

    def run(*arguments: str, folder: Path = place) -> subprocess.CompletedProcess[str]:
        environ = {**os.environ, **kept}
        command = [*pipx, *arguments]
        return subprocess.run(
            command, cwd=folder, env=environ, capture_output=True, text=True, timeout=300, check=False
        )

    assert run("--help").returncode == 0
    return run


@pytest.fixture(scope="module")
def python(installed: Installed, place: Path) -> str:
    """The interpreter of the clean place."""
    (path,) = place.glob(".cache/*/bin/python")
    return str(path)


def _told(python: str, *arguments: str, folder: Path) -> str:
    done = subprocess.run(
        [python, *arguments], cwd=folder, capture_output=True, text=True, timeout=300, check=True
    )
    return done.stdout


def _contents(path: Path) -> dict[str, int]:
    with ZipFile(path) as archive:
        return {each.filename: each.CRC for each in archive.infolist()}


def test_the_wheel_holds_what_is_listed(wheel: Path) -> None:
    """Nothing else, such as tests or caches; and nothing of the list is missing."""
    names = list(_contents(wheel))
    assert [name for name in names if not any(fnmatchcase(name, each) for each in LISTED)] == []
    assert [each for each in LISTED if not any(fnmatchcase(name, each) for name in names)] == []


def test_the_wheel_has_every_file_of_the_packages(wheel: Path) -> None:
    """All that is tracked, none that is not."""
    done = subprocess.run(
        ["git", "ls-files", "-z", "judges", "scaffold", "templates"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    tracked = {name for name in done.stdout.split("\0") if name and (ROOT / name).exists()}
    packed = {name.replace("scaffold/templates/", "templates/", 1) for name in _contents(wheel)}
    assert tracked - packed == set()


def test_the_sdist_gives_the_same_wheel(dist: Path, wheel: Path, tmp_path: Path) -> None:
    """Byte for byte the one that the repository gives; and it has what it takes to test it."""
    _build(tmp_path, "--wheel")
    assert _contents(next(tmp_path.glob("*.whl"))) == _contents(wheel)
    (path,) = dist.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = {name.split("/", 2)[1] for name in archive.getnames() if "/" in name}
    assert names == {
        ".gitignore", ".omniscitus", ".pre-commit-hooks.yaml", "CHANGELOG.md", "LICENSE", "Makefile",
        "PKG-INFO", "README.md", "action.yml", "benchmarks", "docs", "examples", "judges", "pyproject.toml",
        "scaffold", "schemas", "templates", "tests",
    }  # fmt: skip


def test_the_metadata_is_true(wheel: Path) -> None:
    """One version, the license with its text, and no address, as there is none."""
    with ZipFile(wheel) as archive:
        (name,) = [each for each in archive.namelist() if each.endswith("/METADATA")]
        metadata = message_from_bytes(archive.read(name))
    assert metadata["Version"] == judges.__version__
    assert metadata["License-Expression"] == "MIT"
    assert metadata.get_all("License-File") == ["LICENSE"]
    assert metadata["Requires-Python"] == ">=3.11"
    assert metadata.get_all("Project-URL") is None
    assert "Typing :: Typed" in metadata.get_all("Classifier", [])


def test_pipx_runs_it(installed: Installed) -> None:
    """Without an installation by hand; no commit, as it is no checkout."""
    done = installed("--version")
    lines = done.stdout.splitlines()
    assert (done.returncode, lines[0]) == (0, f"scaffold, version {judges.__version__}")
    assert "commit" not in {line.split(" ")[0] for line in lines}


def test_all_that_it_imports_is_required(python: str, tmp_path: Path) -> None:
    """Every module can be imported without what tests need, but for the plugin, which pytest imports."""
    missing = json.loads(_told(python, "-c", IMPORT_ALL, folder=tmp_path))
    assert {name for name in missing if not name.startswith("scaffold.pytest_plugin")} == set()
    assert set(missing.values()) == {"pytest"}


def test_pytest_finds_the_plugin(python: str, tmp_path: Path) -> None:
    """By an entry point, beside that of the command."""
    assert _told(python, "-c", ENTRY_POINTS, folder=tmp_path) == (
        "[('console_scripts', 'scaffold.__main__:main'), ('pytest11', 'scaffold.pytest_plugin.plugin')]\n"
    )


def test_it_is_a_module_too(python: str, tmp_path: Path) -> None:
    """`python -m scaffold` is the same program."""
    said = _told(python, "-m", "scaffold", "--version", folder=tmp_path)
    assert said.startswith(f"scaffold, version {judges.__version__}\n")


def test_suites_can_be_scaffolded(installed: Installed, tmp_path: Path) -> None:
    """The templates are there: each kind of suite is written, and has no finding."""
    for command in ("add-prompt", "add-fixture", "add-grid"):
        done = installed(command, f"a-{command[4:]}", "--no-input", folder=tmp_path)
        assert done.returncode == 0, done.stderr
    done = installed("validate", "--strict", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    done = installed("run", "a-prompt", "--dry-run", folder=tmp_path)
    assert "about 20 calls" in done.stdout
    assert installed("init", folder=tmp_path).returncode == 0


def test_a_suite_can_be_judged(installed: Installed, tmp_path: Path) -> None:
    """Recorded judgements go through the engine, and the report has its page."""
    ignored = shutil.ignore_patterns("runs", "cache")
    example = shutil.copytree(ROOT / "examples/support-reply", tmp_path / "example", ignore=ignored)
    done = installed("run", "--quiet", folder=example)
    assert done.returncode == 1
    assert "FAIL  support-reply, 12 cases: 4 failed, 1 warned, 7 passed, 1 overridden" in done.stdout
    assert installed("report", "--html", "report.html", folder=example).returncode == 0
    assert "<style" in (example / "report.html").read_text("utf-8")
    shown = installed("show", "late-parcel", "--prompt", folder=example).stdout
    assert "You judge a piece of work." in shown
