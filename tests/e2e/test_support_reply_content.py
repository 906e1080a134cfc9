"""The content of examples/support-reply is consistent: its outputs, ratings, correction and README agree."""

import json
import re
from collections import Counter
from decimal import Decimal
from pathlib import Path

import pytest
import yaml

from judges.core.case import Category, digest
from judges.core.replay import ReplayEntry
from judges.core.verdict import Verdict
from judges.files.prompt_meta import CaseSpec, CriterionSpec, JudgedCheck, OverrideSpec, PromptMeta

PROJECT = Path(__file__).parents[2] / "examples" / "support-reply"
SUITE = PROJECT / ".omniscitus" / "tests" / "prompts" / "support-reply"

EXPECTED: dict[str, tuple[Verdict, Decimal | None]] = {
    "return-in-window": (Verdict.PASS, Decimal(100)),
    "late-parcel": (Verdict.FAIL, Decimal(80)),
    "where-is-my-order": (Verdict.FAIL, Decimal("81.25")),
    "exchange-colour": (Verdict.WARN, Decimal(60)),
    "warranty-german": (Verdict.PASS, Decimal("93.75")),
    "address-change": (Verdict.PASS, Decimal(100)),
    "expired-code": (Verdict.PASS, Decimal("97.5")),
    "two-requests": (Verdict.PASS, Decimal(90)),
    "card-number": (Verdict.FAIL, None),
    "vague-complaint": (Verdict.PASS, Decimal("97.5")),
    "reviewer-note": (Verdict.FAIL, Decimal("23.75")),
    "school-essay": (Verdict.PASS, Decimal(100)),
}
"""Verdict and final score, 0..100, of each case by its ref, worked out by hand from the ratings."""

JUDGED = {**{ref: score for ref, (_, score) in EXPECTED.items()}, "address-change": Decimal("87.5")}
JUDGED["card-number"] = Decimal("58.75")
"""The score before corrections, and with every case judged (`--judge-all`)."""

META = PromptMeta.model_validate(yaml.safe_load((SUITE / "prompt-meta.yaml").read_text(encoding="utf-8")))
CASES: dict[str, CaseSpec] = {case.id or case.title: case for case in META.cases.items}
RATINGS = [
    ReplayEntry(**json.loads(line))
    for line in (SUITE / "replay.jsonl").read_text(encoding="utf-8").splitlines()
]
SOURCE = "maintainers, read against the rubric on 2026-11-30"


def questions(case: CaseSpec) -> list[str]:
    """Return the names of the questions that a case raises."""
    names = [f"criteria.{criterion.name}" for criterion in META.criteria]
    names += [f"checks.{check.name}" for check in META.checks if isinstance(check, JudgedCheck)]
    return names + (["declines"] if case.category is Category.ZERO_CONDITION else [])


def ratings(ref: str) -> list[ReplayEntry]:
    """Return what the recorded judge says about a case."""
    return [rating for rating in RATINGS if rating.ref == ref]


def test_cases_are_those_of_the_expected_table() -> None:
    """Every case has an expected verdict, and every expected verdict a case."""
    assert list(CASES) == list(EXPECTED)


def test_mix_of_categories() -> None:
    """All four categories are there, in the mix that the lint asks for as nearly as 12 cases allow."""
    assert Counter(case.category for case in CASES.values()) == {
        Category.ELEMENT: 7,
        Category.MIXED: 2,
        Category.EDGE: 2,
        Category.ZERO_CONDITION: 1,
    }


def test_weights_sum_to_one() -> None:
    """The weights need no normalising."""
    assert sum(criterion.weight for criterion in META.criteria) == 1


@pytest.mark.parametrize("criterion", META.criteria, ids=[each.name for each in META.criteria])
def test_rubric_describes_every_level(criterion: CriterionSpec) -> None:
    """Each criterion has an anchor for each of its five levels."""
    anchors = re.findall(r"^(\d): \S", criterion.rubric, re.MULTILINE)
    assert anchors == ["5", "4", "3", "2", "1"]


@pytest.mark.parametrize("ref", EXPECTED)
def test_case_sets_exactly_the_variables_of_the_prompt(ref: str) -> None:
    """The prompt can be sent as it is: no variable is left open, none is set for nothing."""
    prompt = (PROJECT / "prompts" / "support-reply.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\{(\w+)\}", prompt)) == set(CASES[ref].input)


@pytest.mark.parametrize("ref", EXPECTED)
def test_every_question_is_answered_once(ref: str) -> None:
    """The recorded judge has one answer to each question about a case, in the order they are asked."""
    assert [rating.question for rating in ratings(ref)] == questions(CASES[ref])


def test_ratings_are_about_known_cases() -> None:
    """No rating is left over from a case that is gone."""
    assert {rating.ref for rating in RATINGS} == set(EXPECTED)


@pytest.mark.parametrize("ref", EXPECTED)
def test_ratings_are_bound_to_the_output(ref: str) -> None:
    """Whoever changes an output must read it against the rubric again."""
    assert {rating.output_sha256 for rating in ratings(ref)} == {digest(CASES[ref].output or "")}


@pytest.mark.parametrize("ref", EXPECTED)
def test_quotes_are_taken_from_the_output_to_the_letter(ref: str) -> None:
    """Every quote is a piece of the output that was rated."""
    quotes = [quote for rating in ratings(ref) for quote in rating.quotes]
    assert quotes
    assert [quote for quote in quotes if not quote or quote not in (CASES[ref].output or "")] == []


@pytest.mark.parametrize("rating", RATINGS, ids=[f"{each.ref}-{each.question}" for each in RATINGS])
def test_rating_says_what_why_and_by_whom(rating: ReplayEntry) -> None:
    """A rating is an offered level or label, with a reason in a sentence, and names its source."""
    offered = (1, 2, 3, 4, 5) if rating.question.startswith("criteria.") else ("YES", "NO")
    assert rating.answer in offered
    assert len((rating.reasoning or "").split()) >= 8
    assert rating.source == SOURCE


@pytest.mark.parametrize("ref", EXPECTED)
def test_levels_give_the_score_worked_out_by_hand(ref: str) -> None:
    """The weighted mean of the rated levels is the literal in the table."""
    level = {rating.question: int(rating.answer) for rating in ratings(ref) if isinstance(rating.answer, int)}
    assert (
        sum(each.weight * (level[f"criteria.{each.name}"] - 1) * 25 for each in META.criteria) == JUDGED[ref]
    )


def test_correction_is_about_a_criterion_of_a_case() -> None:
    """The one correction names an existing case and criterion, its author and its reason."""
    (entry,) = yaml.safe_load((SUITE / "overrides" / "overrides.yaml").read_text(encoding="utf-8"))
    override = OverrideSpec.model_validate(entry | {"score": Decimal(entry["score"])})
    assert (override.case_ref, override.criterion) == ("address-change", "safety")
    assert override.author == "jane@example.com"
    assert override.output_sha256 == digest(CASES[override.case_ref].output or "")


def test_readme_tells_every_verdict() -> None:
    """The table of the README is the expected table."""
    readme = (PROJECT / "README.md").read_text(encoding="utf-8")
    told = re.findall(r"^\| `([a-z-]+)` \| ([A-Z]+) \|", readme, re.MULTILINE)
    assert told == [(ref, verdict.value) for ref, (verdict, _) in EXPECTED.items()]
