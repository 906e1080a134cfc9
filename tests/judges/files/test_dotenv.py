"""`.env` files: the usual forms, mistakes with their line, and nothing of a value in any message."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from judges.core.errors import ConfigError
from judges.files.dotenv import merge_env, read_config, read_env

Write: TypeAlias = Callable[[str], Path]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Write a `.env` file into the working directory."""
    monkeypatch.chdir(tmp_path)

    def write_text(text: str) -> Path:
        path = tmp_path / ".env"
        path.write_text(text, encoding="utf-8", newline="")
        return path

    return write_text


@pytest.mark.parametrize(
    ("text", "variables"),
    [
        pytest.param("A=1\nB=two words\n", {"A": "1", "B": "two words"}, id="plain"),
        pytest.param("\ufeffA=1\r\nB=2\r\n", {"A": "1", "B": "2"}, id="BOM and CRLF"),
        pytest.param("export A=1\n\n# B=2\nC = 3  # note\n", {"A": "1", "C": "3"}, id="export, comments"),
        pytest.param("A='$x # y'\nB=\"a\\nb\"\n", {"A": "$x # y", "B": "a\nb"}, id="quotes"),
        pytest.param('A="one\ntwo"\nB=2', {"A": "one\ntwo", "B": "2"}, id="several lines"),
        pytest.param("A=\nB=''\nC\n", {"A": "", "B": ""}, id="empty, and no value at all"),
        pytest.param(
            "A=x\nB=${A}y ${HOST} ${NO} ${NO:-z}\n", {"A": "x", "B": "xy h  z"}, id="references to others"
        ),
        pytest.param("A=1\nA=2\n", {"A": "2"}, id="the last one counts"),
        pytest.param("", {}, id="empty file"),
    ],
)
def test_forms(write: Write, text: str, variables: dict[str, str]) -> None:
    """What such files hold is read as other programs read it."""
    assert read_env(write(text), {"HOST": "h", "A": "not this one"}) == variables


def test_mistakes_are_named_by_line(write: Write) -> None:
    """All lines that set nothing are named, and no text of them is shown."""
    with pytest.raises(ConfigError) as caught:
        read_env(write("A=1\n\n\n= hunter2\nB='open hunter2\nC=3\n"), {})
    said = "the line sets no variable (write NAME=value, and close every quote)"
    assert str(caught.value) == f".env:4:1: {said}\n.env:5:1: {said}"


def test_binary_files_are_refused(write: Write) -> None:
    """A file that is no text is refused as every other one is."""
    with pytest.raises(ConfigError, match="is binary, not text"):
        read_env(write("A=\0"), {})


def test_no_file_is_no_variables(tmp_path: Path) -> None:
    """A suite without such a file, or with one that is not there, has no variables of its own."""
    assert read_config(None, {}) == {}
    assert read_config(tmp_path / ".env", {}) == {}


def test_the_environment_comes_first() -> None:
    """What the environment sets stays, unless it sets it to nothing."""
    environ = {"A": "set", "B": ""}
    assert merge_env(environ, {"A": "1", "B": "2", "C": "3"}) == {"A": "set", "B": "2", "C": "3"}
    assert environ == {"A": "set", "B": ""}
