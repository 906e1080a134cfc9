"""Grids from the command line to a server: what is asked, measured, and how it ends."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command_line import Cli
from gated_project import write
from grid_project import FOLDER, GRID, TASKS, by_rules
from labelling import Models, answer, prompt_of
from loopback import Loopback, Reply, openai_error, openai_text
from test_interrupted import newest_run, wait_for

CELLS = 2 * 2 * 4


def run(cli: Cli, *arguments: object) -> tuple[int, Any]:
    """Run the grid; return the exit code and the suite's report."""
    result = cli("run", "triage", "--yes", "--json", "-", *arguments)
    return result.code, result.report["suites"][0]


@pytest.mark.usefixtures("triage")
def test_a_grid(cli: Cli, models: Models) -> None:
    """Every arm with every model on every task, as often as said; a second run asks nobody."""
    server = models(by_rules)
    code, suite = run(cli)
    assert (code, suite["verdict"], len(suite["cases"])) == (0, "PASS", CELLS)
    assert suite["usage"]["calls"] == len(server.requests) == CELLS * 3
    first = suite["cases"][0]
    assert (first["ref"], first["score"]) == ("baseline/openai:gpt-4o-mini/down", 100)
    assert [row["id"] for row in first["rows"]] == [
        f"{kind}[{n}]" for n in range(3) for kind in ("measure", "gate")
    ]
    means = {(rate["arm"], rate["model"]): rate["mean"] for rate in suite["summary"]["rates"]}
    assert (means["baseline", None], means["skill", None]) == (75, 100)
    uplifts = {each["model"]: each["mean"] for each in suite["summary"]["uplift"]}
    assert uplifts == {"openai:gpt-4o-mini": 25, "anthropic:claude-haiku-4-5": 25, None: 25}
    assert suite["summary"]["flat_tasks"] == [
        {"task": task, "outcome": "right"} for task in ("down", "slow", "typo")
    ]
    again = run(cli)[1]
    assert (again["usage"]["calls"], again["usage"]["cached"]) == (0, CELLS * 3)
    assert again["summary"] == suite["summary"]


@pytest.mark.usefixtures("triage")
def test_an_answer_that_is_no_label(cli: Cli, models: Models) -> None:
    """One is enough for the cell and the grid to fail; what was said is counted by model."""
    models(lambda prompt: "P4" if "typo" in prompt and "outage" in prompt else by_rules(prompt))
    code, suite = run(cli)
    assert (code, suite["verdict"]) == (1, "FAIL")
    failed = [case["ref"] for case in suite["cases"] if case["verdict"] == "FAIL"]
    assert failed == ["skill/openai:gpt-4o-mini/typo", "skill/anthropic:claude-haiku-4-5/typo"]
    outside = {each["model"]: (each["outputs"], each["answers"]) for each in suite["summary"]["out_of_enum"]}
    assert outside == dict.fromkeys(("openai:gpt-4o-mini", "anthropic:claude-haiku-4-5"), (24, {"P4": 3}))


@pytest.mark.usefixtures("triage")
def test_an_output_that_could_not_be_measured(cli: Cli, models: Models) -> None:
    """One is enough for the grid to be an error; it is in no rate, not even as wrong."""
    write(".omniscitus/config.yaml", "http_retries: 0\n")
    models(
        lambda prompt: (
            openai_error(500, "down") if "slow" in prompt and "outage" in prompt else by_rules(prompt)
        )
    )
    code, suite = run(cli)
    assert (code, suite["verdict"], suite["totals"]["errored"]) == (3, "ERROR", 2)
    rates = {(rate["arm"], rate["model"]): rate for rate in suite["summary"]["rates"]}
    assert (rates["skill", None]["mean"], rates["skill", None]["tasks"], rates["skill", None]["samples"]) == (
        100,
        3,
        18,
    )
    (uplift,) = [each for each in suite["summary"]["uplift"] if each["model"] is None]
    assert (uplift["tasks"], uplift["mean"]) == (3, pytest.approx(100 / 3))


