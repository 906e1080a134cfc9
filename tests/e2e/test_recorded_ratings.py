"""Every suite of this repository that is judged from a file: its outputs, questions and ratings agree."""

from pathlib import Path

import pytest

from judges.ask.questions import build_questions
from judges.ask.render import offered
from judges.core.case import Category, digest
from judges.core.question import Question
from judges.core.replay import ReplayEntry
from judges.files.lint import lint
from judges.files.load import load_suite
from judges.files.prompt_meta import JudgedCheck
from judges.files.replay import read_replay
from judges.files.suite import PromptSuite
from judges.files.template import read_prompt

ROOT = Path(__file__).parents[2]
SUITES = [
    ROOT / ".omniscitus" / "tests" / "prompts" / "judge-choice",
    ROOT / ".omniscitus" / "tests" / "prompts" / "judge-predicate",
    ROOT / ".omniscitus" / "tests" / "prompts" / "judge-score",
    ROOT / ".omniscitus" / "tests" / "prompts" / "judge-semantic",
    ROOT / "examples" / "support-reply" / ".omniscitus" / "tests" / "prompts" / "support-reply",
]
SOURCE = "a language model, reading against the rubric on 2026-11-30"


@pytest.fixture(params=SUITES, ids=[folder.name for folder in SUITES])
def suite(request: pytest.FixtureRequest) -> PromptSuite:
    """One of the suites."""
    return load_suite(request.param / "prompt-meta.yaml")


@pytest.fixture
def ratings(suite: PromptSuite) -> tuple[ReplayEntry, ...]:
    """What the suite's recorded judge says."""
    return read_replay(suite.test_root / "replay.jsonl")


@pytest.fixture
def outputs(suite: PromptSuite) -> dict[str, str]:
    """The recorded outputs by ref."""
    return {case.ref: case.output or "" for case in suite.cases}


def questions(suite: PromptSuite) -> dict[tuple[str, str], Question]:
    """Return every question about every case, by the case's ref and the question's name."""
    checks = tuple(check for check in suite.meta.checks if isinstance(check, JudgedCheck))
    return {
        (case.ref, question.name): question
        for case in suite.cases
        for question in build_questions(suite.criteria, checks, case)
    }


def test_no_suite_is_left_out() -> None:
    """The list above names every suite with recorded ratings."""
    found = [*ROOT.glob(".omniscitus/**/replay.jsonl"), *ROOT.glob("examples/*/.omniscitus/**/replay.jsonl")]
    assert sorted(path.parent for path in found) == SUITES


def test_suite_has_no_finding(suite: PromptSuite) -> None:
    """What we show to others keeps to our own advice."""
    assert suite.target is not None
    assert lint(suite, read_prompt(suite.target)) == ()
    assert suite.notices == ()


def test_all_four_categories_are_there(suite: PromptSuite) -> None:
    """A suite shows typical, mixed, unusual and unanswerable inputs."""
    assert {case.category for case in suite.cases} == set(Category)


def test_every_question_is_answered_once(suite: PromptSuite, ratings: tuple[ReplayEntry, ...]) -> None:
    """The recorded judge has one answer to each question about each case, and no other."""
    assert [(rating.ref, rating.question) for rating in ratings] == list(questions(suite))


def test_answers_are_offered_ones(suite: PromptSuite, ratings: tuple[ReplayEntry, ...]) -> None:
    """A criterion is rated with a level of its scale, a yes-or-no question with YES or NO."""
    asked = questions(suite)
    wrong = [each for each in ratings if each.answer not in offered(asked[each.ref, each.question])]
    assert wrong == []


def test_ratings_are_bound_to_the_outputs(ratings: tuple[ReplayEntry, ...], outputs: dict[str, str]) -> None:
    """Whoever changes an output must read it against the rubric again."""
    assert [each.ref for each in ratings if each.output_sha256 != digest(outputs[each.ref])] == []


def test_quotes_are_taken_from_the_outputs_to_the_letter(
    ratings: tuple[ReplayEntry, ...], outputs: dict[str, str]
) -> None:
    """Every quote is a piece of the output that was rated."""
    quotes = [(each.ref, quote) for each in ratings for quote in each.quotes]
    assert {ref for ref, _ in quotes} == set(outputs)
    assert [quote for ref, quote in quotes if not quote or quote not in outputs[ref]] == []


def test_ratings_say_why_and_by_whom(ratings: tuple[ReplayEntry, ...]) -> None:
    """Every rating has a reason, in at least eight words and not twice, and names its source."""
    assert {each.source for each in ratings} == {SOURCE}
    reasons = [each.reasoning or "" for each in ratings]
    assert [reason for reason in reasons if len(reason.split()) < 8] == []
    assert [reason for reason in reasons if reasons.count(reason) > 1] == []
