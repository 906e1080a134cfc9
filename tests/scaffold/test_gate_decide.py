"""From an edit to the decision, with a measure that is scripted."""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from gated_project import END, FOLDER, SOURCE, START, gated, write  # noqa: F401  (a fixture)

from judges.core.errors import ConfigError, RunError
from judges.files.gated import REGISTRY_FILE, read_registry
from judges.files.grid_suite import Task
from judges.reduce.gate import GateTerms, Rule, Sample
from scaffold.gate.decide import GateRequest, Measured, run_gate
from scaffold.gate.plan import plan_gate

NOW = datetime(2026, 11, 30, 10, 15, tzinfo=UTC)
TASK = '{"input": "it hangs", "golden_label": "bug"}'
BETTER = SOURCE.replace("A fault is a bug.", "A fault or a wait is a bug.")


class Scripted:
    """Measures by a table: whether an arm's output for a task is right; right where nothing is said."""

    def __init__(self, **wrong: set[str]) -> None:
        self.wrong = {name.replace("_", "-"): tasks for name, tasks in wrong.items()}
        self.asked: list[tuple[str, str, list[str]]] = []

    def __call__(self, prompts: Mapping[str, str], tasks: Sequence[Task]) -> Measured:
        self.asked += [(arm, prompt, [task.id for task in tasks]) for arm, prompt in prompts.items()]
        return Measured({arm: self.sample(arm, tasks) for arm in prompts}, {"run": "r"})

    def sample(self, arm: str, tasks: Sequence[Task]) -> list[Sample]:
        wrong = self.wrong.get(arm, set())
        return [Sample(task.id, Fraction(task.id not in wrong)) for task in tasks for _ in range(2)]


Decide = Callable[..., dict[str, Any]]


@pytest.fixture
def decide(gated: Path) -> Decide:  # noqa: F811
    def run(
        measure: Scripted, candidate: str = BETTER, *, null_control: bool = False, **request: Any
    ) -> dict[str, Any]:
        plan = plan_gate(read_registry(gated / REGISTRY_FILE, gated), "go", null_control=null_control)
        file = write("edited.md", candidate)
        wishes = {"target_task": TASK, **request}
        return run_gate(GateRequest(plan=plan, candidate_file=file, **wishes), measure, NOW)

    return run


def test_an_accepted_edit(decide: Decide) -> None:
    """Both prompts are given the corpus and the target task; nothing is kept unless it is asked for."""
    measure = Scripted(current={"it-hangs"})
    before = Path(FOLDER, "tasks.jsonl").read_text()
    verdict = decide(measure)
    power = verdict.pop("power")
    assert (power["tasks"], power["samples_per_task"], power["current_rate"]) == (3, 6, 1.0)
    assert verdict == {
        "accept": True,
        "decision": "accept",
        "reason": "the corpus has not regressed, and the target task passes",
        "rule": "epsilon",
        "corpus_regressed": False,
        "target_task_passes": True,
        "corpus_untrustworthy": False,
        "current_rate": 1.0,
        "candidate_rate": 1.0,
        "target_rate": 1.0,
        "epsilon": pytest.approx(1 / 3),
        "target_threshold": 0.5,
        "min_trusted_corpus_rate": 0.5,
        "per_task": [
            {"task_id": "crash", "is_target": False, "current_rate": 1.0, "candidate_rate": 1.0},
            {"task_id": "dark", "is_target": False, "current_rate": 1.0, "candidate_rate": 1.0},
            {"task_id": "slow", "is_target": False, "current_rate": 1.0, "candidate_rate": 1.0},
            {"task_id": "it-hangs", "is_target": True, "current_rate": 0.0, "candidate_rate": 1.0},
        ],
        "run": "r",
    }
    ids = ["crash", "dark", "slow", "it-hangs"]
    assert measure.asked == [
        ("current", "A fault is a bug.\n\n{{input}}", ids),
        ("candidate", "A fault or a wait is a bug.\n\n{{input}}", ids),
    ]
    assert Path(FOLDER, "tasks.jsonl").read_text() == before
    assert not Path(".omniscitus/rejections.jsonl").exists()


def test_an_accepted_task_joins_the_corpus(decide: Decide) -> None:
    """It is the last line, as it was given; the next edit must not harm it, and it is not added twice."""
    path = Path(FOLDER, "tasks.jsonl")
    result = decide(Scripted(), append=True)
    assert result["appended_to"] == f"{FOLDER}/tasks.jsonl"
    lines = path.read_text().splitlines()
    assert (len(lines), json.loads(lines[-1])) == (4, json.loads(TASK))
    again = decide(Scripted(), append=True)
    assert (again["accept"], "appended_to" in again, len(path.read_text().splitlines())) == (True, False, 4)
    assert sum(not task["is_target"] for task in again["per_task"]) == 3


