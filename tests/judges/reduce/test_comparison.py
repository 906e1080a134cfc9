"""Every rule that decides which of two outputs is better, and by how many wins a suite passes."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from corrected import correction
from hypothesis import given
from hypothesis import strategies as st

from judges.core.question import Answer, Unanswered
from judges.core.rating import RaterKind
from judges.core.report import CaseReport, Totals
from judges.core.row import Row
from judges.core.verdict import Verdict
from judges.files.prompt_meta import JudgedCheck, Thresholds
from judges.files.suite import Criterion
from judges.reduce.comparison import Preference, decide_case, decide_suite
from judges.reduce.decision import Decision, Rules
from judges.reduce.facts import Facts
from judges.reduce.overrides import Corrections

P, W, F, E, S = Verdict.PASS, Verdict.WARN, Verdict.FAIL, Verdict.ERROR, Verdict.SKIP
CHOICES = ("A", "B", "tie")
MIRRORED = {"A": "B", "B": "A", "tie": "tie"}

TONE = Criterion(name="tone", weight=Decimal(1), instructions="", levels=(), rubric_sha256="")
CHECK = JudgedCheck(name="made_up", type="llm_judge", prompt="Made up?", pass_condition="NO")
RULES = Rules(criteria=(TONE,), checks=(), thresholds=Thresholds.model_validate({"pass": 50}))


def checked(verdict: Verdict = P) -> tuple[Row, ...]:
    return (Row(id="checks.filled", kind="checks", verdict=verdict, actual_excerpt="filled failed"),)


def orders(ab: str | None, ba: str | None, tone: tuple[str, str] = ("tie", "tie")) -> dict[Any, Any]:
    """What the judge said overall in each order, and on the tone; None is no answer."""

    def answer(value: str | None) -> Answer | Unanswered:
        return Unanswered("no reply") if value is None else Answer(value=value, reasoning=f"since {value}")

    return {
        "ab": {"overall": answer(ab), "criteria.tone": answer(tone[0])},
        "ba": {"overall": answer(ba), "criteria.tone": answer(tone[1])},
    }


def decide(
    answers: dict[Any, Any],
    *,
    rules: Rules = RULES,
    a: tuple[Row, ...] | None = None,
    b: tuple[Row, ...] | None = None,
    corrections: Corrections | None = None,
) -> Decision:
    facts = Facts(
        checked={"a": checked() if a is None else a, "b": checked() if b is None else b},
        answers=answers,
        corrections={None: corrections} if corrections else {},
    )
    return decide_case(rules, facts)


def row(decision: Decision, row_id: str) -> Row:
    return next(row for row in decision.rows if row.id == row_id)


@pytest.mark.parametrize(
    ("ab", "ba", "verdict", "score", "agrees"),
    [
        ("B", "A", P, 100, True),
        ("A", "B", F, 0, True),
        ("tie", "tie", P, 50, True),
        ("A", "A", P, 50, False),
        ("B", "B", P, 50, False),
        ("A", "tie", P, 50, False),
        ("tie", "A", P, 50, False),
    ],
)
def test_only_what_both_orders_say_counts(
    ab: str, ba: str, verdict: Verdict, score: int, agrees: bool
) -> None:
    """The same letter in both orders is the judge's liking of a place, not of an output."""
    decision = decide(orders(ab, ba))
    assert (decision.verdict, decision.score, decision.judged_score) == (verdict, score, score)
    assert row(decision, "overall").extra["orders_agree"] is agrees


def test_a_row_tells_both_orders_as_arms() -> None:
    """Letters become arms, and the reasoning of each order is kept."""
    decision = decide(orders("A", "A", tone=("B", "A")))
    assert {**row(decision, "overall").extra} == {
        "ab": "a",
        "ba": "b",
        "orders_agree": False,
        "reasoning": "since A",
        "reasoning_ba": "since A",
    }
    assert row(decision, "criteria.tone").actual_excerpt == "tone: b is better"
    assert decision.criteria["tone"].percent == 100


