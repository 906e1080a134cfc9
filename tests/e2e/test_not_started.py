"""Runs in which nothing is started: every output that was asked for says so, none keeps an older result."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from command_line import SUITE, Cli, Result
from fixture_project import SEMANTIC, Write
from gated_project import write
from grid_project import FOLDER, GRID
from jsonschema import Draft202012Validator
from junitparser import JUnitXml

from judges.files.report_file import ReportFile

SCHEMA = json.loads((Path(__file__).parents[2] / "schemas/report.schema.json").read_text())
NOT_LIVE = "sessions are not run unless they are asked for: set RUN_LLM_BENCH=1, or pass --live"
OUTPUTS = ("--json", "r.json", "--junit", "r.xml", "--csv", "r.csv", "--markdown", "r.md")
GREETING = ".omniscitus/tests/prompts/greeting/prompt-meta.yaml"


def assert_not_started(result: Result, report: Any, why: str, suites: list[str]) -> None:
    """Exit code 4 and why, in words and in a report of skipped suites that is as described."""
    assert (result.code, report["exit_code"], report["verdict"]) == (4, 4, "SKIP")
    assert result.err.endswith(f"Nothing was run: {why}.\n")
    assert report["notices"] == [{"text": f"nothing was run: {why}", "ref": None}]
    assert [(each["name"], each["verdict"]) for each in report["suites"]] == [
        (name, "SKIP") for name in suites
    ]
    assert {report["run_dir"], *(each["run_dir"] for each in report["suites"])} == {None}
    assert report["usage"]["calls"] == 0
    Draft202012Validator(SCHEMA).validate(report)
    ReportFile.model_validate(report)
    assert not Path(".omniscitus/runs").exists()


@pytest.mark.parametrize("command", ["run", "bench"])
def test_sessions_that_were_not_asked_for(cli: Cli, fixtures: Write, command: str) -> None:
    """Each fixture is skipped, row by row, as it is beside suites that are run; older files are replaced."""
    fixtures("say STATUS: OK", runs=2)
    fixtures("say STATUS: OK", name="judged", conditions=SEMANTIC)
    for name in OUTPUTS[1::2]:
        Path(name).write_text("of an older run")
    result = cli(command, *OUTPUTS)
    report = json.loads(Path("r.json").read_text())
    assert_not_started(result, report, NOT_LIVE, ["demo", "judged"])
    assert report["totals"] | {"cases": 2, "skipped": 2} == report["totals"]
    rows = [row for suite in report["suites"] for case in suite["cases"] for row in case["rows"]]
    assert {(row["verdict"], row["error"]) for row in rows} == {("SKIP", NOT_LIVE)}
    assert [row["id"] for row in rows] == [
        "run.completed",
        "result.must_match",
        "run.completed",
        "semantic.ok",
    ]
    junit = JUnitXml.fromfile("r.xml")
    assert (junit.tests, junit.skipped, junit.failures, junit.errors) == (4, 4, 0, 0)
    assert [row["verdict"] for row in csv.DictReader(Path("r.csv").read_text().splitlines())] == [
        "SKIP",
        "SKIP",
    ]
    markdown = Path("r.md").read_text()
    assert markdown.startswith("# SKIP: 2 suites, 2 cases: 2 skipped\n")
    assert "null" not in markdown


def test_standard_output_is_json_alone(cli: Cli, fixtures: Write) -> None:
    """What would be run and what that costs is told on standard error then."""
    fixtures("say STATUS: OK")
    assert cli("bench").out.endswith("Nothing was called.\n")
    result = cli("bench", "--json", "-")
    assert_not_started(result, result.report, NOT_LIVE, ["demo"])
    assert "demo: 1 trial (1 sessions x (1 + 0 calls of a judge)): about" in result.err


@pytest.mark.parametrize(
    ("evaluation", "summary"),
    [
        pytest.param("multi_criteria", {}, id="multi_criteria"),
        pytest.param("regression", {"baseline": None}, id="regression"),
        pytest.param(
            "binary",
            {"pass_rate": None, "warn_rate": None, "interval": None, "threshold": 70},
            id="binary",
        ),
    ],
)
def test_no_case_is_selected(cli: Cli, project: Path, evaluation: str, summary: dict[str, Any]) -> None:
    """The suite is there without a case; no key is needed for that."""
    text = SUITE if evaluation != "binary" else SUITE.replace(", warn: 50", "")
    (project / GREETING).write_text(f"{text}evaluation: {{type: {evaluation}}}\n")
    Path("r.json").write_text("of an older run")
    result = cli("run", "-k", "zzz", *OUTPUTS)
    report = json.loads(Path("r.json").read_text())
    assert_not_started(result, report, "no case is selected by -k zzz", ["greeting"])
    assert (report["suites"][0]["cases"], report["suites"][0]["summary"]) == ([], summary)


@pytest.mark.usefixtures("project")
def test_no_suite(cli: Cli) -> None:
    """A report without a suite; `bench` finds no fixture."""
    result = cli("bench", "--json", "-")
    why = "there is no fixture here. Write one with: scaffold add-fixture NAME"
    assert_not_started(result, result.report, why, [])


def test_no_suite_yet(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A project without a suite has a report of nothing, for which no older file passes."""
    monkeypatch.chdir(tmp_path)
    for name in OUTPUTS[1::2]:
        Path(name).write_text("of an older run")
    result = cli("run", *OUTPUTS)
    report = json.loads(Path("r.json").read_text())
    assert (result.code, report["exit_code"], report["verdict"], report["suites"]) == (4, 4, "SKIP", [])
    assert (
        result.err == "Nothing was run: there is no suite here. Write one with: scaffold add-prompt NAME.\n"
    )
    assert JUnitXml.fromfile("r.xml").tests == 0