SELECTIONS: dict[str, tuple[tuple[str, ...], int, str]] = {
    "all": ((), 48, "2 arms x 2 models x 4 tasks x 3 repeats"),
    "one arm": (("--arm", "skill"), 24, "1 arms x 2 models x 4 tasks x 3 repeats"),
    "both arms": (("--arm", "skill", "--arm", "baseline"), 48, "2 arms x 2 models x 4 tasks x 3 repeats"),
    "repeat": (("--repeat", "1"), 16, "2 arms x 2 models x 4 tasks x 1 repeats"),
    "another model": (("--model", "openai:gpt-4.1"), 24, "2 arms x 1 models x 4 tasks x 3 repeats"),
    "a task": (("-k", "TYPO"), 12, "2 arms x 2 models x 1 tasks x 3 repeats"),
    "what a task says": (("-k", "became"), 12, "2 arms x 2 models x 1 tasks x 3 repeats"),
    "a cell": (("-k", "skill/openai:gpt-4o-mini/down"), 3, "1 arms x 1 models x 1 tasks x 3 repeats"),
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
def test_the_prompt_of_a_cell(cli: Cli, models: Models) -> None:
    """Only the task's variables are put into the arm's prompt."""
    server = models(lambda _: "P1")
    write(f"{FOLDER}/prompts/skill.txt", "{rules} {{other}} {{ input }}!\n")
    run(cli, "-k", "skill/openai:gpt-4o-mini/leak", "--repeat", "1")
    (request,) = server.requests
    assert prompt_of(request.json) == "{rules} {{other}} a key leaked!\n"


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
    assert "6 trials (1 arms x 2 models x 1 tasks x 3 repeats)" in estimate.out


def test_ctrl_c_and_going_on(triage: Path, loopback: Loopback, cli: Cli) -> None:
    """A grid is gone on with: what is finished is not asked again, and the result is that of a whole run."""
    slow = [True]

    def reply(body: dict[str, Any]) -> Reply:
        return Reply(delay=60) if slow[0] and "leaked" in prompt_of(body) else answer(body, by_rules)

    server = loopback(reply)
    own = {
        f"{vendor}_{key}": value
        for vendor in ("OPENAI", "ANTHROPIC")
        for key, value in (("API_KEY", "sk-test"), ("BASE_URL", server.url))
    }
    command = [
        sys.executable,
        "-m",
        "scaffold",
        "run",
        "--yes",
        "--no-cache",
        "--json",
        "-",
        "--concurrency",
        "4",
    ]
    pipe = subprocess.PIPE

    def start(*arguments: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [*command, *arguments], env={**os.environ, **own}, stdout=pipe, stderr=pipe, text=True
        )

    process = start("triage")
    wait_for(lambda: len(server.requests) >= 12)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    before = json.loads(out)
    assert (process.returncode, before["suites"][0]["verdict"], "Traceback" in err) == (130, "ERROR", False)
    done = sum(len(case["rows"]) // 2 for case in before["suites"][0]["cases"])
    slow[0] = False
    asked = len(server.requests)
    out, _ = start("--resume", newest_run(triage).name).communicate(timeout=60)
    suite = json.loads(out)["suites"][0]
    assert 0 < done < 48
    assert len(server.requests) - asked == 48 - done
    assert (suite["verdict"], len(suite["cases"]), suite["usage"]["calls"]) == ("PASS", CELLS, 48)
    assert [rate["mean"] for rate in suite["summary"]["rates"]] == [75, 75, 100, 100, 75, 100]


SCORED = """\
name: triage
measure: score
arms:
  baseline: {prompt: prompts/baseline.txt, control: true}
  skill: {prompt: prompts/skill.txt}
models: ["openai:gpt-4o-mini"]
tasks: tasks.jsonl
repeat: 2
judge: {model: "openai:gpt-4o", max_retries: 0}
criteria:
  - {name: clarity, weight: 1, scale: 5, rubric: "Is it clear?\\n5: clear\\n1: not"}
thresholds: {pass: 70}
"""


@pytest.fixture
def scored(triage: Path) -> Path:
    """The grid, with outputs that a judge scores."""
    write(f"{FOLDER}/triage.grid.yaml", SCORED)
    tasks = [{"id": task["id"], "input": task["input"]} for task in TASKS]
    write(f"{FOLDER}/tasks.jsonl", "".join(f"{json.dumps(task)}\n" for task in tasks))
    return triage


def write_and_judge(body: dict[str, Any]) -> Reply:
    """Writes better with the skill, and judges what it is given by that."""
    if "response_format" not in body:
        return openai_text("a clear answer" if "outage" in prompt_of(body) else "hm")
    level = 5 if "a clear answer" in prompt_of(body) else 2
    said = {"evidence": [], "reasoning": "as it is", "answer": level}
    return openai_text(json.dumps({"criteria.clarity": said}))


@pytest.mark.usefixtures("scored")
def test_scores(cli: Cli, loopback: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    """A judge scores outputs of prose: rates are means of scores, and thresholds decide the gate rows."""
    server = loopback(write_and_judge)
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    code, suite = run(cli)
    assert (code, suite["verdict"], suite["totals"]["failed"]) == (1, "FAIL", 4)
    assert [(rate["arm"], rate["mean"]) for rate in suite["summary"]["rates"]] == [
        ("baseline", 25),
        ("skill", 100),
    ]
    assert suite["summary"]["uplift"][0]["mean"] == 75
    assert len(server.requests) == suite["usage"]["calls"] == 2 * 4 * 2 * 2
    measure, gate = suite["cases"][0]["rows"][:2]
    assert (measure["score"], measure["criteria"]["clarity"]["level"]) == (25, 2)
    assert (gate["verdict"], gate["actual_excerpt"]) == ("FAIL", "Scored 25 (threshold: 70)")


@pytest.mark.usefixtures("scored")
def test_scores_are_recorded_and_replayed(
    cli: Cli, loopback: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The judge's answers about every repeat are found again."""
    server = loopback(write_and_judge)
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    before = run(cli, "--record", "answers.jsonl")[1]
    assert len(Path("answers.jsonl").read_text().splitlines()) == 16
    after = run(cli, "--judge", "replay:answers.jsonl")[1]
    assert (after["summary"], after["usage"]["calls"]) == (before["summary"], 0)


@pytest.mark.usefixtures("scored")
def test_a_judge_that_gives_no_answer(cli: Cli, loopback: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was not scored is an error, and no rate."""
    server = loopback(lambda body: openai_text("well" if "response_format" in body else "hm"))
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    code, suite = run(cli)
    assert (code, suite["verdict"], suite["summary"]["rates"]) == (3, "ERROR", [])
