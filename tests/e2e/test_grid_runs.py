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
from loopback import Loopback, Reply, Server, openai_error, openai_text
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


TABLE = """\
triage (grid)

arm       model                       mean    median    95 % interval    uplift    95 % interval
--------  --------------------------  ------  --------  ---------------  --------  ----------------
baseline  openai:gpt-4o-mini          75 %    75 %      30.1 to 95.4     control
baseline  anthropic:claude-haiku-4-5  75 %    75 %      30.1 to 95.4     control
skill     openai:gpt-4o-mini          100 %   100 %     51 to 100        +25       -54.6 to +100
skill     anthropic:claude-haiku-4-5  75 %    75 %      30.1 to 95.4     0         -100 to +100
baseline  all models                  75 %    75 %      30.1 to 95.4     control
skill     all models                  87.5 %  87.5 %    39.6 to 98.7     +12.5     -87.6 to +100
2 of 4 tasks tell no arm or model from another (always right: down, slow)
anthropic:claude-haiku-4-5: 3 of 24 outputs held none of the labels ('P4, I think' 3x)

verdict    cell                     score    why
---------  -----------------------  -------  --------------------------------------------
FAIL       skill/anthropic:claude-  0        out-of-enum label "P4, I think" — not one of
           haiku-4-5/typo                    [P1, P2, P3]

FAIL  triage, 16 cases: 1 failed, 15 passed
"""


def skilled_but_odd(body: dict[str, Any]) -> Reply:
    """One model says what is no label."""
    odd = body["model"].startswith("claude") and "typo" in prompt_of(body) and "outage" in prompt_of(body)
    return answer(body, lambda prompt: "P4, I think" if odd else by_rules(prompt))


@pytest.fixture
def odd(triage: Path, loopback: Loopback, monkeypatch: pytest.MonkeyPatch) -> Server:
    """The grid, with a model that says what is no label."""
    server = loopback(skilled_but_odd)
    for vendor in ("OPENAI", "ANTHROPIC"):
        monkeypatch.setenv(f"{vendor}_BASE_URL", server.url)
        monkeypatch.setenv(f"{vendor}_API_KEY", "sk-test")
    return server


