"""Every suite of this repository that is judged from a file: its outputs, questions and ratings agree."""

from pathlib import Path

import pytest

from judges.core.case import Category, digest
from judges.core.replay import ReplayEntry
from judges.files.prompt_meta import CaseSpec, JudgedCheck, PromptMeta
from judges.files.replay import read_replay
from judges.files.rubric import parse_rubric
from judges.files.shape import parse_model
from judges.files.yaml import read_yaml

ROOT = Path(__file__).parents[2]
SUITES = [
    ROOT / ".omniscitus" / "tests" / "prompts" / "judge-predicate",
    ROOT / ".omniscitus" / "tests" / "prompts" / "judge-score",
    ROOT / "examples" / "support-reply" / ".omniscitus" / "tests" / "prompts" / "support-reply",
]
SOURCE = "maintainers, read against the rubric on 2026-11-30"

each_suite = pytest.mark.parametrize("suite", SUITES, ids=[suite.name for suite in SUITES])


def read_meta(suite: Path) -> PromptMeta:
    """Return what the suite's file says."""
    return parse_model(PromptMeta, read_yaml(suite / "prompt-meta.yaml"))


def read_cases(suite: Path) -> dict[str, CaseSpec]:
    """Return the suite's cases by their ids."""
    return {case.id or "": case for case in read_meta(suite).cases.items}


def questions(meta: PromptMeta, case: CaseSpec) -> list[str]:
    """Return the names of the questions that a case raises, in the order they are asked."""
    names = [f"criteria.{criterion.name}" for criterion in meta.criteria]
    names += [f"checks.{check.name}" for check in meta.checks if isinstance(check, JudgedCheck)]
    return names + (["declines"] if case.category is Category.ZERO_CONDITION else [])


def outputs_and_ratings(suite: Path) -> list[tuple[str, ReplayEntry]]:
    """Return each rating with the output it is about."""
    cases = read_cases(suite)
    return [(cases[rating.ref].output or "", rating) for rating in read_replay(suite / "replay.jsonl")]


def test_no_suite_is_left_out() -> None:
    """The list above names every suite with recorded ratings."""
    found = [*ROOT.glob(".omniscitus/**/replay.jsonl"), *ROOT.glob("examples/*/.omniscitus/**/replay.jsonl")]
    assert sorted(path.parent for path in found) == SUITES


@each_suite
def test_every_question_is_answered_once(suite: Path) -> None:
    """The recorded judge has one answer to each question about each case, and no other."""
    meta = read_meta(suite)
    asked = [(ref, name) for ref, case in read_cases(suite).items() for name in questions(meta, case)]
    assert [(rating.ref, rating.question) for rating in read_replay(suite / "replay.jsonl")] == asked


@each_suite
def test_ratings_are_bound_to_the_outputs(suite: Path) -> None:
    """Whoever changes an output must read it against the rubric again."""
    assert [
        rating.ref for output, rating in outputs_and_ratings(suite) if rating.output_sha256 != digest(output)
    ] == []


@each_suite
def test_quotes_are_taken_from_the_outputs_to_the_letter(suite: Path) -> None:
    """Every quote is a piece of the output that was rated."""
    assert [
        (rating.ref, quote)
        for output, rating in outputs_and_ratings(suite)
        for quote in rating.quotes
        if not quote or quote not in output
    ] == []


@each_suite
def test_answers_are_offered_ones(suite: Path) -> None:
    """A criterion is rated with a level of its scale, a yes-or-no question with YES or NO."""
    levels = {f"criteria.{each.name}": range(1, each.scale + 1) for each in read_meta(suite).criteria}
    assert [
        (rating.ref, rating.question)
        for _, rating in outputs_and_ratings(suite)
        if rating.answer not in levels.get(rating.question, ("YES", "NO"))
    ] == []


@each_suite
def test_ratings_say_why_and_by_whom(suite: Path) -> None:
    """Every rating has a reason of its own, in a sentence, and names its source."""
    ratings = read_replay(suite / "replay.jsonl")
    assert {rating.source for rating in ratings} == {SOURCE}
    assert [rating for rating in ratings if len((rating.reasoning or "").split()) < 8] == []
    by_case = [(rating.ref, rating.reasoning) for rating in ratings]
    assert len(set(by_case)) == len(by_case)


@each_suite
def test_rubrics_are_whole(suite: Path) -> None:
    """The weights sum to 1, and every level of every criterion is described."""
    criteria = read_meta(suite).criteria
    assert sum(criterion.weight for criterion in criteria) == 1
    assert [each.name for each in criteria if "" in parse_rubric(each.rubric, each.scale).levels] == []


@each_suite
def test_all_four_categories_are_there(suite: Path) -> None:
    """A suite shows typical, mixed, unusual and unanswerable inputs."""
    assert {case.category for case in read_cases(suite).values()} == set(Category)
