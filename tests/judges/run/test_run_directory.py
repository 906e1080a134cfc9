"""What is no finished run is not read as one."""

from pathlib import Path

import pytest

from judges.core.errors import ConfigError
from judges.run.records import RunDirectory


@pytest.mark.parametrize(
    ("files", "said"),
    [
        pytest.param(
            {"plan.json": '{"arguments": {"suites": []}}'},
            "the run has not finished (scaffold run --resume {} goes on with it, unless it is still running)",
            id="a command line's",
        ),
        pytest.param(
            {"plan.json": '{"arguments": {}}'},
            "the run has not finished (a program started it: run that again, unless it is still running)",
            id="a program's",
        ),
        pytest.param({}, "is no run: it holds neither plan.json nor run.json", id="some other folder"),
    ],
)
def test_without_an_end(tmp_path: Path, files: dict[str, str], said: str) -> None:
    """The plan is written first and run.json last, so what is there tells what the folder is."""
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    with pytest.raises(ConfigError) as caught:
        RunDirectory(tmp_path)
    assert str(caught.value) == f"{tmp_path}: {said.format(tmp_path)}"
