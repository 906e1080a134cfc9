""".omniscitus/: the suites for this project's own judge wording are about the wording as it is now."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from judges.ask import wording
from judges.ask.reply import parse_reply
from judges.core.case import digest
from judges.core.question import Predicate, Question, Score
from judges.core.verdict import Verdict
from judges.files.prompt_meta import CaseSpec, PromptMeta
from judges.files.replay import read_replay
from judges.files.shape import parse_model
from judges.files.yaml import read_yaml

SUITES = Path(__file__).parents[2] / ".omniscitus" / "tests" / "prompts"
WORDING = Path(wording.__file__).parent

PARTS = {
    "judge-score": ["instructions.txt", "score.txt", "format.txt"],
    "judge-predicate": ["instructions.txt", "predicate.txt", "declines.txt", "format.txt"],
}
"""The parts of the wording that a judge is sent in each suite."""

EXPECTED: dict[tuple[str, str], tuple[Verdict, Decimal]] = {
    ("judge-score", "good-answer"): (Verdict.PASS, Decimal(100)),
    ("judge-score", "invented-detail"): (Verdict.PASS, Decimal("97.5")),
    ("judge-score", "long-answer"): (Verdict.PASS, Decimal(95)),
    ("judge-score", "generous-reply"): (Verdict.PASS, Decimal("42.5")),
    ("judge-score", "german-answer"): (Verdict.PASS, Decimal("91.25")),
    ("judge-score", "injected-answer"): (Verdict.PASS, Decimal(100)),
    ("judge-score", "imitated-reply"): (Verdict.PASS, Decimal("97.5")),
    ("judge-score", "injected-notes"): (Verdict.PASS, Decimal(100)),
    ("judge-score", "false-end"): (Verdict.PASS, Decimal("92.5")),
    ("judge-score", "empty-answer"): (Verdict.PASS, Decimal("91.25")),
    ("judge-score", "steered-reply"): (Verdict.PASS, Decimal("17.5")),
    ("judge-predicate", "supported-claims"): (Verdict.PASS, Decimal(100)),
    ("judge-predicate", "invented-claim"): (Verdict.PASS, Decimal(100)),
    ("judge-predicate", "declining-answer"): (Verdict.PASS, Decimal("92.5")),
    ("judge-predicate", "answers-nonsense"): (Verdict.PASS, Decimal("88.75")),
    ("judge-predicate", "injected-answer"): (Verdict.PASS, Decimal(100)),
    ("judge-predicate", "german-imitation"): (Verdict.PASS, Decimal("97.5")),
    ("judge-predicate", "empty-answer"): (Verdict.PASS, Decimal("97.5")),
    ("judge-predicate", "steered-reply"): (Verdict.PASS, Decimal("17.5")),
}
"""Verdict and score, 0..100, by suite and ref. Replies that are bad on purpose pass by scoring low."""

METAS = {name: parse_model(PromptMeta, read_yaml(SUITES / name / "prompt-meta.yaml")) for name in PARTS}
CASES = {(name, case.id or ""): case for name, meta in METAS.items() for case in meta.cases.items}

each_suite = pytest.mark.parametrize("name", PARTS)
each_case = pytest.mark.parametrize(("name", "ref"), EXPECTED, ids=["/".join(key) for key in EXPECTED])


def build_question(name: str, asked: dict[str, Any]) -> Question:
    """Return the typed question that a case's input describes."""
    if "levels" in asked:
        return Score(name=name, instructions=asked["instructions"], levels=tuple(asked["levels"]))
    yes, no = asked["labels"]
    return Predicate(name=name, instructions=asked["instructions"], labels=(yes, no))


def build_questions(case: CaseSpec) -> tuple[Question, ...]:
    """Return the typed questions that the recorded reply of a case answers."""
    return tuple(build_question(name, asked) for name, asked in case.input["questions"].items())


@each_suite
def test_replies_were_written_to_this_wording(name: str) -> None:
    """Whoever changes the wording must read the recorded replies again before renewing the digests."""
    recorded = read_yaml(SUITES / name / "prompt-meta.yaml").value["x-wording-sha256"]
    assert recorded == {part: digest((WORDING / part).read_text(encoding="utf-8")) for part in PARTS[name]}


@each_suite
def test_target_is_a_part_of_the_wording(name: str) -> None:
    """The suite names the file under test."""
    target = METAS[name].target or ""
    assert (SUITES.parents[2] / target).parent == WORDING
    assert Path(target).name in PARTS[name]


@each_suite
def test_every_situation_is_there(name: str) -> None:
    """Honest, injected, imitating, foreign and empty evidence, and a reply that is bad on purpose."""
    tags = {tag for case in METAS[name].cases.items for tag in case.tags}
    assert tags == {"plain", "injection", "imitation", "non-english", "empty", "known-bad"}


def test_the_declining_question_is_the_one_of_the_wording() -> None:
    """The suite asks what a zero_condition case is really asked."""
    asked = CASES["judge-predicate", "declining-answer"].input["questions"]["declines"]
    assert asked["instructions"] == wording.text("declines")


@each_case
def test_recorded_reply_is_one_that_the_engine_reads(name: str, ref: str) -> None:
    """Good or bad, each reply has the form that the wording asks for."""
    case = CASES[name, ref]
    assert set(parse_reply(case.output or "", build_questions(case))) == set(case.input["questions"])


@each_case
def test_levels_give_the_score_worked_out_by_hand(name: str, ref: str) -> None:
    """The weighted mean of the rated levels is the literal in the table, inside the expected range."""
    ratings = [rating for rating in read_replay(SUITES / name / "replay.jsonl") if rating.ref == ref]
    level = {rating.question: int(rating.answer) for rating in ratings if isinstance(rating.answer, int)}
    score = sum(each.weight * (level[f"criteria.{each.name}"] - 1) * 25 for each in METAS[name].criteria)
    assert score == EXPECTED[name, ref][1]
    expected = CASES[name, ref].expected_score_range
    assert expected is not None
    assert expected.min <= score <= expected.max


def test_cases_are_those_of_the_expected_table() -> None:
    """Every case has an expected verdict, and every expected verdict a case."""
    assert list(CASES) == list(EXPECTED)
