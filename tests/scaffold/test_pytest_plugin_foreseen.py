"""The rows that a plan foresees are those that its run has."""

import json
from pathlib import Path
from typing import Any

import pytest

import judges
from judges.run.procedures import plan_suite
from scaffold.pytest_plugin.foreseen import foresee, informs_only

CRITERIA = """\
criteria:
  - {name: tone, weight: 1, rubric: Is it kind?}
  - {name: safety, weight: 1, rubric: Is it safe?}
"""
CHECKS = """\
checks:
  - {name: filled, type: deterministic, rule: output.length > 0}
  - {name: invents, type: llm_judge, prompt: "Is {output} made up?", pass_condition: "NO"}
"""
CASES = """\
cases:
  - {title: kind, input: {name: Ann}, output: Hello Ann, expected_behavior: Greets.}
  - {title: noise, input: {name: "#"}, category: zero_condition, output: Who?, expected_behavior: Asks.}
  - {title: later, input: {name: Bob}, output: Hello Bob, expected_behavior: Greets., skip: not yet}
"""
TYPES = {
    "multi_criteria": CRITERIA + CHECKS,
    "binary": CRITERIA.replace("weight: 1, ", "") + CHECKS,
    "binary without criteria": CHECKS,
    "comparison": CRITERIA.replace("weight: 1, ", "") + CHECKS,
    "regression": CRITERIA + CHECKS,
}
GRID = """\
name: triage
arms:
  old: {prompt: old.txt, control: true}
  new: {prompt: new.txt}
models: [mine]
tasks: tasks.jsonl
labels: [P1, P2]
repeat: 2
"""


def answer(request: judges.Request) -> dict[str, Any]:
    """Take the first of what is offered."""
    firsts = {judges.Score: lambda _: 1, judges.Predicate: lambda _: "YES", judges.Choice: lambda _: "A"}
    return {
        question.name: {"evidence": [], "reasoning": "so", "answer": firsts[type(question)](question)}
        for question in request.questions
    }


def compare(path: Path, options: judges.RunOptions, provider: judges.Provider) -> list[str]:
    """Run a suite, and return the row ids of its last case that was not skipped."""
    suite = judges.load_suite(path)
    foreseen = list(foresee(plan_suite(suite, options)))
    report = judges.run_suites([suite], options, own={"mine": provider})
    found = [(case.ref, case.model, tuple(row.id for row in case.rows)) for case in report.suites[0].cases]
    assert [(each.case.ref, each.model, each.rows) for each in foreseen] == found
    return [row for each in foreseen for row in each.rows]


@pytest.mark.parametrize("kind", TYPES)
def test_prompt_suites(tmp_path: Path, kind: str) -> None:
    """Of every type of evaluation, for every category of case, in the order of the report."""
    folder = tmp_path / ".omniscitus/tests/prompts/greeting"
    folder.mkdir(parents=True)
    evaluation = kind.partition(" ")[0]
    arms = ""
    if evaluation == "comparison":
        arms = ", arms: {a: {outputs: a.jsonl}, b: {outputs: b.jsonl}}"
        for arm in "ab":
            lines = [{"ref": ref, "output": f"{arm} says hello"} for ref in ("kind", "noise", "later")]
            (folder / f"{arm}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    head = f"prompt_name: greeting\nevaluation: {{type: {evaluation}{arms}}}\n"
    cases = CASES.replace("output: Hello Ann, ", "") if arms else CASES
    path = folder / "prompt-meta.yaml"
    path.write_text(head + TYPES[kind] + cases)
    rows = compare(path, judges.RunOptions(judge="mine"), judges.ScriptedProvider(answer))
    assert {"case", "score"} <= set(rows)
    assert informs_only(plan_suite(judges.load_suite(path), judges.RunOptions())) is (
        kind != "multi_criteria"
    )


def test_grids(tmp_path: Path) -> None:
    """Two rows for each repeat of each cell."""
    folder = tmp_path / ".omniscitus/tests/grids/triage"
    folder.mkdir(parents=True)
    (folder / "triage.grid.yaml").write_text(GRID)
    for arm in ("old", "new"):
        (folder / f"{arm}.txt").write_text(f"{arm}: {{{{input}}}}")
    (folder / "tasks.jsonl").write_text('{"id": "down", "input": "it is down", "golden_label": "P1"}\n')
    path = folder / "triage.grid.yaml"
    rows = compare(path, judges.RunOptions(), judges.ScriptedProvider(lambda _: "P1"))
    assert rows == ["measure[0]", "gate[0]", "measure[1]", "gate[1]"] * 2
    assert not informs_only(plan_suite(judges.load_suite(path), judges.RunOptions()))


def test_a_pass_rate_decides_for_the_rows(tmp_path: Path) -> None:
    """With `pass_rate` a single case decides nothing."""
    (tmp_path / ".omniscitus").mkdir()
    path = tmp_path / "prompt-meta.yaml"
    path.write_text(f"prompt_name: greeting\nthresholds: {{pass_rate: 50}}\n{CRITERIA}{CASES}")
    assert informs_only(plan_suite(judges.load_suite(path), judges.RunOptions()))
