"""A run that has not come to its end: what commands say of it, and what is done about the rest of it."""

from pathlib import Path

import pytest
from command_line import Cli
from loopback import Loopback
from test_run import judge_by_word, write_cases

MOST = 6


@pytest.fixture
def killed(cli: Cli, project: Path, play_openai: Loopback) -> Path:
    """A run that was killed when two of its six cases had been judged: the second one is bad."""
    play_openai(judge_by_word)
    write_cases(project, MOST)
    cli("run", "-q", "-k", "c1", "-k", "c2")
    (done,) = project.glob(".omniscitus/runs/*")
    kept = {name: (done / "greeting" / name).read_bytes() for name in ("rows.jsonl", "records.jsonl")}
    cli("run", "-q")
    (run,) = set(project.glob(".omniscitus/runs/*")) - {done}
    for name, data in kept.items():
        (run / "greeting" / name).write_bytes(data)
    for gone in (run / "run.json", run / "greeting/grade.json"):
        gone.unlink()
    return run


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["show", "RUN"], id="show"),
        pytest.param(["show", "RUN", "c1"], id="show a case"),
        pytest.param(["show", "PATH"], id="show, by its path"),
        pytest.param(["report", "RUN"], id="report"),
        pytest.param(["compare", "RUN", "RUN"], id="compare"),
        pytest.param(["review", "list", "RUN"], id="review"),
        pytest.param(["calibrate", "greeting", "--run", "RUN"], id="calibrate"),
    ],
)
def test_it_is_named_unfinished(cli: Cli, killed: Path, arguments: list[str]) -> None:
    """Whatever wants its result says that there is none yet, and how to go on."""
    names = {"RUN": killed.name, "PATH": str(killed)}
    result = cli(*(names.get(each, each) for each in arguments))
    assert (result.code, result.out) == (2, "")
    assert result.err == (
        f"Error: {killed}: the run has not finished "
        f"(scaffold run --resume {killed.name} goes on with it, unless it is still running)\n"
    )
