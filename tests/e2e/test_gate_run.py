"""`scaffold gate run` from the command line to a server: what is accepted, what is not, what is an error."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command_line import Cli
from gated_project import FOLDER, GRID, SOURCE, write
from labelling import Models, answer, prompt_of
from loopback import Loopback, Reply, Server, openai_error, openai_text
from test_interrupted import wait_for

TASK = '{"input": "it hangs", "golden_label": "bug"}'
BETTER = SOURCE.replace("A fault is a bug.", "A fault or a wait is a bug.")
RUN = ("gate", "run", "--target", "go", "--candidate-file", "edited.md", "--target-task")
REJECTIONS = Path(".omniscitus/rejections.jsonl")


@pytest.fixture
def edited(gated: Path) -> Path:
    """The project with an edit of its source file beside it."""
    write("edited.md", BETTER)
    return gated


def by_rules(prompt: str) -> str:
    """Knows a fault, and where the prompt says so also a wait, for a bug."""
    return "bug" if any(word in prompt.rpartition("\n")[2] for word in _bugs(prompt)) else "feature"


def _bugs(prompt: str) -> list[str]:
    return ["crashes", "slow", *(["hangs"] if "wait" in prompt else [])]


def harmful(prompt: str) -> str:
    """The edit makes a bug of everything."""
    return "bug" if "wait" in prompt else by_rules(prompt)


@pytest.mark.usefixtures("edited")
def test_an_accept(cli: Cli, models: Models) -> None:
    """Current and candidate are given all tasks; JSON alone is on stdout, the rest on stderr."""
    server = models(by_rules)
    result = cli(*RUN, TASK)
    report = result.report
    assert (result.code, report["accept"], report["decision"]) == (0, True, "accept")
    assert (report["current_rate"], report["candidate_rate"], report["target_rate"]) == (1.0, 1.0, 1.0)
    assert report["usage"]["calls"] == len(server.requests) == 2 * 2 * 4 * 3
    assert (report["power"]["tasks"], report["power"]["samples_per_task"]) == (3, 6)
    assert "ACCEPT  the corpus has not regressed" in result.err
    assert "with 3 tasks a 10-point loss is caught" in result.err
    assert f"scaffold show {report['run']}" in result.err
    assert not REJECTIONS.exists()
    again = cli(*RUN, TASK)
    assert (again.report["usage"]["calls"], again.report["usage"]["cached"]) == (0, 48)


@pytest.mark.usefixtures("edited")
def test_the_run_is_kept(cli: Cli, models: Models) -> None:
    """`show` has the table of both arms, and every repeat of a cell."""
    models(by_rules)
    run = cli(*RUN, TASK).report["run"]
    table = cli("show", run)
    assert (table.code, "gate go (grid)" in table.out) == (0, True)
    (row,) = [line for line in table.out.splitlines() if line.startswith("candidate  all models")]
    assert row.split()[3:5] == ["100", "%"]
    cell = cli("show", run, "candidate/openai:gpt-4o-mini/it-hangs")
    assert cell.code == 0
    assert cell.out.count("classification-correct: bug") == 3


@pytest.mark.usefixtures("edited")
def test_an_accepted_task_is_kept(cli: Cli, models: Models) -> None:
    """A loss of exactly one task is no regression; the target task joins the corpus as it was given."""
    models(harmful)
    tasks = Path(FOLDER, "tasks.jsonl")
    before = tasks.read_text()
    result = cli(*RUN, TASK, "--repeat", "1", "--append-on-accept")
    assert (result.code, result.report["candidate_rate"]) == (0, pytest.approx(2 / 3))
    assert tasks.read_text().startswith(before)
    assert json.loads(tasks.read_text().removeprefix(before)) == json.loads(TASK)
    assert cli("validate", "go").code == 0


@pytest.mark.parametrize(
    ("say", "arguments", "decision", "reason"),
    [
        pytest.param(
            lambda prompt: "feature" if "wait" in prompt else by_rules(prompt),
            (),
            "reject",
            "the corpus has regressed by 66.7 points: 33.3, one task, are allowed; the target task passes in",
            id="harm",
        ),
        pytest.param(
            lambda prompt: by_rules(prompt.replace("wait", "")),
            (),
            "reject",
            "the target task passes in 0 % of its samples: 50 % must",
            id="no help",
        ),
        pytest.param(
            lambda prompt: "bug" if "hangs" in prompt else "no label",
            (),
            "reject",
            "the current text is right in 0 % of the corpus",
            id="no trust",
        ),
        pytest.param(
            harmful,
            ("--rule", "paired"),
            "inconclusive",
            "whether the corpus has regressed is open: -33.3 points (95 % interval -100 to 100)",
            id="open",
        ),
        pytest.param(
            by_rules, ("--null-control",), "accept", "the corpus has not regressed", id="null control"
        ),
        pytest.param(
            lambda prompt: "bug" if "hangs" in prompt else "no label",
            ("--no-trust-floor",),
            "accept",
            "the corpus has not regressed",
            id="no trust floor",
        ),
        pytest.param(
            harmful,
            ("--rule", "paired", "--margin", "1"),
            "accept",
            "the corpus has not regressed",
            id="a margin",
        ),
    ],
)
@pytest.mark.usefixtures("edited")
def test_decisions(
    cli: Cli, models: Models, say: Any, arguments: tuple[str, ...], decision: str, reason: str
) -> None:
    """0 is an accept and 1 anything less, which is logged."""
    models(say)
    result = cli(*RUN, TASK, *arguments)
    assert (result.report["decision"], reason in result.report["reason"]) == (decision, True)
    assert result.code == (0 if decision == "accept" else 1)
    assert result.err.count(f"{decision.upper()}  ") == 1
    logged = [json.loads(line) for line in REJECTIONS.read_text().splitlines()] if REJECTIONS.exists() else []
    assert [entry["verdict"]["run"] for entry in logged] == ([result.report["run"]] if result.code else [])


@pytest.mark.usefixtures("edited")
def test_the_null_control_is_asked_anew(cli: Cli, models: Models) -> None:
    """No answer of the current arm is taken for one of the null control, neither now nor from the cache."""
    seen: list[str] = []

    def fickle(prompt: str) -> str:
        """Right in the current arm alone, which is asked first."""
        seen.append(prompt)
        return by_rules(prompt) if seen.count(prompt) <= 3 * 2 else "no label"

    write(".omniscitus/config.yaml", "concurrency: 1\n")
    server = models(fickle)
    result = cli(*RUN, TASK, "--null-control")
    assert (result.code, result.report["decision"]) == (1, "reject")
    assert (result.report["null_control"]["spread"], result.report["usage"]["cached"]) == (0.75, 0)
    assert len(server.requests) == 3 * 2 * 4 * 3
    again = cli(*RUN, TASK, "--null-control").report
    assert (again["null_control"], again["usage"]["calls"]) == (result.report["null_control"], 0)


BROKEN: dict[str, tuple[dict[str, str], tuple[str, ...], str]] = {
    "a stale prompt": ({"prompts/go.txt": "old"}, (TASK,), "is stale"),
    "no candidate": ({}, (TASK, "--candidate-file", "gone.md"), "gone.md"),
    "a malformed task": ({}, ('{"input": ',), "--target-task"),
    "a missing task": ({}, ("gone.json",), "gone.json"),
    "an unknown label": ({}, ('{"input": "x", "golden_label": "bugs"}',), "did you mean 'bug'"),
    "real data": ({}, ('{"input": "a@corp.com", "golden_label": "bug"}',), "an e-mail address"),
    "an unknown target": ({}, (TASK, "--target", "gone"), "there is no target 'gone'"),
    "no registry": ({}, (TASK, "--registry", "gone.yaml"), "gone.yaml"),
    "a wrong grid": ({f"{FOLDER}/go.grid.yaml": GRID.replace("labels", "label")}, (TASK,), "unknown key"),
    "wrong settings": ({".omniscitus/config.yaml": "concurrency: 0"}, (TASK,), "concurrency"),
    "an unknown provider": ({f"{FOLDER}/models.yaml": "- open:x"}, (TASK,), "unknown provider"),
}


@pytest.mark.parametrize(("files", "arguments", "said"), BROKEN.values(), ids=BROKEN)
@pytest.mark.usefixtures("edited")
def test_what_is_wrong_with_files_is_an_error(
    cli: Cli, models: Models, files: dict[str, str], arguments: tuple[str, ...], said: str
) -> None:
    """It is JSON on stdout and a sentence on stderr with exit code 3; nothing was called or logged."""
    server = models(by_rules)
    for path, text in files.items():
        write(path, text)
    assert_error(cli(*RUN, *arguments), said)
    assert (server.requests, REJECTIONS.exists()) == ([], False)


def assert_error(result: Any, said: str) -> None:
    assert (result.code, result.report["accept"], result.report.keys()) == (3, False, {"accept", "error"})
    assert said in result.report["error"]
    assert said in result.err


@pytest.mark.usefixtures("edited")
def test_without_a_key(cli: Cli) -> None:
    """A missing key is found before anything is called."""
    assert_error(cli(*RUN, TASK), "OPENAI_API_KEY")


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        pytest.param(openai_error(500, "down"), "of 48 outputs could not be measured", id="down"),
        pytest.param(openai_error(401, "bad key"), "401", id="a refused key"),
        pytest.param(Reply(body="no JSON"), "of 48 outputs could not be measured", id="nonsense"),
    ],
)
@pytest.mark.usefixtures("edited")
def test_an_endpoint_that_fails(cli: Cli, models: Models, reply: Reply, said: str) -> None:
    """However good the edit is where it could be measured, of less than all nothing is decided."""
    write(".omniscitus/config.yaml", "http_retries: 0\n")
    models(lambda prompt: reply if "crashes" in prompt and "wait" in prompt else by_rules(prompt))
    result = cli(*RUN, TASK)
    assert_error(result, said)
    assert "(scaffold show " in result.report["error"]
    assert not REJECTIONS.exists()


@pytest.mark.usefixtures("edited")
def test_a_budget_that_does_not_suffice(cli: Cli, models: Models) -> None:
    """What could not be afforded was not measured."""
    models(by_rules)
    assert_error(cli(*RUN, TASK, "--max-cost-usd", "0.001"), "of 48 outputs could not be measured")


@pytest.mark.usefixtures("edited")
def test_a_defect_is_no_accept(cli: Cli, models: Models, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither is what nobody has thought of."""
    models(by_rules)

    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("of our own making")

    monkeypatch.setattr("scaffold.gate.decide.compute_verdict", fail)
    assert_error(cli(*RUN, TASK), "internal error: ZeroDivisionError('of our own making')")