@pytest.mark.usefixtures("triage")
def test_a_grid_of_sessions(cli: Cli) -> None:
    """A grid of which only sessions are selected has its cells, all skipped."""
    body = "# Prompt body\n\n/triage {{input}}\n"
    write(
        f"{FOLDER}/session.fixture.md", f"---\npass_conditions: {{run: {{must_succeed: true}}}}\n---\n{body}"
    )

    grid = GRID.replace("skill: {prompt: prompts/skill.txt}", "session: {fixture: session.fixture.md}")
    write(f"{FOLDER}/triage.grid.yaml", grid)
    write(".omniscitus/models.yaml", "- anthropic:claude-haiku-4-5\n")
    result = cli("run", "triage", "--arm", "session", "--json", "-")
    assert_not_started(result, result.report, NOT_LIVE, ["triage"])
    assert result.report["totals"] | {"cases": 4, "skipped": 4} == result.report["totals"]


@pytest.mark.usefixtures("project")
def test_github_is_told(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """The summary of the job says that nothing was run; nothing is annotated."""
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    result = cli("run", "-k", "zzz")
    assert "::" not in result.err
    summary = Path("summary.md").read_text()
    assert summary.startswith("# SKIP: 1 suite, 0 cases\n")
    assert "nothing was run: no case is selected by" in summary


@pytest.mark.usefixtures("project")
def test_a_file_that_cannot_be_written(cli: Cli) -> None:
    """It is a mistake as in any run."""
    result = cli("run", "-k", "zzz", "--json", "no/such/r.json")
    assert (result.code, "there is no such folder" in result.err) == (2, True)


@pytest.mark.usefixtures("project")
def test_a_dry_run_writes_no_report(cli: Cli) -> None:
    """It has no result, and an older file would pass for it: the two are refused together."""
    Path("r.json").write_text("of an older run")
    result = cli("run", "--dry-run", "--json", "r.json", "--csv", "r.csv")
    assert result.code == 2
    assert "--dry-run has no result to write: leave out --json, --csv." in result.err
    assert Path("r.json").read_text() == "of an older run"