@pytest.mark.usefixtures("odd")
def test_the_table(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """First what was measured, then the cells that did not pass; a stored run is shown like a fresh one."""
    monkeypatch.setenv("COLUMNS", "100")
    shown = cli("run", "triage", "--yes", "--quiet")
    assert shown.code == 1
    assert shown.out[: len(TABLE)] == TABLE
    assert shown.out.endswith(" skill/anthropic:claude-haiku-4-5/typo\n")
    again = cli("show")
    assert (again.code, again.out) == (0, shown.out)


@pytest.mark.usefixtures("odd")
def test_a_cell(cli: Cli) -> None:
    """Every repeat is there, with its rows and its output; so it is as JSON."""
    cli("run", "triage", "--yes", "--quiet")
    ref = "skill/anthropic:claude-haiku-4-5/typo"
    shown = cli("show", ref)
    assert shown.code == 0
    assert shown.out.startswith(f"FAIL  {ref}  0\nthere is a typo\nmodel anthropic:claude-haiku-4-5, output ")
    assert [line for line in shown.out.splitlines() if line.startswith("Repeat")] == [
        f"Repeat {n}" for n in (1, 2, 3)
    ]
    assert shown.out.count("  Output\n    P4, I think\n") == 3
    assert shown.out.count('classification-incorrect: got "P4, I think", expected "P3"') == 3
    found = cli("show", ref, "--json").report
    assert [(each["replica"], each["output"]) for each in found["repeats"]] == [
        (n, "P4, I think") for n in (1, 2, 3)
    ]
    assert len(found["case"]["rows"]) == 6
    assert "did you mean" in cli("show", ref + "s").err


@pytest.mark.usefixtures("odd")
def test_two_runs_are_compared_cell_by_cell(cli: Cli, models: Models) -> None:
    """What changed is named; cells are paired by arm, model and task."""
    before = cli("run", "triage", "--yes", "--json", "-").report["run_dir"]
    write(f"{FOLDER}/prompts/baseline.txt", "A leak is a P1. P1, P2 or P3?\n{{input}}")
    models(by_rules)
    after = cli("run", "triage", "--yes", "--json", "-").report["run_dir"]
    (suite,) = cli("compare", before, after, "--json").report["suites"]
    shifts = {name: (shift["mean"], shift["cases"], shift["wins"]) for name, shift in suite["shifts"].items()}
    assert shifts == {"arm baseline": (25, 4, 1), "arm skill": (12.5, 4, 1)}
    moved = {each["ref"]: each["difference"] for each in suite["cases"] if each["difference"]}
    assert moved == {
        "baseline/openai:gpt-4o-mini/leak": 100,
        "baseline/anthropic:claude-haiku-4-5/leak": 100,
        "skill/anthropic:claude-haiku-4-5/typo": 100,
    }
    shown = cli("compare", before, after).out.splitlines()
    assert "skill/anthropic:claude-haiku-4-5/typo  FAIL 0    PASS 100" in shown
    assert "arm skill     4        +12.5   -27.3 to +52.3   1       0       3" in shown


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
    assert "6 trials (1 arm x 2 models x 1 task x 3 repeats)" in estimate.out


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


RECORDED = {
    "labels": {},
    "scores": {
        f"{FOLDER}/triage.grid.yaml": SCORED,
        f"{FOLDER}/tasks.jsonl": "".join(
            f"{json.dumps({'id': task['id'], 'input': task['input']})}\n" for task in TASKS
        ),
    },
}


@pytest.mark.usefixtures("triage")
@pytest.mark.parametrize("files", RECORDED.values(), ids=RECORDED)
def test_a_recorded_grid_calls_nothing(
    cli: Cli, loopback: Loopback, monkeypatch: pytest.MonkeyPatch, files: dict[str, str]
) -> None:
    """Outputs of every cell and repeat, and the judge's answers, are found in the files beside the grid."""
    for path, text in files.items():
        write(path, text)
    server = loopback(lambda body: write_and_judge(body) if files else answer(body, by_rules))
    for vendor in ("OPENAI", "ANTHROPIC"):
        monkeypatch.setenv(f"{vendor}_BASE_URL", server.url)
        monkeypatch.setenv(f"{vendor}_API_KEY", "sk-test")
    code, before = run(cli, "--record-all")
    for vendor in ("OPENAI", "ANTHROPIC"):
        monkeypatch.delenv(f"{vendor}_BASE_URL")
        monkeypatch.delenv(f"{vendor}_API_KEY")
    asked = len(server.requests)
    again, after = run(cli, "--recorded", "--no-cache")
    assert (again, after["summary"], after["verdict"]) == (code, before["summary"], before["verdict"])
    assert (after["usage"]["calls"], len(server.requests)) == (0, asked)
    path = Path(FOLDER, "prompts/skill.txt")
    path.write_text(path.read_text() + "!")
    again, after = run(cli, "--recorded")
    stale = {case["ref"].split("/")[0] for case in after["cases"] if case["verdict"] == "ERROR"}
    assert (again, stale) == (3, {"skill"})
    assert "to record it: scaffold run triage --record-all" in str(after["cases"])


@pytest.mark.usefixtures("triage")
def test_a_grid_that_is_not_recorded_is_skipped(cli: Cli) -> None:
    """Each of its cells says how to record it, and no key is needed to say so."""
    code, suite = run(cli, "--recorded")
    assert (code, suite["verdict"], len(suite["cases"])) == (4, "SKIP", CELLS)
    why = "not recorded: there is no triage.outputs.jsonl; to record it: scaffold run triage --record-all"
    assert {row["error"] for case in suite["cases"] for row in case["rows"]} == {why}
