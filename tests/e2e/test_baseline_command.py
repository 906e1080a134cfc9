"""`scaffold baseline`: which runs can be accepted, what that writes, and what is said of one that cannot."""

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import Cli
from loopback import Loopback, Reply, Server, openai_text
from regression_project import BASELINE, FIRST, SUITE, judge_literally, run, write


def test_an_accepted_run_is_the_baseline(cli: Cli, project: Path, literal_judge: Server) -> None:
    """The file holds outputs, digests, answers and scores in the suite's order; one run, the same bytes."""
    write(project, FIRST)
    cli("run", "-q")
    result = cli("baseline", "accept")
    assert result.code == 0
    assert "greeting: 4 cases, mean score 81.2, judged by openai:gpt-4o in run " in result.out
    assert f"Written to {BASELINE}; commit it." in result.out
    text = (project / BASELINE).read_text()
    baseline = json.loads(text)
    assert [case["ref"] for case in baseline["cases"]] == list(FIRST)
    assert baseline["cases"][0]["answers"] == {"criteria.tone": {"value": 4}, "criteria.safety": {"value": 5}}
    assert baseline["cases"][0]["output"] == "tone 4 safety 5"
    assert cli("baseline", "accept", baseline["run"]).code == 0
    assert (project / BASELINE).read_text() == text
    shown = cli("baseline", "show")
    assert (shown.code, "    81.25  ann\n" in shown.out) == (0, True)


def test_accepting_what_is_not_whole_is_refused(cli: Cli, project: Path, play_openai: Loopback) -> None:
    """Cases that were not measured, or not run, are named; with --force they are left out."""

    def silent_about_bob(body: Any) -> Reply:
        return openai_text("Well.") if "bob" in body["messages"][1]["content"] else judge_literally(body)

    play_openai(silent_about_bob)
    write(project, FIRST)
    assert run(cli).code == 3
    refused = cli("baseline", "accept")
    assert refused.code == 2
    assert "has cases that could not be measured: bob (run the suite again, or leave them out" in refused.err
    assert not (project / BASELINE).exists()
    assert cli("baseline", "accept", "--force").code == 0
    assert [case["ref"] for case in json.loads((project / BASELINE).read_text())["cases"]] == [
        "ann",
        "cat",
        "dan",
    ]
    assert run(cli, "-k", "ann").code == 0
    partial = cli("baseline", "accept")
    assert (partial.code, "is without 3 of the suite's cases: bob, cat, dan" in partial.err) == (2, True)


@pytest.mark.usefixtures("literal_judge")
def test_a_run_that_was_cut_off_is_not_accepted(cli: Cli, project: Path) -> None:
    """What is missing is counted; with --force what there is becomes the baseline."""
    write(project, FIRST)
    folder = Path(run(cli).report["run_dir"])
    (folder / "run.json").unlink()
    rows = folder / "greeting/rows.jsonl"
    rows.write_text("".join(rows.read_text().splitlines(keepends=True)[:3]))
    refused = cli("baseline", "accept", folder.name)
    assert refused.code == 2
    assert f"run {folder.name} has not finished, 1 of its trials are missing (go on with it" in refused.err
    assert cli("baseline", "accept", folder.name, "--force").code == 0
    assert len(json.loads((project / BASELINE).read_text())["cases"]) == 3


@pytest.mark.usefixtures("literal_judge")
def test_one_suite_of_a_run_may_be_accepted(cli: Cli, project: Path) -> None:
    """Suites go by their names; nothing is written unless all that are meant can be accepted."""
    write(project, FIRST)
    other = project / ".omniscitus/tests/prompts/other"
    other.mkdir()
    text = (project / ".omniscitus/tests/prompts/greeting/prompt-meta.yaml").read_text()
    (other / "prompt-meta.yaml").write_text(text.replace("prompt_name: greeting", "prompt_name: other"))
    run(cli)
    assert cli("baseline", "accept", "--suite", "other").code == 0
    assert (other / "baseline.json").exists()
    assert not (project / BASELINE).exists()
    wrong = cli("baseline", "accept", "--suite", "none")
    assert (wrong.code, "has no suite 'none' (it has: greeting, other)" in wrong.err) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["accept"], 2, "there is no finished run"),
        (["accept", "none"], 2, "there is no run 'none'"),
        (["show"], 4, "greeting: no baseline yet. Run the suite, then: scaffold baseline accept"),
        (["show", "none"], 2, "there is no suite 'none'"),
        (["nope"], 2, "No such command 'nope'"),
    ],
)
@pytest.mark.usefixtures("literal_judge")
def test_mistakes(cli: Cli, project: Path, arguments: list[str], code: int, sentence: str) -> None:
    """A mistake is one sentence and its exit code."""
    write(project, FIRST)
    result = cli("baseline", *arguments)
    assert (result.code, sentence in result.out + result.err) == (code, True)


@pytest.mark.usefixtures("literal_judge")
def test_only_a_regression_has_a_baseline(cli: Cli, project: Path) -> None:
    """A run of other suites cannot be accepted."""
    write(project, FIRST, SUITE.replace("type: regression", "type: multi_criteria"))
    run(cli)
    result = cli("baseline", "accept")
    assert (result.code, "has no suite of type regression" in result.err) == (2, True)


def test_a_damaged_baseline_is_told_before_anything_is_asked(
    cli: Cli, project: Path, accepted: Server
) -> None:
    """A file that somebody edited is no measure."""
    path = project / BASELINE
    path.write_text(path.read_text().replace("tone 4 safety 5", "tone 1 safety 1", 1))
    for command in ("run", "validate"):
        result = cli(command)
        assert result.code == 2
        assert "the output of 'ann' is not the one that was accepted" in result.err
    assert accepted.requests == []
