"""Grids whose outputs a judge scores, and grids that are recorded, labels and scores alike."""

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import Cli
from gated_project import write
from grid_project import CELLS, FOLDER, TASKS, by_rules, run
from labelling import answer, prompt_of
from loopback import Loopback, Reply, openai_text

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
def test_scores(cli: Cli, play_openai: Loopback) -> None:
    """A judge scores outputs of prose: rates are means of scores, and thresholds decide the gate rows."""
    server = play_openai(write_and_judge)
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
def test_scores_are_recorded_and_replayed(cli: Cli, play_openai: Loopback) -> None:
    """The judge's answers about every repeat are found again."""
    play_openai(write_and_judge)
    before = run(cli, "--record", "answers.jsonl")[1]
    assert len(Path("answers.jsonl").read_text().splitlines()) == 16
    after = run(cli, "--judge", "replay:answers.jsonl")[1]
    assert (after["summary"], after["usage"]["calls"]) == (before["summary"], 0)


@pytest.mark.usefixtures("scored")
def test_a_judge_that_gives_no_answer(cli: Cli, play_openai: Loopback) -> None:
    """What was not scored is an error, and no rate."""
    play_openai(lambda body: openai_text("well" if "response_format" in body else "hm"))
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
