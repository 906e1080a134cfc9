"""`scaffold run` with `logs:` and `analysis:`: copies of the results beside the run directory."""

import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from command_line import Cli
from loopback import Loopback, Reply, Server
from test_run import judge_by_word, write_cases

SUITE = Path(".omniscitus/tests/prompts/greeting")
SECTIONS = "logs: {format: csv}\nanalysis: {}\n"


@pytest.fixture
def server(play_openai: Loopback) -> Server:
    return play_openai(judge_by_word)


def ask_for(sections: str, project: Path, cases: int = 3) -> None:
    """Give the suite some cases, and these sections."""
    write_cases(project, cases)
    file = SUITE / "prompt-meta.yaml"
    file.write_text(file.read_text() + sections)


def copies() -> dict[str, str]:
    return {path.name: path.read_text("utf-8") for path in sorted(SUITE.glob("logs/**/*.*"))}


@pytest.mark.usefixtures("server")
def test_copies_are_written_after_a_run(cli: Cli, project: Path) -> None:
    """Each run leaves its own copies, named after it, and says nothing about them."""
    ask_for(SECTIONS, project)
    result = cli("run", "-q", "--json", "-")
    run = Path(result.report["run_dir"]).name
    assert (result.code, result.err) == (1, "")
    assert list(copies()) == [
        f"{run}-greeting.csv",
        f"{run}-greeting.analysis.json",
        f"{run}-greeting.analysis.md",
    ]
    assert "c2,c2,edge,,FAIL,25" in copies()[f"{run}-greeting.csv"]
    summary = json.loads(copies()[f"{run}-greeting.analysis.json"])
    assert [case["ref"] for case in summary["not_passed"]] == ["c2"]
    cli("run", "-q")
    assert len(copies()) == 6


@pytest.mark.usefixtures("server")
@pytest.mark.parametrize(
    ("cases", "code"), [pytest.param(2, 0, id="passed"), pytest.param(3, 1, id="failed")]
)
def test_a_copy_that_fails_changes_no_exit_code(cli: Cli, project: Path, cases: int, code: int) -> None:
    """The result stands, whole in the run directory; a sentence tells where it is, and where it is not."""
    ask_for(SECTIONS, project, cases)
    (SUITE / "logs").write_text("in the way")
    result = cli("run", "-q", "--json", "-")
    run = Path(result.report["run_dir"])
    assert result.code == code
    assert len(result.report["suites"][0]["cases"]) == cases
    first, *others = result.err.splitlines()
    assert first == (
        f"Notice: no copy of the results in {SUITE}/logs/{run.name}-greeting.csv: File exists; "
        f"they are in {run}/greeting"
    )
    assert len(others) == 2
    assert (run / "greeting" / "rows.jsonl").exists()


@pytest.mark.usefixtures("server")
def test_a_folder_that_nobody_may_write_to(cli: Cli, project: Path) -> None:
    """A folder of the system, which not even root can make folders in, is told like any other."""
    ask_for("logs: {directory: /sys/kernel/none}\n", project)
    result = cli("run", "-q", "--allow-outside")
    assert result.code == 1
    assert result.err.startswith("Notice: no copy of the results in /sys/kernel/none/")
    assert len(result.err.splitlines()) == 1


@pytest.mark.parametrize("section", ["logs", "analysis"])
def test_copies_stay_inside_the_project(cli: Cli, project: Path, server: Server, section: str) -> None:
    """A folder outside is refused before anything is called."""
    ask_for(f"{section}: {{directory: ../../../../../x}}\n", project)
    result = cli("run", "-q")
    assert (result.code, server.requests) == (2, [])
    assert f"{section}.directory: '../../../../../x' leaves the project root" in result.err
    assert not (project.parent / "x").exists()


def test_an_interrupted_run_is_copied_when_it_has_ended(
    cli: Cli, project: Path, play_openai: Loopback
) -> None:
    """A part of a run is no result: the copy is written when the run was resumed to its end."""
    asked = []

    def interrupt(body: Any) -> Reply:
        asked.append(body)
        if len(asked) == 2:
            os.kill(os.getpid(), signal.SIGINT)
        return judge_by_word(body)

    play_openai(interrupt)
    ask_for("logs: {}\n", project, 6)
    report = cli("run", "-q", "--concurrency", "1", "--json", "-").report
    assert (report["exit_code"], copies()) == (130, {})
    run = Path(report["run_dir"]).name
    assert cli("run", "-q", "--resume", run).code == 1
    (text,) = copies().values()
    assert [json.loads(line)["ref"] for line in text.splitlines()] == [f"c{number}" for number in range(6)]


@pytest.mark.usefixtures("server")
def test_copies_are_no_cases_of_the_next_run(cli: Cli, project: Path) -> None:
    """A suite whose cases are all files below its folder does not judge its own results."""
    file = SUITE / "prompt-meta.yaml"
    head, _, _ = file.read_text().partition("cases:")
    file.write_text(f'{head}cases: {{source: external, pattern: "**/*.json"}}\nlogs: {{format: json}}\n')
    (SUITE / "one.json").write_text('{"title": "One", "input": {"name": "Ann"}, "output": "kind"}')
    assert [cli("run", "-q").code for _ in range(2)] == [0, 0]
    assert len(copies()) == 2
