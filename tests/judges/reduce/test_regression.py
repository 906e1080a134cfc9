"""Every rule that decides whether an output became worse, and whether a suite did."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.core.case import Case, Category
from judges.core.question import Answer, Unanswered
from judges.core.report import CaseReport, Totals
from judges.core.row import Row
from judges.core.verdict import Verdict
from judges.files.prompt_meta import JudgedCheck, Thresholds
from judges.files.suite import Criterion
from judges.reduce.decision import Decision, Rules
from judges.reduce.facts import Facts
from judges.reduce.regression import decide_case, decide_suite

P, F, E, S, I = Verdict.PASS, Verdict.FAIL, Verdict.ERROR, Verdict.SKIP, Verdict.INCONCLUSIVE  # noqa: E741

CHECK = JudgedCheck(name="made_up", type="llm_judge", prompt="Made up?", pass_condition="NO")
TONE = Criterion(name="tone", weight=Decimal(1), instructions="", levels=("",) * 5, rubric_sha256="")
RULES = Rules(
    criteria=(TONE,),
    checks=(CHECK,),
    thresholds=Thresholds(),
    max_drop=Fraction(25),
    baseline="20261130T120000Z-0a1b",
)


def case(category: Category = Category.ELEMENT) -> Case:
    return Case(ref="a", title="A", category=category, input={})


def said(tone: int | None = 3, *, made_up: bool = False, declines: bool | None = False) -> dict[str, Any]:
    return {
        "checks.made_up": Answer(value=made_up),
        "criteria.tone": Unanswered("no reply") if tone is None else Answer(value=tone),
        "declines": Unanswered("no reply") if declines is None else Answer(value=declines),
    }


def checked(verdict: Verdict = P) -> tuple[Row, ...]:
    return (Row(id="checks.filled", kind="checks", verdict=verdict),)


def absent(reason: str) -> tuple[Row, ...]:
    return (Row(id="output", kind="output", verdict=E, error=reason),)


def decide(
    now: dict[str, Any] | None,
    before: dict[str, Any] | None,
    *,
    rules: Rules = RULES,
    about: Case | None = None,
    now_checked: tuple[Row, ...] | None = None,
    before_checked: tuple[Row, ...] | None = None,
) -> Decision:
    facts = Facts(
        checked={None: now_checked or checked(), "baseline": before_checked or checked()},
        answers={arm: each for arm, each in ((None, now), ("baseline", before)) if each is not None},
    )
    return decide_case(rules, about or case(), facts)


def total(decision: Decision) -> Row:
    return next(row for row in decision.rows if row.id == "score")


@pytest.mark.parametrize(
    ("now", "before", "verdict", "difference", "found"),
    [
        (3, 3, P, 0, "Scored 50, as the baseline"),
        (4, 3, P, 25, "Scored 75, 25 above the baseline's 50"),
        (2, 3, P, -25, "Scored 25, 25 below the baseline's 50 (most: 25)"),
        (1, 3, F, -50, "Scored 0, 50 below the baseline's 50 (most: 25)"),
    ],
)
def test_more_than_the_allowed_drop_fails(
    now: int, before: int, verdict: Verdict, difference: float, found: str
) -> None:
    """The allowed drop itself passes."""
    decision = decide(said(now), said(before))
    row = total(decision)
    assert (decision.verdict, row.verdict, row.actual_excerpt) == (verdict, verdict, found)
    assert (row.extra, row.spec["max_drop"]) == ({"difference": difference}, 25)


def test_rounding_never_moves_a_case_across_the_allowed_drop() -> None:
    """A drop of a hair more than is allowed is shown as more."""
    decision = decide(said(2), said(3), rules=replace(RULES, max_drop=Fraction(2499, 100)))
    assert decision.verdict is F
    assert total(decision).actual_excerpt == "Scored 25, 25 below the baseline's 50 (most: 24.99)"


@pytest.mark.parametrize(
    ("reason", "before"), [("there is no baseline yet", None), ("it is not in the baseline", None)]
)
def test_without_an_accepted_output_nothing_is_compared(reason: str, before: None) -> None:
    """The score is there, the verdict is SKIP with the reason."""
    decision = decide(said(3), before, before_checked=absent(reason))
    assert (decision.verdict, decision.score) == (S, 50)
    assert total(decision).error == f"not compared: {reason}"


def test_a_new_case_that_fails_a_check_fails() -> None:
    """A check needs no baseline."""
    decision = decide(None, None, now_checked=checked(F), before_checked=absent("it is not in the baseline"))
    assert (decision.verdict, total(decision).verdict) == (F, S)


@pytest.mark.parametrize(
    ("now", "before", "now_checked", "before_checked", "total_verdict", "words"),
    [
        (None, None, F, P, F, "dropped: checks.filled failed, and did not for the baseline"),
        (None, None, F, F, S, "not compared: checks.filled failed for the baseline, too"),
        (said(3), None, P, F, P, "Scored 50; checks.filled failed for the baseline"),
        (said(3, made_up=True), said(3), P, P, F, "dropped: checks.made_up failed, and did not"),
        (said(3, made_up=True), said(3, made_up=True), P, P, P, "Scored 50, as the baseline"),
    ],
)
def test_a_check_that_newly_fails_is_a_drop(
    now: Any, before: Any, now_checked: Verdict, before_checked: Verdict, total_verdict: Verdict, words: str
) -> None:
    """What failed before is no regression; what failed and does not any more is none either."""
    decision = decide(now, before, now_checked=checked(now_checked), before_checked=checked(before_checked))
    row = total(decision)
    assert row.verdict is total_verdict
    assert str(row.error or row.actual_excerpt).startswith(words)


@pytest.mark.parametrize(("now", "before"), [(None, 3), (3, None), (None, None)])
def test_what_was_not_judged_is_no_drop(now: int | None, before: int | None) -> None:
    """An unanswered question, about either output, is an error."""
    decision = decide(said(now), said(before))
    assert (decision.verdict, total(decision).verdict) == (E, E)
    assert "difference" not in total(decision).extra


def test_an_output_that_could_not_be_produced_is_no_drop() -> None:
    """It is an error, and the reason stands in its row."""
    decision = decide(None, None, now_checked=absent("timed out"))
    assert (decision.verdict, total(decision).verdict) == (E, S)
    assert decision.rows[0].error == "timed out"


@pytest.mark.parametrize(
    ("now", "before", "verdict", "score"),
    [
        (True, True, P, 100),
        (False, True, F, 0),
        (True, False, P, 100),
        (False, False, P, 0),
        (None, True, E, None),
    ],
)
def test_a_zero_condition_case_scores_by_declining(
    now: bool | None, before: bool, verdict: Verdict, score: int | None
) -> None:
    """Criteria are not asked; an output that no longer declines is a drop."""
    about = case(Category.ZERO_CONDITION)
    decision = decide(said(declines=now), said(declines=before), about=about)
    assert (decision.verdict, decision.score) == (verdict, score)
    (criterion,) = (row for row in decision.rows if row.id == "criteria.tone")
    assert criterion.verdict is S


def test_a_smoke_judge_decides_nothing() -> None:
    """Its levels are shown."""
    decision = decide(said(1), said(5), rules=replace(RULES, smoke=True))
    assert (decision.verdict, total(decision).error) == (E, "unjudged (smoke judge)")


def report(ref: str, difference: float | None, verdict: Verdict = P) -> CaseReport:
    extra = {} if difference is None else {"difference": difference}
    row = Row(id="score", kind="score", verdict=verdict, extra=extra)
    return CaseReport(ref=ref, title=ref, category=None, verdict=verdict, rows=(row,))


def reports(*differences: float) -> list[CaseReport]:
    return [report(str(index), each) for index, each in enumerate(differences)]


@pytest.mark.parametrize(
    ("margin", "cases", "verdict"),
    [
        pytest.param(None, reports(0, 0, 0), P, id="nothing changed"),
        pytest.param(None, reports(-5, 5, 0), P, id="the interval holds 0"),
        pytest.param(None, reports(-5, -6, -7), F, id="the interval lies below 0"),
        pytest.param(None, reports(-5, -5, -5), F, id="equal losses"),
        pytest.param(None, reports(-5), P, id="one case is no interval"),
        pytest.param(None, [report("a", -30, F), report("b", 30)], F, id="a drop"),
        pytest.param(None, [report("a", None, F), report("b", 30)], F, id="a check that newly fails"),
        pytest.param(None, [report("a", None, S)], S, id="nothing compared"),
        pytest.param("5", reports(-1, 1, 0), P, id="above the margin"),
        pytest.param("5", reports(-4, -4, -4), P, id="a certain loss within the margin"),
        pytest.param("5", reports(-8, -9, -7), F, id="below the margin"),
        pytest.param("5", reports(-9, 2, 1), I, id="the interval spans the margin"),
        pytest.param("5", reports(0), I, id="one case says too little"),
        pytest.param("5", [report("a", -30, F), report("b", 30)], F, id="a drop in spite of a margin"),
    ],
)
def test_drops_and_the_mean_decide(margin: str | None, cases: list[CaseReport], verdict: Verdict) -> None:
    """A single drop fails; else the interval of the mean decides."""
    rules = replace(RULES, margin=None if margin is None else Decimal(margin))
    skipped = sum(case.verdict is S for case in cases)
    decision = decide_suite(rules, Totals(cases=len(cases), skipped=skipped), cases)
    assert decision.verdict is verdict


def test_an_error_is_never_outvoted() -> None:
    """A suite with a case that was not measured is ERROR, also beside a drop."""
    cases = [report("a", None, E), report("b", -60, F)]
    assert decide_suite(RULES, Totals(cases=2, errored=1, failed=1), cases).verdict is E


def test_several_models_of_a_case_are_one_case() -> None:
    """The unit is the case: its models are averaged first."""
    cases = [report("a", -4), report("a", 0), report("b", -2)]
    summary = decide_suite(RULES, Totals(cases=3), cases).summary
    assert (summary["compared"], summary["mean_difference"]) == (2, -2)
    assert summary["interval"] == [-2, -2]


def test_without_a_baseline_there_are_no_figures() -> None:
    """The suite is SKIP, and says that there is none."""
    decision = decide_suite(replace(RULES, baseline=None), Totals(cases=1, skipped=1), [report("a", None, S)])
    assert (decision.verdict, decision.summary) == (S, {"baseline": None})


@given(st.lists(st.floats(-25, 100), min_size=2, max_size=30), st.floats(0, 20))
def test_what_is_better_by_the_same_everywhere_never_fails_more(
    differences: list[float], gain: float
) -> None:
    """The verdict is monotonic, and the mean lies within its interval."""
    totals = Totals(cases=len(differences))
    before = decide_suite(RULES, totals, reports(*differences))
    after = decide_suite(RULES, totals, reports(*(each + gain for each in differences)))
    assert (before.verdict, after.verdict) != (P, F)
    low, high = before.summary["interval"]
    assert low - 1e-6 <= before.summary["mean_difference"] <= high + 1e-6
