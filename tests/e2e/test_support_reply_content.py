"""examples/support-reply: what its cases come to, and that prompt, correction and README agree with that."""

import re
from decimal import Decimal
from pathlib import Path

import pytest

from judges.core.case import digest
from judges.core.verdict import Verdict
from judges.files.prompt_meta import PromptMeta
from judges.files.replay import read_replay
from judges.files.rubric import parse_rubric
from judges.files.shape import parse_model
from judges.files.yaml import read_yaml

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

JUDGED = {ref: score for ref, (_, score) in EXPECTED.items()} | {
    "address-change": Decimal("87.5"),  # before the correction
    "card-number": Decimal("58.75"),  # if the judge is asked although a check failed
}
"""The score, 0..100, that the ratings alone come to."""

META = parse_model(PromptMeta, read_yaml(SUITE / "prompt-meta.yaml"))
CASES = {case.id or "": case for case in META.cases.items}


def test_cases_are_those_of_the_expected_table() -> None:
    """Every case has an expected verdict, and every expected verdict a case."""
    assert list(CASES) == list(EXPECTED)


@pytest.mark.parametrize("ref", EXPECTED)
def test_case_sets_exactly_the_variables_of_the_prompt(ref: str) -> None:
    """The prompt can be sent as it is: no variable is left open, none is set for nothing."""
    prompt = (PROJECT / "prompts" / "support-reply.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\{(\w+)\}", prompt)) == set(CASES[ref].input)


@pytest.mark.parametrize("ref", EXPECTED)
def test_levels_give_the_score_worked_out_by_hand(ref: str) -> None:
    """The weighted mean of the rated levels is the literal in the table."""
    ratings = [rating for rating in read_replay(SUITE / "replay.jsonl") if rating.ref == ref]
    level = {rating.question: int(rating.answer) for rating in ratings if isinstance(rating.answer, int)}
    assert (
        sum(each.weight * (level[f"criteria.{each.name}"] - 1) * 25 for each in META.criteria) == JUDGED[ref]
    )


def test_correction_is_bound_to_what_was_corrected() -> None:
    """The one correction holds for the output and the rubric as they are now."""
    (override,) = read_yaml(SUITE / "overrides" / "overrides.yaml").value
    (rubric,) = (each.rubric for each in META.criteria if each.name == override["criterion"])
    assert (override["case_ref"], override["bind"]) == ("address-change", "output")
    assert override["output_sha256"] == digest(CASES["address-change"].output or "")
    assert override["rubric_sha256"] == parse_rubric(rubric, scale=5).sha256


def test_readme_tells_every_verdict() -> None:
    """The table of the README is the expected table."""
    readme = (PROJECT / "README.md").read_text(encoding="utf-8")
    told = re.findall(r"^\| `([a-z-]+)` \| ([A-Z]+) \|", readme, re.MULTILINE)
    assert told == [(ref, verdict.value) for ref, (verdict, _) in EXPECTED.items()]
