"""examples/support-reply: what people say of its replies, and that it is about these replies and rubrics."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from command_line import Cli

from judges.core.case import digest
from judges.files.load import load_suite
from judges.files.ratings import read_ratings

PROJECT = Path(__file__).parents[2] / "examples" / "support-reply"
FOLDER = PROJECT / ".omniscitus" / "tests" / "prompts" / "support-reply"
SUITE = load_suite(FOLDER / "prompt-meta.yaml")
RATINGS = read_ratings(FOLDER / "ratings.jsonl")
LINES: list[dict[str, Any]] = [
    json.loads(line) for line in (FOLDER / "ratings.jsonl").read_text("utf-8").splitlines()
]


def test_every_reply_is_rated_on_every_criterion() -> None:
    """There is one rating of each, in the order of the suite."""
    expected = [(case.ref, criterion.name) for case in SUITE.cases for criterion in SUITE.criteria]
    assert [(each.ref, each.criterion) for each in RATINGS] == expected


def test_ratings_are_about_these_replies_and_rubrics() -> None:
    """Whoever changes a reply or a rubric must read it again."""
    outputs = {case.ref: digest(case.output or "") for case in SUITE.cases}
    rubrics = {each.name: each.rubric_sha256 for each in SUITE.criteria}
    assert [each.ref for each in RATINGS if each.output_sha256 != outputs[each.ref]] == []
    assert [each.ref for each in RATINGS if each.rubric_sha256 != rubrics[each.criterion]] == []
    assert {1, 2, 3, 4, 5} == {each.level for each in RATINGS}


def test_ratings_say_why_and_by_whom() -> None:
    """Each line has a reason in words and its source; none pretends to be blind."""
    assert {line["x-source"] for line in LINES} == {
        "maintainers, while reading the output, with the recorded judge known"
    }
    assert [line["x-why"] for line in LINES if len(line["x-why"].split()) < 4] == []
    assert not any(rating.blind for rating in RATINGS)


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the example as the working directory."""
    shutil.copytree(PROJECT, tmp_path / "example", ignore=shutil.ignore_patterns("runs", "cache"))
    monkeypatch.chdir(tmp_path / "example")
    return tmp_path / "example"


def test_the_judge_differs_where_the_readme_says(example: Path, cli: Cli) -> None:
    """In four places the levels of judge and people are not the same, and one reply is not compared."""
    cli("run", "-q", "--judge-all")
    found = cli("calibrate", "--json", "-").report
    assert (found["overall"]["n"], found["left_out"]) == (48, {})
    cli("run", "-q")
    found = cli("calibrate", "--json", "-").report
    assert (found["overall"]["n"], list(found["left_out"].values())) == (44, [4])
    off = {
        name: sum(map(sum, each["matrix"])) - sum(each["matrix"][at][at] for at in range(5))
        for name, each in found["criteria"].items()
    }
    assert off == {"correctness": 1, "tone": 2, "safety": 1, "format_compliance": 0}
