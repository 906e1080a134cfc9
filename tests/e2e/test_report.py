"""`scaffold report`: runs as one HTML file."""

import json
import re
from pathlib import Path

import pytest
from command_line import Cli, levels
from fixture_project import Write
from grid_project import by_rules
from labelling import Models
from loopback import Loopback, openai_text

SUITE = ".omniscitus/tests/prompts/greeting/prompt-meta.yaml"


@pytest.fixture
def runs(cli: Cli, project: Path, play_openai: Loopback) -> list[str]:
    """Two runs of a suite: Ann became rude."""
    play_openai(
        lambda body: openai_text(json.dumps(levels(1 if "rude" in body["messages"][1]["content"] else 3, 2)))
    )
    suite = project / SUITE
    before = suite.read_text()
    made = []
    for output in ("kind", "rude"):
        suite.write_text(before.replace("Hello Ann", output))
        made.append(Path(cli("run", "-q", "--json", "-").report["run_dir"]).name)
    return made


def test_the_latest_run(cli: Cli, runs: list[str], project: Path) -> None:
    """Without a name it is the latest run; a file that is there is replaced as a whole."""
    (project / "report.html").write_text("an older page" * 100_000)
    result = cli("report", "--html", "report.html")
    page = (project / "report.html").read_text()
    assert (result.code, result.err) == (0, "")
    assert result.out == f"Wrote report.html, 0.0 MB: {runs[1]}\n"
    assert page.startswith("<!doctype html>")
    assert page.endswith("</html>\n")
    assert f"Run {runs[1]}</h2>" in page
    assert f"Run {runs[0]}</h2>" not in page
    assert "The last 2 runs" in page


def test_several_runs_and_what_changed(cli: Cli, runs: list[str], project: Path) -> None:
    """Every run has a section, and what changed since another one."""
    assert cli("report", *runs, "--against", runs[0], "--html", "report.html").code == 0
    page = (project / "report.html").read_text()
    assert [page.count(f"Run {run}</h2>") for run in runs] == [1, 1]
    assert page.count(f"<h4>Since run {runs[0]}</h4>") == 2
    assert '<span class="mark">was PASS 100</span>' in page
    assert "0 cases with another verdict." in page
    assert "1 case with another verdict." in page


def test_a_run_by_its_path(
    cli: Cli, runs: list[str], project: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A run that was copied elsewhere is shown, too, without the runs of a project."""
    folder = tmp_path_factory.mktemp("artifact") / "copied"
    (project / ".omniscitus/runs" / runs[1]).rename(folder)
    assert cli("report", folder, "--html", "report.html").code == 0
    page = (project / "report.html").read_text()
    assert f"Run {folder}</h2>" in page
    assert "The last" not in page


@pytest.mark.usefixtures("scripted_claude")
def test_a_fixture(cli: Cli, fixtures: Write) -> None:
    """Its rows have their pass rates, and every replica its result."""
    fixtures("say STATUS: OK | say STATUS: BAD | say STATUS: OK", runs=3)
    assert cli("bench", "--live", "--jobs", "1", "--quiet").code == 0
    assert cli("report", "--html", "report.html").code == 0
    page = Path("report.html").read_text()
    assert '<b>result.must_match</b> <span class="score">2/3</span>' in page
    results = re.findall(r"(replica \d).*?<pre dir=\"auto\">\n(.*?)</pre>", page, re.DOTALL)
    assert [name for name, _ in results] == ["replica 1", "replica 2", "replica 3"]
    assert sorted(text for _, text in results) == ["STATUS: BAD", "STATUS: OK", "STATUS: OK"]


@pytest.mark.usefixtures("triage")
def test_a_grid(cli: Cli, models: Models) -> None:
    """Its rates and uplifts, and every repeat of a cell."""
    models(by_rules)
    assert cli("run", "triage", "--yes", "--quiet").code == 0
    assert cli("report", "--html", "report.html").code == 0
    page = Path("report.html").read_text()
    assert re.search(
        r'<th scope="row">skill</th><td>all models</td><td class="number">100 %</td>.*\+25', page
    )
    assert "3 of 4 tasks tell no arm or model from another (always right: down, slow, typo)" in page
    cell, _, _ = page[page.index("skill/openai:gpt-4o-mini/leak") :].partition('<details class="case')
    assert re.findall(r"repeat \d", cell) == ["repeat 1", "repeat 2", "repeat 3"]
    assert cell.count("\nP1</pre>") == 3


def test_no_file_is_named(cli: Cli, project: Path) -> None:
    """The message says how to name one."""
    result = cli("report")
    assert (result.code, result.out) == (2, "")
    assert "Name the file to write, such as: scaffold report --html report.html" in result.err


def test_no_run_yet(cli: Cli, project: Path) -> None:
    """The message says how to make one, and nothing is written."""
    result = cli("report", "--html", "report.html")
    assert result.code == 2
    assert "there is no finished run" in result.err
    assert "make one: scaffold run" in result.err
    assert not (project / "report.html").exists()


def test_a_place_that_cannot_be_written(cli: Cli, runs: list[str]) -> None:
    """It is a mistake in the command line, and told as every command tells it."""
    result = cli("report", "--html", "missing/report.html")
    assert result.code == 2
    assert result.err == "Error: missing/report.html: there is no such folder (make the folder first)\n"


def test_nothing_in_common(cli: Cli, runs: list[str], project: Path) -> None:
    """A run of other suites is nothing to be held against."""
    grade = next((project / ".omniscitus/runs" / runs[0]).glob("*/grade.json"))
    grade.write_text(grade.read_text().replace('"name": "greeting"', '"name": "other"'))
    result = cli("report", "--against", runs[0], "--html", "report.html")
    assert result.code == 2
    assert f"{runs[1]} and {runs[0]} have no suite in common" in result.err
    assert "has other" in result.err


@pytest.mark.parametrize(
    ("code", "name", "damage"),
    [
        (2, "rows.jsonl", lambda path: path.write_text("{}\n")),
        (3, "rows.jsonl", lambda path: path.unlink()),
        (2, "records.jsonl", lambda path: path.write_text("[\n")),
        (2, "records.jsonl", lambda path: path.write_text("{}\n")),
        (2, "records.jsonl", lambda path: path.write_text("")),
        (2, "records.jsonl", lambda path: path.unlink()),
        (2, "grade.json", lambda path: path.write_text("{}")),
    ],
)
def test_a_damaged_run(cli: Cli, runs: list[str], project: Path, code: int, name: str, damage) -> None:  # type: ignore[no-untyped-def]
    """What cannot be read is named, and an earlier page stays."""
    (path,) = (project / ".omniscitus/runs" / runs[1]).glob(f"*/{name}")
    damage(path)
    (project / "report.html").write_text("earlier")
    result = cli("report", "--html", "report.html")
    assert result.code == code
    assert str(project / ".omniscitus/runs" / runs[1]) in result.err
    assert (project / "report.html").read_text() == "earlier"
    assert [each.name for each in project.glob("report.html*")] == ["report.html"]
