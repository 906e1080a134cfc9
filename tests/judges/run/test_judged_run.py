"""What a finished run knows of a suite."""

import json
from pathlib import Path
from typing import Any

import pytest

from judges.core.errors import ConfigError
from judges.core.question import Answer
from judges.files.load import load_suite
from judges.files.suite import PromptSuite
from judges.run.calibrate import calibrate_run
from judges.run.judged import JudgedRun, read_answers

SUITE = """\
prompt_name: greeting
evaluation: {type: TYPE}
judge: {model: "replay:x.jsonl", score: SCORE}
criteria:
  - name: tone
    weight: 1
    rubric: |
      Is it kind?
      3: kind
      1: rude
    scale: 3
cases:
  - {title: a, output: x}
  - {title: off, category: zero_condition, output: x}
"""


@pytest.fixture
def run(tmp_path: Path) -> JudgedRun:
    return JudgedRun(
        run="r", folder=tmp_path, judge="j", meta=None, wording="1", rubrics={}, told_sha256="e3"
    )


def suite(folder: Path, kind: str = "multi_criteria", score: str = "level") -> PromptSuite:
    (folder / ".omniscitus").mkdir(exist_ok=True)
    path = folder / "prompt-meta.yaml"
    path.write_text(SUITE.replace("TYPE", kind).replace("SCORE", score))
    return load_suite(path)


def record(ref: str, *said: int | None, **changes: Any) -> dict[str, Any]:
    """The line of a trial whose output was judged so often."""
    answers = [
        {
            "arm": None,
            "output_sha256": "f0",
            "values": {} if level is None else {"criteria.tone": {"value": level, "probabilities": None}},
        }
        for level in said
    ]
    return {"ref": ref, "output_sha256": "f0", "arms": {}, "answers": answers, **changes}


def write(run: JudgedRun, *records: dict[str, Any]) -> None:
    (run.folder / "records.jsonl").write_text("".join(json.dumps(each) + "\n" for each in records))


TONE = ("a", "f0"), "tone"


@pytest.mark.parametrize(
    ("said", "level"),
    [
        pytest.param([[3]], 3, id="one answer"),
        pytest.param([[3], [1]], 1, id="the lower of two models"),
        pytest.param([[3], [1], [2]], 2, id="the median of three"),
        pytest.param([[None], [2]], 2, id="one that answered"),
        pytest.param([[None]], None, id="none that answered"),
    ],
)
def test_answers(tmp_path: Path, run: JudgedRun, said: list[list[int | None]], level: int | None) -> None:
    """The same output may have been judged several times; it counts once, and is missing only if always."""
    write(run, *(record("a", *each) for each in said))
    found = read_answers(suite(tmp_path), run)
    assert found.outputs == {("a", "f0")}
    assert found.answers == ({} if level is None else {TONE: Answer(value=level)})
    assert found.unanswered == (set() if level is not None else {TONE})


def test_what_was_not_asked(tmp_path: Path, run: JudgedRun) -> None:
    """An output that failed a check, one of a case that is gone, and none at all have no answer to miss."""
    write(run, record("a"), record("gone", 3), record("a", output_sha256=None))
    found = read_answers(suite(tmp_path), run)
    assert (found.outputs, found.answers, found.unanswered) == ({("a", "f0"), ("gone", "f0")}, {}, set())


@pytest.mark.parametrize(
    ("kind", "asked"), [("multi_criteria", True), ("binary", False), ("regression", False)]
)
def test_cases_to_be_declined(tmp_path: Path, run: JudgedRun, kind: str, asked: bool) -> None:
    """Only where outputs are scored the judge is asked about the criteria of such a case."""
    write(run, record("off", None))
    assert bool(read_answers(suite(tmp_path, kind), run).unanswered) is asked


def test_outputs_of_arms(tmp_path: Path, run: JudgedRun) -> None:
    """What stands beside an output of now was judged, too."""
    write(run, record("a", 3, arms={"baseline": {"output_sha256": "f1"}}))
    assert read_answers(suite(tmp_path, "regression"), run).outputs == {("a", "f0"), ("a", "f1")}


def test_a_regression_has_no_pass_rate(tmp_path: Path, run: JudgedRun) -> None:
    """It passes by what changed, and no output by itself."""
    write(run, record("a", 3))
    assert calibrate_run(suite(tmp_path, "regression"), run, (), judge="j").pass_rate is None


@pytest.mark.parametrize(("score", "passed"), [("level", 1), ("expected", 0)])
def test_expected_levels(tmp_path: Path, run: JudgedRun, score: str, passed: int) -> None:
    """Where the expected level decides in a run it decides what passes here, too."""
    line = record("a", 3)
    line["answers"][0]["values"]["criteria.tone"]["probabilities"] = {"1": 0.4, "2": 0.0, "3": 0.6}
    write(run, line)
    rate = calibrate_run(suite(tmp_path, score=score), run, (), judge="j").pass_rate
    assert rate is not None
    assert (rate.judged.count, rate.judged.n) == (passed, 1)


def test_a_damaged_run(tmp_path: Path, run: JudgedRun) -> None:
    """It is told which run to make again."""
    write(run, {"ref": "a"})
    with pytest.raises(ConfigError, match="the run is damaged"):
        read_answers(suite(tmp_path), run)