@pytest.mark.parametrize(
    ("wrong", "null_control", "reason"),
    [
        pytest.param(
            {"candidate": {"crash", "slow"}},
            False,
            "the corpus has regressed by 66.7 points: 33.3, one task, are allowed",
            id="harm",
        ),
        pytest.param(
            {"candidate": {"it-hangs"}},
            False,
            "the target task passes in 0 % of its samples: 50 % must",
            id="no help",
        ),
        pytest.param(
            {"current": {"crash", "slow"}},
            False,
            "the current text is right in 33.3 % of the corpus, below 50 %: "
            "a comparison with it means nothing",
            id="no corpus to trust",
        ),
        pytest.param(
            {"current": {"it-hangs"}, "null_control": set()},
            True,
            "the gain of 25 points may be chance: the current text by itself varies by 25",
            id="chance",
        ),
    ],
)
def test_a_rejected_edit(decide: Decide, wrong: dict[str, set[str]], null_control: bool, reason: str) -> None:
    """The reason is said and logged, and the task is not kept."""
    before = Path(FOLDER, "tasks.jsonl").read_text()
    verdict = decide(Scripted(**wrong), null_control=null_control, append=True)
    assert (verdict["accept"], verdict["decision"], verdict["reason"]) == (False, "reject", reason)
    (line,) = Path(".omniscitus/rejections.jsonl").read_text().splitlines()
    assert json.loads(line) == {
        "source_file": "commands/go.md",
        "target_task_id": "it-hangs",
        "reason": reason,
        "verdict": verdict,
        "timestamp": "2026-11-30T10:15:00+00:00",
    }
    assert Path(FOLDER, "tasks.jsonl").read_text() == before


def test_the_null_control(decide: Decide) -> None:
    """It is measured as an arm of its own, with the current prompt."""
    measure = Scripted(current={"it-hangs"}, null_control={"it-hangs"})
    verdict = decide(measure, null_control=True)
    control = {"gain": 0.25, "spread": 0.0, "spread_reaches_gain": False}
    assert (verdict["accept"], verdict["null_control"]) == (True, control)
    arms = [(arm, prompt) for arm, prompt, _ in measure.asked]
    assert [arm for arm, _ in arms] == ["current", "candidate", "null-control"]
    assert arms[0][1] == arms[2][1] != arms[1][1]


def test_what_cannot_be_told_is_no_accept(decide: Decide) -> None:
    """The paired rule may find too little: that is logged like a rejection."""
    measure = Scripted(candidate={"crash"})
    verdict = decide(measure, terms=GateTerms(rule=Rule.PAIRED))
    assert (verdict["accept"], verdict["decision"], verdict["corpus_regressed"]) == (
        False,
        "inconclusive",
        None,
    )
    assert verdict["reason"] == (
        "whether the corpus has regressed is open: -33.3 points (95 % interval -100 to 100); "
        "a loss of 33.3 is allowed"
    )
    assert (verdict["paired"]["tasks"], verdict["paired"]["mean_difference"]) == (3, pytest.approx(-1 / 3))
    assert "power" not in verdict
    assert Path(".omniscitus/rejections.jsonl").exists()


@pytest.mark.parametrize(
    ("candidate", "more"),
    [
        pytest.param(SOURCE, {}, id="the same file"),
        pytest.param(SOURCE.replace("\n", "\r\n"), {}, id="other line ends"),
        pytest.param(
            SOURCE.replace("More.", "Less."),
            {"notices": ["the files differ outside the block, too: nothing measures that"]},
            id="changed elsewhere",
        ),
    ],
)
def test_an_edit_of_something_else(decide: Decide, candidate: str, more: dict[str, Any]) -> None:
    """Where the block stays, nothing is measured, no task is needed, and what goes unmeasured is said."""
    measure = Scripted()
    said = decide(measure, candidate, target_task=None)
    assert said == {"accept": True, "reason": "no gated-block change", **more}
    assert measure.asked == []


@pytest.mark.parametrize(
    ("files", "request_", "said"),
    [
        pytest.param(
            {"prompts/go.txt": "old"},
            {},
            "prompts/go.txt:1: is stale: the block 'go-routing' of commands/go.md gives another prompt "
            "from here on (run: scaffold project go)",
            id="a stale prompt",
        ),
        pytest.param(
            {}, {"candidate": f"{START}x"}, f"edited.md: end marker not found: {END}", id="no marker"
        ),
        pytest.param(
            {}, {"target_task": None}, "edited.md: the block changes: --target-task must", id="no task"
        ),
        pytest.param(
            {},
            {"target_task": '{"input": "a@corp.com", "golden_label": "bug"}'},
            "an e-mail address",
            id="real",
        ),
    ],
)
def test_what_is_wrong_is_found_before_anything_is_spent(
    decide: Decide, files: dict[str, str], request_: dict[str, Any], said: str
) -> None:
    """No model is called, and nothing is accepted or logged."""
    for path, text in files.items():
        write(path, text)
    measure = Scripted()
    with pytest.raises(ConfigError) as caught:
        decide(measure, **request_)
    assert said in str(caught.value)
    assert (measure.asked, Path(".omniscitus/rejections.jsonl").exists()) == ([], False)


def test_the_source_is_no_candidate(gated: Path) -> None:  # noqa: F811
    """An edit in place would be compared with itself, and always pass."""
    Path("link.md").symlink_to("commands/go.md")
    plan = plan_gate(read_registry(gated / REGISTRY_FILE, gated), "go")
    with pytest.raises(ConfigError, match=r"link\.md: is the source file itself"):
        run_gate(GateRequest(plan=plan, candidate_file=Path("link.md")), Scripted(), NOW)


def test_what_fails_to_be_measured_is_no_decision(decide: Decide) -> None:
    """An error of the measure is an error of the gate: no verdict, no log."""

    class Failing(Scripted):
        def __call__(self, prompts: Mapping[str, str], tasks: Sequence[Task]) -> Measured:
            raise RunError("the endpoint is down")

    with pytest.raises(RunError, match="the endpoint is down"):
        decide(Failing())
    assert not Path(".omniscitus/rejections.jsonl").exists()