@given(st.sampled_from(CHOICES), st.sampled_from(CHOICES))
def test_exchanging_the_arms_mirrors_the_result(ab: str, ba: str) -> None:
    """What is asked in the order "ba" about (a, b) is what "ab" asks about (b, a)."""
    one = Preference(Answer(value=ab), Answer(value=ba))
    other = Preference(Answer(value=ba), Answer(value=ab))
    assert one.agrees is other.agrees
    assert {"a": "b", "b": "a", "tie": "tie"}[one.winner] == other.winner


@given(st.sampled_from(CHOICES))
def test_a_judge_that_is_not_swayed_has_no_position_bias(choice: str) -> None:
    """Mirrored answers agree."""
    assert Preference(Answer(value=choice), Answer(value=MIRRORED[choice])).agrees


@pytest.mark.parametrize(("ab", "ba"), [(None, "A"), ("A", None), (None, None)])
def test_one_order_alone_is_no_preference(ab: str | None, ba: str | None) -> None:
    """It is not a tie either."""
    decision = decide(orders(ab, ba))
    assert (decision.verdict, decision.score) == (E, None)
    assert row(decision, "overall").error == "no reply"


@pytest.mark.parametrize(
    ("a", "b", "verdict", "score", "found"),
    [
        (F, P, P, 100, "b wins: a.checks.filled failed"),
        (P, F, F, 0, "a wins: b.checks.filled failed"),
        (F, F, F, 50, "a tie: both failed a check"),
        (W, P, P, 100, "b is better"),
        (P, W, W, 100, "b is better"),
    ],
)
def test_checks_come_first(a: Verdict, b: Verdict, verdict: Verdict, score: int, found: str) -> None:
    """What fails a check loses, whatever the judge prefers; a warning about `a` is no fault of `b`."""
    decision = decide(orders("B", "A"), a=checked(a), b=checked(b))
    assert (decision.verdict, decision.score) == (verdict, score)
    assert row(decision, "score").actual_excerpt == found


def test_a_judged_check_decides_like_any_other() -> None:
    """It is asked about each output alone; its row begins with the arm."""
    answers = {
        **orders("A", "B"),
        "a": {"checks.made_up": Answer(value=True, reasoning="all of it")},
        "b": {"checks.made_up": Answer(value=False)},
    }
    decision = decide(answers, rules=replace(RULES, checks=(CHECK,)))
    assert (decision.verdict, decision.score) == (P, 100)
    assert row(decision, "a.checks.made_up").actual_excerpt == (
        "a: made_up: the judge answered YES, expected NO: all of it"
    )


@pytest.mark.parametrize("arm", ["a", "b"])
def test_an_output_that_is_missing_decides_nothing(arm: str) -> None:
    """Neither arm wins because the other one could not be produced."""
    missing = (Row(id="output", kind="output", verdict=E, error="timed out"),)
    decision = decide({}, **{arm: missing})
    assert (decision.verdict, decision.score) == (E, None)
    assert row(decision, f"{arm}.output").error == f"{arm}: timed out"
    assert row(decision, "overall").error == "there is no output to judge"
    assert row(decision, "score").verdict is S


def test_a_judge_that_was_refused_decides_nothing() -> None:
    """A judge that failed its canary is asked nothing."""
    facts = Facts(checked={None: (Row(id="judge", kind="judge", verdict=E, error="failed its canary"),)})
    decision = decide_case(RULES, facts)
    assert decision.verdict is E
    assert row(decision, "overall").error == "the judge cannot be relied on"


def test_a_smoke_judge_decides_nothing() -> None:
    """What it prefers is shown, and no case is won by it."""
    decision = decide(orders("B", "A"), rules=replace(RULES, smoke=True))
    assert (decision.verdict, decision.score) == (E, None)
    assert row(decision, "overall").actual_excerpt == "overall: b is better"


@pytest.mark.parametrize(("score", "verdict"), [(100, P), (50, P), (49, F)])
def test_a_person_may_set_the_share_of_b(score: int, verdict: Verdict) -> None:
    """It settles what the judge did not answer, but lifts no deterministic check."""
    corrections = Corrections(total=correction(score))
    decision = decide(orders(None, "A"), corrections=corrections)
    assert (decision.verdict, decision.score, decision.judged_score) == (verdict, score, None)
    assert decide(orders("B", "A"), b=checked(F), corrections=corrections).score == 0


