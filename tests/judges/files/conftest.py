"""Suites written to disk for one test."""

from collections.abc import Callable, Mapping
from pathlib import Path
from textwrap import dedent

import pytest

from judges.core.errors import ConfigError
from judges.files.load import load_suite

FOLDER = Path(".omniscitus", "tests", "greet")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project root that is the working directory, so that paths in messages are short."""
    (tmp_path / FOLDER).mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def write_suite(project: Path) -> Callable[..., Path]:
    """Return a function that writes a suite file, and other files of its folder, and gives its path."""

    def write(text: str, files: Mapping[str, str | bytes] | None = None) -> Path:
        for name, content in {"prompt-meta.yaml": dedent(text).lstrip(), **(files or {})}.items():
            path = FOLDER / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        return FOLDER / "prompt-meta.yaml"

    return write


@pytest.fixture
def problems_of() -> Callable[..., list[str]]:
    """Return a function that gives what is wrong with a suite, without the folder of its files."""

    def problems_of(path: Path, *, allow_outside: bool = False) -> list[str]:
        with pytest.raises(ConfigError) as caught:
            load_suite(path, allow_outside=allow_outside)
        return [str(problem).replace(f"{FOLDER}/", "") for problem in caught.value.problems]

    return problems_of
