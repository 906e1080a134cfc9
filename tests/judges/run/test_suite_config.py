"""Endpoints of suites that have a `.env` file of their own."""

from pathlib import Path

import pytest

from judges.core.errors import ConfigError
from judges.run.connections import Connections

MODEL = "openai:gpt-4o"


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def test_a_key_of_the_file(tmp_path: Path) -> None:
    """The key of the file is there for its suite alone, and in no text."""
    path = write(tmp_path, ".env", "OPENAI_API_KEY=sk-hunter2\n")
    connections = Connections(environ={})
    own = connections.with_config(path)
    assert own.endpoint(MODEL).model == "gpt-4o"
    with pytest.raises(ConfigError, match="OPENAI_API_KEY is not set"):
        connections.endpoint(MODEL)
    assert connections.environ == {}


def test_endpoints_are_shared_by_what_they_need(tmp_path: Path) -> None:
    """Suites with the same variables share an endpoint, and with it its limits; others do not."""
    one = write(tmp_path, "one", "OPENAI_API_KEY=sk-1\n")
    same = write(tmp_path, "same", "# the same\nOPENAI_API_KEY=sk-1\n")
    other = write(tmp_path, "other", "OPENAI_API_KEY=sk-2\n")
    connections = Connections(environ={"OPENAI_API_KEY": ""})
    first = connections.with_config(one).endpoint(MODEL)
    assert connections.with_config(same).endpoint(MODEL) is first
    assert connections.with_config(other).endpoint(MODEL) is not first


@pytest.mark.parametrize("text", ["", "# nothing\n"])
def test_a_file_without_variables_changes_nothing(tmp_path: Path, text: str) -> None:
    """Neither does no file at all."""
    connections = Connections(environ={})
    assert connections.with_config(write(tmp_path, ".env", text)) is connections
    assert connections.with_config(None) is connections
    assert connections.with_config(tmp_path / "no") is connections
