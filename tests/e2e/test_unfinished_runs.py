"""A run that has not come to its end: what commands say of it, and what is done about the rest of it."""

import os
import signal
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from command_line import Cli, Result
from loopback import Loopback, Reply
from test_interrupted import finished, newest_run, wait_for
from test_run import judge_by_word, refs, write_cases

import judges
from judges.run.connections import Connections
from judges.run.execute import execute, utc_now
from judges.run.procedures import plan_suite
from judges.run.records import RunDirectory

MOST = 6
Interrupt: TypeAlias = Callable[..., Result]


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
        pytest.param(["report", "RUN", "--html", "report.html"], id="report"),
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


@pytest.fixture
def interrupt(cli: Cli, project: Path, play_openai: Loopback) -> Interrupt:
    """Run the suite and press Ctrl-C when c3 is being judged and all before it is kept."""
    write_cases(project, MOST)

    def reply(body: Any) -> Reply:
        if "kind 3" not in body["messages"][1]["content"]:
            return judge_by_word(body)
        wait_for(lambda: finished(project) == len(server.requests) - 1)
        os.kill(os.getpid(), signal.SIGINT)
        return Reply(delay=5)

    server = play_openai(reply)

    def run(*selecting: str) -> Result:
        result = cli("run", "-q", "--no-cache", "--concurrency", "1", *selecting)
        assert result.code == 130
        play_openai(judge_by_word)
        return result

    return run


def test_what_an_interrupt_leaves(cli: Cli, interrupt: Interrupt, project: Path) -> None:
    """The next step is to go on, also when the run is shown later; what is paid and not counted is named."""
    lines = interrupt().out.splitlines()
    run = newest_run(project).name
    assert "note: 1 trial was in flight: what that cost is not counted" in lines
    assert lines[-1] == f"Next: scaffold run --resume {run}"
    assert cli("show").out.splitlines()[-1] == lines[-1]
    assert cli("run", "-q", "--resume", run).code == 1
    assert cli("show").out.splitlines()[-1] == f"Next: scaffold show {run} c2"


@pytest.mark.parametrize(
    ("selecting", "left", "expected"),
    [
        pytest.param([], "3 cases", ["c2", "c3", "c4", "c5"], id="of all"),
        pytest.param(["-k", "c1", "-k", "c3"], "1 case", ["c3"], id="of what was selected"),
    ],
)
def test_what_was_not_run_has_not_passed(
    cli: Cli, interrupt: Interrupt, project: Path, selecting: list[str], left: str, expected: list[str]
) -> None:
    """--failed after an interrupt is about what failed and about what was not run, and says so."""
    interrupt(*selecting)
    run = newest_run(project).name
    result = cli("run", "-q", "--failed", "--json", "-")
    assert refs(result.report) == expected
    assert result.err == (f"Run {run} was interrupted; what it did not run counts as not passed: {left}.\n")


def test_a_killed_run_is_not_the_latest(cli: Cli, killed: Path, project: Path) -> None:
    """--failed is about the run before, which has a result, and says so."""
    result = cli("run", "-q", "--failed", "--json", "-")
    assert refs(result.report) == ["c2"]
    done = min(project.glob(".omniscitus/runs/*"), key=lambda path: path.stat().st_mtime_ns).name
    assert result.err == f"The newer run {killed.name} has not finished; this is {done}.\n"


@pytest.mark.usefixtures("project")
def test_ctrl_c_at_the_end(play_openai: Loopback) -> None:
    """What is run has a result: while its files are completed an interrupt comes too late."""
    server = play_openai(judge_by_word)
    (suite,) = Path(".omniscitus").rglob("prompt-meta.yaml")
    options = judges.RunOptions()
    connections = Connections({"OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": "sk-test"})
    begun: list[datetime] = []

    def clock() -> datetime:
        if begun:
            os.kill(os.getpid(), signal.SIGINT)
        begun.append(utc_now())
        return begun[0]

    report = execute(
        [plan_suite(judges.load_suite(suite), options)],
        options,
        connections,
        root=Path(),
        clock=clock,
    )
    assert report.exit_code is judges.ExitCode.PASSED
    assert RunDirectory(report.run_dir).info["exit_code"] == 0