@pytest.mark.usefixtures("edited")
def test_a_log_that_cannot_be_written(cli: Cli, models: Models) -> None:
    """A rejection that is not kept is an error, not half a decision."""
    models(lambda _: "no label")
    REJECTIONS.mkdir()
    assert_error(cli(*RUN, TASK), "rejections.jsonl")


@pytest.mark.usefixtures("edited")
def test_a_margin_belongs_to_its_rule(cli: Cli) -> None:
    """A wrong command line is told as everywhere: exit code 2, and nothing on stdout."""
    result = cli(*RUN, TASK, "--margin", "0.1")
    assert (result.code, result.out, "--rule paired" in result.err) == (2, "", True)


@pytest.mark.usefixtures("edited")
def test_nothing_changes(cli: Cli) -> None:
    """An edit outside the block takes no key, no task and no call."""
    write("edited.md", SOURCE.replace("More.", "Less."))
    result = cli(*RUN[:-1])
    assert (result.code, result.report["reason"]) == (0, "no gated-block change")
    assert "note: the files differ outside the block" in result.err


def write_and_judge(body: dict[str, Any]) -> Reply:
    """Writes at length where the prompt speaks of waiting, and judges by that."""
    if "response_format" not in body:
        return openai_text("a clear answer" if "wait" in prompt_of(body) else "hm")
    level = 5 if "a clear answer" in prompt_of(body) else 3
    said = {"evidence": [], "reasoning": "as it is", "answer": level}
    return openai_text(json.dumps({"criteria.clarity": said}))


