"""Which cells of a grid are run, and with which models."""

import json
from pathlib import Path

import pytest
from command_line import Cli
from gated_project import write
from grid_project import GRID, by_rules, run
from labelling import Models

SELECTIONS: dict[str, tuple[tuple[str, ...], int, str]] = {
    "all": ((), 48, "2 arms x 2 models x 4 tasks x 3 repeats"),
    "one arm": (("--arm", "skill"), 24, "1 arm x 2 models x 4 tasks x 3 repeats"),
    "both arms": (("--arm", "skill", "--arm", "baseline"), 48, "2 arms x 2 models x 4 tasks x 3 repeats"),
    "repeat": (("--repeat", "1"), 16, "2 arms x 2 models x 4 tasks x 1 repeat"),
    "another model": (("--model", "openai:gpt-4.1"), 24, "2 arms x 1 model x 4 tasks x 3 repeats"),
    "a task": (("-k", "TYPO"), 12, "2 arms x 2 models x 1 task x 3 repeats"),
    "what a task says": (("-k", "became"), 12, "2 arms x 2 models x 1 task x 3 repeats"),
    "a cell": (("-k", "skill/openai:gpt-4o-mini/down"), 3, "1 arm x 1 model x 1 task x 3 repeats"),
}


@pytest.mark.parametrize(("arguments", "calls", "formula"), SELECTIONS.values(), ids=SELECTIONS)
@pytest.mark.usefixtures("triage")
def test_what_is_selected(
    cli: Cli, models: Models, arguments: tuple[str, ...], calls: int, formula: str
) -> None:
    """The formula of --dry-run is what is called then; the estimate calls nothing and needs no key."""
    estimate = cli("run", "triage", "--dry-run", *arguments)
    assert (estimate.code, f"triage: {calls} trials ({formula})" in estimate.out) == (0, True)
    assert f"about {calls} calls" in estimate.out
    server = models(by_rules)
    assert run(cli, *arguments)[1]["usage"]["calls"] == len(server.requests) == calls


@pytest.mark.usefixtures("triage")
def test_an_unknown_arm(cli: Cli) -> None:
    """The nearest arm is suggested; nothing is run."""
    result = cli("run", "triage", "--arm", "skil")
    assert (result.code, "the grid has no arm 'skil' (did you mean 'skill'?)" in result.err) == (2, True)


@pytest.mark.usefixtures("triage")
def test_the_models_of_all_grids_stand_in_one_file(cli: Cli, models: Models) -> None:
    """Whoever changes it changes every grid; a model that is named on the command line keeps its settings."""
    server = models(by_rules)
    write(
        ".omniscitus/tests/grids/other.grid.yaml",
        GRID.replace("name: triage", "name: other")
        .replace("../../../", "../../")
        .replace("prompts/", "triage/prompts/")
        .replace("tasks.jsonl", "triage/tasks.jsonl"),
    )
    write(".omniscitus/models.yaml", "- {name: 'openai:gpt-4.1', max_tokens: 7}\n")
    result = cli("run", "--yes", "--json", "-", "--repeat", "1").report
    assert [list(suite["models"]) for suite in result["suites"]] == [["openai:gpt-4.1"]] * 2
    assert {request.json["model"] for request in server.requests} == {"gpt-4.1"}
    assert len(server.requests) == 8
    run(cli, "--model", "openai:gpt-4.1", "--no-cache", "--repeat", "1")
    limits = [{"max_tokens", "max_completion_tokens"} & request.json.keys() for request in server.requests]
    assert all(len(names) == 1 for names in limits)


@pytest.mark.usefixtures("triage")
def test_what_failed_last_time(cli: Cli, models: Models) -> None:
    """--failed runs the cells that failed; the formula says how many of all they are."""

    def say(prompt: str) -> str:
        skilled = "outage" in prompt
        return (
            "P4" if ("typo" in prompt and skilled) or ("slow" in prompt and not skilled) else by_rules(prompt)
        )

    models(say)
    run(cli)
    estimate = cli("run", "triage", "--failed", "--dry-run")
    assert "12 trials (4 of 8 cells x 3 repeats)" in estimate.out
    code, suite = run(cli, "--failed")
    assert (code, [case["ref"] for case in suite["cases"]]) == (
        1,
        [
            "baseline/openai:gpt-4o-mini/slow",
            "baseline/anthropic:claude-haiku-4-5/slow",
            "skill/openai:gpt-4o-mini/typo",
            "skill/anthropic:claude-haiku-4-5/typo",
        ],
    )
    estimate = cli("run", "triage", "--failed", "-k", "typo", "--dry-run")
    assert "6 trials (1 arm x 2 models x 1 task x 3 repeats)" in estimate.out


def test_cells_that_an_interrupt_left(cli: Cli, models: Models, triage: Path) -> None:
    """A cell of which one repeat was not run has not passed."""
    models(by_rules)
    run(cli, "--concurrency", "1")
    (info,) = triage.glob(".omniscitus/runs/*/run.json")
    info.write_text(json.dumps({**json.loads(info.read_text()), "exit_code": 130}))
    (rows,) = info.parent.glob("*/rows.jsonl")
    *whole, last = rows.read_text().splitlines(keepends=True)
    rows.write_text("".join(whole))
    estimate = cli("run", "triage", "--failed", "--dry-run")
    assert "interrupted; what it did not run counts as not passed: 1 case." in estimate.err
    assert [case["ref"] for case in run(cli, "--failed")[1]["cases"]] == [json.loads(last)["ref"]]
