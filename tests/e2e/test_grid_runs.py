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
from grid_project import CELLS, FOLDER, by_rules, run
from labelling import Models, answer, prompt_of
from loopback import Loopback, Reply, Server, openai_error
from test_interrupted import newest_run, wait_for


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


@pytest.mark.usefixtures("triage")
def test_the_prompt_of_a_cell(cli: Cli, models: Models) -> None:
    """Only the task's variables are put into the arm's prompt."""
    server = models(lambda _: "P1")
    write(f"{FOLDER}/prompts/skill.txt", "{rules} {{other}} {{ input }}!\n")
    run(cli, "-k", "skill/openai:gpt-4o-mini/leak", "--repeat", "1")
    (request,) = server.requests
    assert prompt_of(request.json) == "{rules} {{other}} a key leaked!\n"


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