@pytest.mark.usefixtures("edited")
def test_scores(cli: Cli, play_openai: Loopback) -> None:
    """Where a judge scores outputs, rates are means of scores; the rest is the same."""
    head, _, _ = GRID.partition("labels:")
    criteria = '[{name: clarity, weight: 1, scale: 5, rubric: "Is it clear?\\n5: yes\\n1: no"}]'
    scored = f"measure: score\nrepeat: 2\njudge: {{model: 'openai:gpt-4o'}}\ncriteria: {criteria}\n"
    write(f"{FOLDER}/go.grid.yaml", head + scored)
    write(f"{FOLDER}/models.yaml", "- openai:gpt-4o-mini\n")
    write(f"{FOLDER}/tasks.jsonl", '{"id": "a", "input": "crash"}\n{"id": "b", "input": "slow"}\n')
    play_openai(write_and_judge)
    result = cli(*RUN, '{"input": "it hangs"}')
    report = result.report
    assert (result.code, report["current_rate"], report["candidate_rate"]) == (0, 0.5, 1.0)
    assert report["usage"]["calls"] == 2 * 3 * 2 * 2


@pytest.mark.usefixtures("edited")
def test_ctrl_c(loopback: Loopback) -> None:
    """An interrupt is no accept either; what was answered is not paid for again."""
    waiting: list[bool] = [True]

    def slowly(body: dict[str, Any]) -> Reply:
        slow = waiting[0] and "slow" in prompt_of(body)
        return Reply(delay=60) if slow else answer(body, by_rules)

    server = loopback(slowly)
    process = start(server)
    wait_for(lambda: len(server.requests) >= 8)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, json.loads(out)["accept"], "Traceback" in err) == (130, False, False)
    assert "interrupted" in json.loads(out)["error"]
    before, waiting[0] = len(server.requests), False
    out, _ = start(server).communicate(timeout=60)
    verdict = json.loads(out)
    assert (verdict["accept"], verdict["usage"]["calls"] + verdict["usage"]["cached"]) == (True, 48)
    assert verdict["usage"]["calls"] == len(server.requests) - before < 48


def start(server: Server) -> "subprocess.Popen[str]":
    own = {
        f"{vendor}_{key}": value
        for vendor in ("OPENAI", "ANTHROPIC")
        for key, value in (("API_KEY", "sk-test"), ("BASE_URL", server.url))
    }
    command = [sys.executable, "-m", "scaffold", *RUN, TASK, "--yes", "--quiet"]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, env={**os.environ, **own}, stdout=pipe, stderr=pipe, text=True)
