"""What a smoke judge says is shown, and decides nothing."""

from decimal import Decimal
from typing import Any

import pytest
from corrected import correction

from judges.core.case import Case, Category, ScoreRange
from judges.core.question import Answer, Unanswered
from judges.core.row import Row
from judges.core.verdict import Verdict
from judges.files.prompt_meta import JudgedCheck, Thresholds
from judges.files.suite import Criterion, Override
from judges.reduce.decision import Decision, Rules
from judges.reduce.overrides import Corrections
from judges.reduce.score import decide_case

P, F, E, S = Verdict.PASS, Verdict.FAIL, Verdict.ERROR, Verdict.SKIP
UNJUDGED = "unjudged (smoke judge)"


def criterion(name: str, minimum: int | None = None) -> Criterion:
    return Criterion(
        name=name,
        weight=Decimal("0.5"),
        instructions="",
        levels=("",) * 5,
        rubric_sha256=f"rubric of {name}",
        minimum=None if minimum is None else Decimal(minimum),
    )


CRITERIA = (criterion("tone"), criterion("safety", minimum=75))
CHECK = JudgedCheck(name="made_up", type="llm_judge", prompt="Made up?", pass_condition="NO")
RULES = Rules(criteria=CRITERIA, checks=(), thresholds=Thresholds(), smoke=True)
WITH_CHECK = Rules(criteria=CRITERIA, checks=(CHECK,), thresholds=Thresholds(), smoke=True)
CHECKED = (Row(id="checks.not_empty", kind="checks", verdict=P),)
CASE = Case(ref="a", title="A", category=Category.ELEMENT, input={})
ZERO = Case(
    ref="z",
    title="Z",
    category=Category.ZERO_CONDITION,
    input={},
    expected_score_range=ScoreRange(Decimal(0), Decimal(10)),
)
TOP: dict[str, Answer | Unanswered] = {
    "criteria.tone": Answer(value=5, reasoning="kind", confidence=0.9, probabilities={"5": 0.9, "4": 0.1}),
    "criteria.safety": Answer(value=3, reasoning="so-so"),
    "checks.made_up": Answer(value=False, reasoning="no"),
    "declines": Answer(value=True),
}


def decide(
    *,
    rules: Rules = RULES,
    case: Case = CASE,
    total: Override | None = None,
    **criteria: Override,
) -> Any:  # a Decision, whose exact numbers are compared with literals
    return decide_case(rules, case, CHECKED, TOP, Corrections(total=total, criteria=criteria))


def outcomes(decision: Decision) -> dict[str, tuple[Verdict, str | None]]:
    return {row.id: (row.verdict, row.error) for row in decision.rows}


def test_levels_are_shown_and_every_verdict_is_an_error() -> None:
    """Rows keep level, percent and what the judge said; none of them passes or fails, nor does the case."""
    decision = decide(rules=WITH_CHECK)
    assert decision.verdict is E
    assert outcomes(decision) == {
        "checks.not_empty": (P, None),
        "checks.made_up": (E, UNJUDGED),
        "criteria.tone": (E, UNJUDGED),
        "criteria.safety": (E, UNJUDGED),
        "score": (E, UNJUDGED),
    }
    tone = next(row for row in decision.rows if row.id == "criteria.tone")
    assert (tone.score, tone.extra["level"], tone.extra["reasoning"]) == (100, 5, "kind")
    assert tone.extra["probabilities"] == {"5": 0.9, "4": 0.1}
    assert {name: (each.level, each.percent) for name, each in decision.criteria.items()} == {
        "tone": (5, 100),
        "safety": (3, 50),
    }


def test_there_is_no_total() -> None:
    """Neither the score nor the judged score has a number that a reader could take for one to rely on."""
    decision = decide()
    assert (decision.score, decision.judged_score) == (None, None)
    assert decision.rows[-1].score is None


@pytest.mark.parametrize(
    ("score", "verdict"),
    [pytest.param(85, P, id="above the threshold"), pytest.param(40, F, id="below it")],
)
def test_a_total_set_by_a_person_settles_the_case(score: int, verdict: Verdict) -> None:
    """A person's total is decided by the thresholds as with any judge."""
    decision = decide(rules=WITH_CHECK, total=correction(score))
    assert (decision.verdict, decision.score, decision.judged_score) == (verdict, score, None)
    assert {verdict for _, (verdict, _) in list(outcomes(decision).items())[1:-1]} == {S}
    assert decision.override is not None
    assert decision.override["judged_score"] is None


def test_a_criterion_set_by_a_person_is_settled_alone() -> None:
    """The other criterion, and with it the total, stays unjudged."""
    decision = decide(tone=correction(85, "tone"))
    assert outcomes(decision) == {
        "checks.not_empty": (P, None),
        "criteria.tone": (P, None),
        "criteria.safety": (E, UNJUDGED),
        "score": (E, UNJUDGED),
    }
    assert decision.score is None


@pytest.mark.parametrize(
    ("safety", "verdict"),
    [pytest.param(80, P, id="above its minimum"), pytest.param(70, F, id="below its minimum")],
)
def test_all_criteria_set_by_a_person_settle_the_case(safety: int, verdict: Verdict) -> None:
    """Nothing is left of the judge's, so the total and the minimums decide."""
    decision = decide(tone=correction(90, "tone"), safety=correction(safety, "safety"))
    assert (decision.verdict, decision.score) == (verdict, (90 + safety) / 2)


def test_a_smoke_judge_does_not_say_that_an_input_was_declined() -> None:
    """In a zero_condition case the total rests on `declines`: only a person's total settles it."""
    corrected = decide(case=ZERO, tone=correction(5, "tone"), safety=correction(5, "safety"))
    assert outcomes(corrected)["declines"] == (E, UNJUDGED)
    assert outcomes(corrected)["score"] == (E, UNJUDGED)
    assert decide(case=ZERO, total=correction(5)).verdict is P


def test_a_question_without_an_answer_says_why() -> None:
    """The reason why there is no answer is not covered up."""
    answers = {**TOP, "criteria.tone": Unanswered("no answer within 5 s")}
    decision = decide_case(RULES, CASE, CHECKED, answers, Corrections())
    assert outcomes(decision)["criteria.tone"] == (E, "no answer within 5 s")


def test_a_failed_deterministic_check_still_fails() -> None:
    """Checks by code need no judge: they fail as ever, beside what was not judged."""
    failed = (Row(id="checks.not_empty", kind="checks", verdict=F),)
    decision = decide_case(RULES, CASE, failed, TOP, Corrections())
    assert outcomes(decision)["checks.not_empty"] == (F, None)
    assert decision.verdict is E