def test_a_correction_by_a_model() -> None:
    """It counts as a person's, and the rows do not pass it off as one."""
    by_model = replace(correction(100), rater_kind=RaterKind.MODEL)
    of_tone = replace(by_model, criterion="tone")
    decision = decide(orders("A", "B"), corrections=Corrections(total=by_model, criteria={"tone": of_tone}))
    assert row(decision, "criteria.tone").error == (
        "the total was corrected; the judge: tone: b has 100 of 100, as a model set it"
    )
    assert row(decision, "score").actual_excerpt == "b has 100 of 100, as a model set it"
    assert decision.override is not None
    assert (decision.override["rater_kind"], decision.override["criteria"]["tone"]["rater_kind"]) == (
        "model",
        "model",
    )


def test_a_person_may_correct_a_criterion() -> None:
    """It changes that row and no other."""
    corrections = Corrections(criteria={"tone": correction(100, "tone")})
    decision = decide(orders("A", "B", tone=("A", "B")), corrections=corrections)
    assert (decision.verdict, decision.score) == (F, 0)
    assert row(decision, "criteria.tone").actual_excerpt == "tone: b has 100 of 100, as a person set it"
    assert decision.criteria["tone"].percent == 100


def report(score: int | None, *, agrees: bool | None = True, verdict: Verdict = P) -> CaseReport:
    extra = {} if agrees is None else {"orders_agree": agrees}
    rows = (Row(id="overall", kind="overall", verdict=P, extra=extra),)
    return CaseReport(
        ref="a",
        title="A",
        category=None,
        verdict=verdict,
        rows=rows,
        score=None if score is None else Decimal(score),
    )


@pytest.mark.parametrize(
    ("cases", "threshold", "verdict", "rate", "bias"),
    [
        ([report(100), report(0)], 50, P, 50.0, 0),
        ([report(100), report(50), report(0), report(0)], 50, F, 37.5, 0),
        ([report(50, agrees=False), report(50)], 50, P, 50.0, 1),
        ([report(100), report(100, agrees=None)], 100, P, 100.0, 0),
        ([report(100), report(None, agrees=None, verdict=E)], 50, E, 100.0, 0),
        ([report(None, agrees=None, verdict=S)], 50, S, None, 0),
        ([], 50, S, None, 0),
    ],
)
def test_the_win_rate_decides(
    cases: list[CaseReport], threshold: int, verdict: Verdict, rate: float | None, bias: int
) -> None:
    """A tie is half a win, the threshold itself passes, and an error is never outvoted."""
    rules = replace(RULES, thresholds=Thresholds.model_validate({"pass": threshold}))
    totals = Totals(
        cases=len(cases),
        errored=sum(case.verdict is E for case in cases),
        skipped=sum(case.verdict is S for case in cases),
    )
    decision = decide_suite(rules, totals, cases)
    assert (decision.verdict, decision.summary["win_rate"]) == (verdict, rate)
    assert decision.summary["position_bias"] == bias


@given(st.lists(st.sampled_from([0, 50, 100]), min_size=1, max_size=40))
def test_the_interval_holds_the_rate(scores: list[int]) -> None:
    """The counts add up, the rate lies within its interval, and one win more never makes it worse."""
    cases = [report(score) for score in scores]
    decision = decide_suite(RULES, Totals(cases=len(cases)), cases)
    summary = decision.summary
    assert summary["wins"] + summary["ties"] + summary["losses"] == len(scores)
    low, high = summary["interval"]
    assert 0 <= low <= summary["win_rate"] + 1e-9
    assert summary["win_rate"] - 1e-9 <= high <= 100
    more = decide_suite(RULES, Totals(cases=len(cases) + 1), [*cases, report(100)])
    assert more.summary["win_rate"] >= summary["win_rate"]
    assert (decision.verdict, more.verdict) != (P, F)
