"""The JSON report is what its schema says: every key of real reports of every kind is described."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from command_line import SUITE, Cli
from comparison_project import CHECKS, HEAD, RECORDED
from comparison_project import write as write_comparison
from fixture_project import SEMANTIC, Write
from gated_project import write as write_file
from grid_project import FOLDER, by_rules
from jsonschema import Draft202012Validator
from labelling import Models
from loopback import Loopback, Reply, Server, openai_decision, openai_text
from regression_project import FIRST
from regression_project import write as write_regression
from test_grid_scores import SCORED

from judges.files.json_schema import report_schema
from judges.files.report_file import ReportFile
from judges.files.report_row import AssertionKeys, RowEntry
from judges.files.report_summary import SummaryEntry

SCHEMA = report_schema()
GREETING = ".omniscitus/tests/prompts/greeting"

SAID = {"reasoning", "quotes"}
SURE = SAID | {"confidence", "votes"}
SINGLE = {"elapsed_ms", "exit", "signal", "timed_out", "parse_errors", "cost_usd", "denials"}
QUORUM = {"pass_count", "runs", "pass_rate", "actual_excerpts"}
ORDERS = {"ab", "ba", "orders_agree"}
ROW_KEYS: Mapping[str, set[str]] = {
    "scores": {"level", "judged_level", "judged_percent", "supported", *SURE},
    "again": {"level", *SURE},
    "binary": SAID,
    "comparison": {*SURE, *ORDERS, "supported", *(f"{key}_ba" for key in SURE), "supported_ba"},
    "decisions": {*ORDERS, "confidence", "probabilities", "confidence_ba", "probabilities_ba"},
    "first regression": {"level", *SAID},
    "regression": {"level", "difference", *SAID},
    "replica": {"reasoning", "judge_model", "judge_duration_ms", *SINGLE, *QUORUM},
    "replicas": QUORUM,
    "labels": {"label"},
    "grid scores": {"criteria"},
}
"""The keys that some rows of each kind of report have besides those of every row."""
RATE = {"interval", "threshold"}
SUMMARY_KEYS: Mapping[str, set[str]] = {
    "scores": set(),
    "binary": {"pass_rate", "warn_rate", *RATE},
    "comparison": {"wins", "ties", "losses", "win_rate", "judged", "position_bias", *RATE},
    "first regression": {"baseline"},
    "regression": {
        *("baseline", "compared", "drops", "max_drop", "mean_difference", "interval", "margin", "detectable")
    },
    "fixture": set(),
    "grid": {"control", "rates", "uplift", "flat_tasks", "tasks", "out_of_enum", "cells"},
}
"""All keys of the summary of each kind of suite."""


def close(schema: Any) -> Any:
    """The schema without room for a key that it does not name, wherever it names any."""
    if isinstance(schema, list):
        return [close(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {key: close(value) for key, value in schema.items()}
    return closed | (
        {"additionalProperties": False} if "required" in schema or "properties" in schema else {}
    )


CLOSED = Draft202012Validator(close(SCHEMA))


def rows(report: Any) -> Iterator[Any]:
    return (row for suite in report["suites"] for case in suite["cases"] for row in case["rows"])


def assert_described(report: Any) -> None:
    """The models take the report, and nothing in it is undescribed."""
    assert [f"{error.json_path}: {error.message}" for error in CLOSED.iter_errors(report)] == []
    assert ReportFile.model_validate(report).verdict == report["verdict"]


def check(report: Any, kind: str, summary: str) -> None:
    """The report is as described, and has all that is told of its kind."""
    assert_described(report)
    met = {key for row in rows(report) for key in row}
    assert met - set(AssertionKeys.model_fields) == ROW_KEYS[kind]
    for suite in report["suites"]:
        assert suite["summary"].keys() == SUMMARY_KEYS[summary]


def report_of(cli: Cli, *arguments: object) -> Any:
    return cli("run", "-q", "--yes", "--json", "-", *arguments).report


def approve(body: Any) -> Reply:
    """A judge that gives the last of the answers it is offered, with a quote; a model that greets."""
    if "response_format" not in body:
        return openai_text("Hello Ann")
    asked = body["response_format"]["json_schema"]["schema"]["properties"]
    said = {"evidence": ["Hello"], "reasoning": "It greets."}
    return openai_text(
        json.dumps({name: {**said, "answer": offered(each)[-1]} for name, each in asked.items()})
    )


def offered(question: Any) -> Any:
    return question["properties"]["answer"]["enum"]


@pytest.fixture
def server(play_openai: Loopback, project: Path) -> Server:
    return play_openai(approve)


def test_everything_that_is_described_is_met() -> None:
    """No key of a row or of a summary is told of that none of the reports of these tests has."""
    every = set(RowEntry.model_fields) - set(AssertionKeys.model_fields)
    assert set.union(*ROW_KEYS.values()) == every
    assert set.union(*SUMMARY_KEYS.values()) == set(SummaryEntry.model_fields)


@pytest.mark.usefixtures("server")
def test_scores(cli: Cli, project: Path) -> None:
    """Two judges that a meta-judge checks, corrections of both sorts, and cases that nobody judges."""
    judges = "judge: {panel: [gpt-4o, gpt-4.1], meta: gpt-4.1-mini}"
    text = SUITE.replace('judge: {model: "openai:gpt-4o", max_retries: 1, timeout_seconds: 5}', judges)
    cases = (
        "  - {title: Bob, input: {name: Bob}, output: Hello Bob}\n"
        "  - {title: Cat, skip: no output yet, input: {name: Cat}}\n"
        "  - {title: Dan, category: zero_condition, input: {name: x}, output: Hello, expected_behavior: No}\n"
        "  - {title: Eve, input: {name: Eve}, output: ''}\n"
    )
    (project / GREETING / "prompt-meta.yaml").write_text(text + cases)
    made = {"timestamp": "2026-01-01T00:00:00Z", "reason": "Read again", "expires": "2999-01-01"}
    overrides = [
        {"case_ref": "ann", "criterion": "tone", "score": 10, **made},
        {"case_ref": "bob", "score": 90, "author": "gpt-4.1", "rater_kind": "model", **made},
    ]
    (project / GREETING / "overrides").mkdir()
    (project / GREETING / "overrides/overrides.yaml").write_text(json.dumps(overrides))
    report = report_of(cli)
    check(report, "scores", "scores")
    ann, bob = report["suites"][0]["cases"][:2]
    assert report["totals"]["overridden"] == 2
    assert ann["override"]["criteria"]["tone"]["rater_kind"] == "person"
    assert (bob["override"]["score"], bob["override"]["rater_kind"]) == (90, "model")
    assert "Overridden by gpt-4.1 (a model) (to 90" in cli("show", "bob").out


@pytest.mark.usefixtures("server")
def test_a_stored_run(cli: Cli, project: Path) -> None:
    """What `scaffold show` prints of a run is as what the run printed; of a case it is a part of that."""
    report = report_of(cli)
    assert cli("show", "--json").report == report
    assert cli("show", "ann", "--json").report["case"] == report["suites"][0]["cases"][0]
    (line,) = (project / report["suites"][0]["run_dir"] / "rows.jsonl").read_text().splitlines()
    place = {"index": 0, "arm": None, "replica": 1}
    assert json.loads(line) == place | report["suites"][0]["cases"][0]


@pytest.mark.usefixtures("server")
def test_a_judge_that_is_asked_again(cli: Cli, project: Path) -> None:
    """The report tells how steady it was."""
    path = project / GREETING / "prompt-meta.yaml"
    path.write_text(SUITE + "evaluation: {replicas: 2}\n")
    report = report_of(cli)
    check(report, "again", "scores")
    assert report["suites"][0]["cases"][0]["stability"] == {"asked": 2, "flips": 0, "agreement": 1}


@pytest.mark.usefixtures("server")
def test_several_models_and_one_that_fails(cli: Cli, project: Path) -> None:
    """Each model has its case and its sums; what could not be made is an error with a reason."""
    path = project / GREETING / "prompt-meta.yaml"
    path.write_text(SUITE.replace(", output: Hello Ann", ""))
    report = report_of(cli, "--model", "openai:gpt-4o-mini", "--model", "openai:gpt-4.1-mini")
    assert_described(report)
    assert set(report["suites"][0]["models"]) == {"openai:gpt-4o-mini", "openai:gpt-4.1-mini"}


@pytest.mark.usefixtures("server")
def test_binary(cli: Cli, project: Path) -> None:
    """Yes or no, by criteria and checks."""
    text = SUITE.replace("criteria:", "evaluation: {type: binary}\ncriteria:")
    text = text.replace("thresholds: {pass: 70, warn: 50}", "thresholds: {pass: 60}")
    (project / GREETING / "prompt-meta.yaml").write_text(text)
    check(report_of(cli), "binary", "binary")


@pytest.mark.usefixtures("server")
def test_comparison(cli: Cli, project: Path) -> None:
    """Two outputs a case, in both orders, by two judges that a meta-judge checks."""
    text = HEAD.replace(
        '{model: "openai:gpt-4o", max_retries: 1}', "{panel: [gpt-4o, gpt-4.1], meta: gpt-4.1}"
    )
    write_comparison(project, text + CHECKS + RECORDED, {"one": ("Hello 1", "Hello 2"), "two": ("", "Hello")})
    check(report_of(cli), "comparison", "comparison")


def test_comparison_by_decisions(cli: Cli, project: Path, play_openai: Loopback) -> None:
    """A judge that gives probabilities, and no reasons."""
    chances = [
        {"value": arm, "probability": chance} for arm, chance in (("A", 0.7), ("B", 0.2), ("tie", 0.1))
    ]
    chosen = {"type": "choice", "choice": "A", "confidence": 0.7, "probabilities": chances}
    play_openai(openai_decision([chosen] * 3))
    write_comparison(project, HEAD + RECORDED, {"one": ("Hello 1", "Hello 2")})
    check(report_of(cli, "--judge", "openai-decisions:gpt-6-luna"), "decisions", "comparison")


@pytest.mark.usefixtures("server")
def test_regression(cli: Cli, project: Path) -> None:
    """Without a baseline, and against one."""
    write_regression(project, FIRST)
    first = report_of(cli)
    check(first, "first regression", "first regression")
    assert cli("baseline", "accept").code == 0
    write_regression(project, {**FIRST, "ann": "worse"})
    check(report_of(cli), "regression", "regression")


@pytest.mark.usefixtures("scripted_claude", "anthropic_judge")
def test_fixtures(cli: Cli, fixtures: Write) -> None:
    """One replica, with what is known of its session; several; and none."""
    fixtures("say STATUS: OK", "deny Bash", name="single", conditions=SEMANTIC)
    check(report_of(cli, "single", "--live"), "replica", "fixture")
    graded = cli("grade", next(Path(".omniscitus/runs").iterdir()), "--json", "-").report
    check(graded, "replica", "fixture")
    fixtures("say STATUS: OK | crash | say BAD", name="several", conditions=SEMANTIC, runs=3)
    check(cli("bench", "several", "--live", "--json", "-", "-q").report, "replicas", "fixture")


@pytest.mark.usefixtures("server", "project")
def test_fixtures_that_are_not_run(cli: Cli, fixtures: Write) -> None:
    """Beside other suites they are skipped, with a reason."""
    fixtures("say STATUS: OK", conditions=SEMANTIC, runs=2)
    report = report_of(cli)
    assert_described(report)
    assert [suite["verdict"] for suite in report["suites"]] == ["SKIP", "PASS"]


@pytest.mark.usefixtures("triage")
def test_grids(cli: Cli, models: Models) -> None:
    """Labels, of which one is none."""
    models(lambda prompt: "P4" if "typo" in prompt else by_rules(prompt))
    report = cli("run", "triage", "--yes", "--json", "-").report
    check(report, "labels", "grid")
    assert report["suites"][0]["summary"]["out_of_enum"]


@pytest.mark.usefixtures("triage", "server")
def test_grids_of_scores(cli: Cli) -> None:
    """Outputs that a judge scores."""
    write_file(f"{FOLDER}/triage.grid.yaml", SCORED)
    write_file(f"{FOLDER}/tasks.jsonl", '{"id": "slow", "input": "it became slow"}\n')
    check(cli("run", "triage", "--yes", "--json", "-").report, "grid scores", "grid")


@pytest.mark.usefixtures("server")
def test_a_reader_with_an_older_schema_is_not_broken(cli: Cli) -> None:
    """A key that is added anywhere is fine by the schema; one that is missing, or of another type, is not."""
    validator = Draft202012Validator(SCHEMA)
    report = report_of(cli)
    grown = json.loads(json.dumps(report), object_hook=lambda each: {**each, "added": 1})
    grown["suites"][0]["models"] = grown["suites"][0]["cases"][0]["criteria"] = {}
    grown["suites"][0]["cases"][0]["outputs"] = {}
    assert [error.json_path for error in validator.iter_errors(grown)] == []
    assert list(CLOSED.iter_errors(grown))
    assert not validator.is_valid({**report, "verdict": "MAYBE"})
    assert not validator.is_valid({key: value for key, value in report.items() if key != "totals"})
