"""examples/support-reply: what raters say of its replies, and that it is about these replies and rubrics."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from command_line import Cli

from judges.core.case import digest
from judges.core.rating import RaterKind
from judges.files.load import load_suite
from judges.files.ratings import read_ratings
from judges.reduce.ratings import BY_MODEL

PROJECT = Path(__file__).parents[2] / "examples" / "support-reply"
FOLDER = PROJECT / ".omniscitus" / "tests" / "prompts" / "support-reply"
SUITE = load_suite(FOLDER / "prompt-meta.yaml")
RATINGS = read_ratings(FOLDER / "ratings.jsonl")
LINES: list[dict[str, Any]] = [
    json.loads(line) for line in (FOLDER / "ratings.jsonl").read_text("utf-8").splitlines()
]
SOURCES = {
    "maintainers": "maintainers, a language model: while reading the output, with the recorded judge known",
    "second-rater": "second rater, a language model: from the rubric, the case and the reply alone, "
    "before seeing the recorded judge or any other rating",
}


def rated_by(author: str) -> list[tuple[str, str]]:
    """What this author rated: cases and criteria, in the order of the file."""
    return [(each.ref, each.criterion) for each in RATINGS if each.author == author]


def test_every_reply_is_rated_on_every_criterion() -> None:
    """The maintainers rated each once in the order of the suite, the second rater three replies in full."""
    names = [criterion.name for criterion in SUITE.criteria]
    assert rated_by("maintainers") == [(case.ref, name) for case in SUITE.cases for name in names]
    second = ("return-in-window", "where-is-my-order", "reviewer-note")
    assert rated_by("second-rater") == [(ref, name) for ref in second for name in names]
    assert len(RATINGS) == 60


def test_ratings_are_about_these_replies_and_rubrics() -> None:
    """Whoever changes a reply or a rubric must read it again."""
    outputs = {case.ref: digest(case.output or "") for case in SUITE.cases}
    rubrics = {each.name: each.rubric_sha256 for each in SUITE.criteria}
    assert [each.ref for each in RATINGS if each.output_sha256 != outputs[each.ref]] == []
    assert [each.ref for each in RATINGS if each.rubric_sha256 != rubrics[each.criterion]] == []
    assert {1, 2, 3, 4, 5} == {each.level for each in RATINGS}


def test_ratings_say_why_and_by_whom() -> None:
    """Each line has a reason in words and its source; only the rater who knew no other answer is blind."""
    assert {rating.rater_kind for rating in RATINGS} == {RaterKind.MODEL}
    assert [line["ref"] for line in LINES if line["x-source"] != SOURCES[line["author"]]] == []
    assert [line["x-why"] for line in LINES if len(line["x-why"].split()) < 4] == []
    assert {rating.author for rating in RATINGS if rating.blind} == {"second-rater"}
    assert {rating.author for rating in RATINGS if not rating.blind} == {"maintainers"}


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the example as the working directory."""
    shutil.copytree(PROJECT, tmp_path / "example", ignore=shutil.ignore_patterns("runs", "cache"))
    monkeypatch.chdir(tmp_path / "example")
    lines = (json.dumps({**line, "rater_kind": "person"}) for line in LINES)
    Path("as-if.jsonl").write_text("\n".join(lines))
    return tmp_path / "example"


def test_no_rating_of_a_model_counts(example: Path, cli: Cli) -> None:
    """The judge is unqualified, its agreement with people unknown; what is left out is told."""
    cli("run", "-q")
    found = cli("calibrate", "--json", "-").report
    assert (found["overall"], found["people"], found["left_out"]) == (None, None, {BY_MODEL: 61})
    qualified = cli("qualify", "support-reply")
    assert (qualified.code, f"60 left out: {BY_MODEL}\n" in qualified.err) == (4, True)


AS_IF = "calibrate", "--ratings", "as-if.jsonl"
"""As the page on calibration shows it: as if people had given the ratings."""


def test_the_judge_differs_where_the_readme_says(example: Path, cli: Cli) -> None:
    """In five places the levels of judge and raters are not the same, and one reply is not compared."""
    cli("run", "-q", "--judge-all")
    found = cli(*AS_IF, "--json", "-").report
    assert (found["overall"]["n"], found["left_out"]) == (48, {BY_MODEL: 1})
    cli("run", "-q")
    found = cli(*AS_IF, "--json", "-").report
    assert (found["overall"]["n"], list(found["left_out"].values())) == (44, [1, 4])
    off = {
        name: sum(map(sum, each["matrix"])) - sum(each["matrix"][at][at] for at in range(5))
        for name, each in found["criteria"].items()
    }
    assert off == {"correctness": 2, "tone": 2, "safety": 1, "format_compliance": 0}


def test_raters_are_compared_with_each_other(example: Path, cli: Cli) -> None:
    """Of 12 levels that both gave they differ on one, by one level; it is shown."""
    cli("run", "-q")
    done = cli(*AS_IF, "--json", "agreement.json")
    people = json.loads((example / "agreement.json").read_text("utf-8"))["people"]
    assert (people["n"], people["outputs"]) == (12, 3)
    assert people["exact"]["value"] == pytest.approx(11 / 12)
    assert people["within_one"]["value"] == 1
    assert people["kappa"]["value"] == pytest.approx(0.98718, abs=1e-5)
    assert "56 ratings of 2 people, 12 blind " in " ".join(done.out.split())
    assert "two people         12   0.99" in done.out


def test_blind_ratings_alone_are_too_few(example: Path, cli: Cli) -> None:
    """Twelve levels, of which the judge gives nine, tell nothing about it."""
    cli("run", "-q")
    done = cli(*AS_IF, "--blind-only", "--json", "agreement.json")
    overall = json.loads((example / "agreement.json").read_text("utf-8"))["overall"]
    assert (done.code, overall["n"], overall["exact"]["value"]) == (1, 12, 0.75)
