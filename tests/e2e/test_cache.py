"""Answers are kept: what was asked before costs nothing, whatever is scored differently since."""

import json
import sqlite3
from pathlib import Path

import pytest
from command_line import Cli, levels
from loopback import Loopback, Server, openai_text
from small_disk import Disk, require_namespaces
from test_run import write_cases

SUITE = ".omniscitus/tests/prompts/greeting/prompt-meta.yaml"


@pytest.fixture
def server(play_openai: Loopback) -> Server:
    return play_openai(openai_text(json.dumps(levels(3, 2))))


def edit(project: Path, old: str, new: str) -> None:
    suite = project / SUITE
    assert old in suite.read_text()
    suite.write_text(suite.read_text().replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "asked"),
    [
        pytest.param("Hello Ann", "Hello Ann", 0, id="nothing changed"),
        pytest.param("pass: 70", "pass: 90", 0, id="a threshold"),
        pytest.param("weight: 0.75", "weight: 0.5", 0, id="a weight"),
        pytest.param(
            "output: Hello Ann}",
            "output: Hello Ann, expected_score_range: {min: 75, max: 100}}",
            0,
            id="a range",
        ),
        pytest.param("Hello Ann", "Hello Anna", 1, id="the output"),
        pytest.param("3: kind", "3: very kind", 1, id="the rubric"),
        pytest.param("name: Ann}", "name: Bea}", 1, id="the input"),
        pytest.param('openai:gpt-4o"', 'openai:gpt-4.1"', 1, id="the judge"),
    ],
)
def test_what_is_asked_again(cli: Cli, project: Path, server: Server, old: str, new: str, asked: int) -> None:
    """Only what the judge would see makes it judge again; re-scoring is free."""
    assert cli("run", "-q").code == 0
    edit(project, old, new)
    report = cli("run", "-q", "--json", "-").report
    assert len(server.requests) == 1 + asked
    assert (report["usage"]["calls"], report["usage"]["cached"]) == (asked, 1 - asked)
    assert (report["usage"]["cost_usd"] == 0) is (asked == 0)


@pytest.mark.usefixtures("project")
def test_no_cache(cli: Cli, server: Server) -> None:
    """Without the cache every call is made."""
    for _ in range(2):
        cli("run", "-q", "--no-cache")
    assert len(server.requests) == 2
    assert not Path(".omniscitus/cache").exists()


@pytest.mark.usefixtures("project")
def test_unusable_replies_are_not_kept(cli: Cli, play_openai: Loopback) -> None:
    """A judge that has recovered is heard: its bad replies were not kept."""
    server = play_openai([openai_text("?"), openai_text("?"), openai_text(json.dumps(levels(3, 2)))])
    assert [cli("run", "-q").code for _ in range(3)] == [3, 0, 0]
    assert len(server.requests) == 3


def test_stats_and_prune(cli: Cli, project: Path, server: Server) -> None:
    """The cache says what it holds, and shrinks when asked to."""
    write_cases(project, 4)
    assert "0 answers, 0.0 MB" in cli("cache", "stats").out
    cli("run", "-q")
    assert "4 answers" in cli("cache", "stats").out
    assert cli("cache", "prune").code == 2
    assert "write it like 500MB" in cli("cache", "prune", "--max-size", "lots").err
    assert cli("cache", "prune", "--older-than", "1").out == "0 answers removed\n"
    assert cli("cache", "prune", "--max-size", "0kB").out == "4 answers removed\n"
    cli("run", "-q")
    assert len(server.requests) == 8


def test_prune_while_another_program_reads(cli: Cli, project: Path, server: Server) -> None:
    """It does not wait for the other's end, and says what will happen then."""
    cli("run", "-q")
    other = sqlite3.connect(project / ".omniscitus/cache/answers.sqlite", isolation_level=None)
    other.execute("BEGIN")
    assert other.execute("SELECT COUNT(*) FROM entries").fetchone() == (1,)
    done = cli("cache", "prune", "--max-size", "0kB")
    assert (done.code, done.out) == (0, "1 answers removed\n")
    assert done.err == "Another program reads the cache: its file shrinks when that program has ended.\n"
    other.close()
    assert len(server.requests) == 1


def test_a_cache_that_cannot_be_written(cli: Cli, project: Path, server: Server) -> None:
    """The run goes on without it, and says so."""
    (project / ".omniscitus/cache").write_text("a file, not a folder")
    report = cli("run", "-q", "--json", "-").report
    assert report["verdict"] == "PASS"
    assert "is off for the rest of the run" in report["notices"][0]["text"]
    assert cli("cache", "stats").code == 0


def test_a_cache_that_can_only_be_read(
    cli: Cli, project: Path, server: Server, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """On a disk that is read-only it says what it holds; nothing can be removed there."""
    require_namespaces()
    write_cases(project, 4)
    cli("run", "-q")
    result = tmp_path_factory.mktemp("result")
    disk = Disk(project / ".omniscitus", result, read_only=True)
    told = disk.run("cache", "stats")
    assert (told.returncode, "answers.sqlite: 4 answers, " in told.stdout, told.stderr) == (0, True, "")
    assert disk.run("cache", "prune", "--max-size", "0kB").returncode == 3


def test_outside_a_project(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a project there is no cache to look at."""
    monkeypatch.chdir(tmp_path)
    assert cli("cache", "stats").code == 2
