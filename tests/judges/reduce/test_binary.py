"""Every rule that decides a binary case and a binary suite."""

from dataclasses import replace
from decimal import Decimal

import pytest
from corrected import correction
from hypothesis import given
from hypothesis import strategies as st

from judges.core.case import Case, Category
from judges.core.question import Answer, Unanswered
from judges.core.rating import RaterKind
from judges.core.report import Totals
from judges.core.row import Row
from judges.core.verdict import Verdict
from judges.files.prompt_meta import JudgedCheck, Severity, Thresholds
from judges.files.suite import Criterion
from judges.reduce.binary import decide_case, decide_suite
from judges.reduce.decision import Decision, Rules
from judges.reduce.facts import Facts
from judges.reduce.overrides import Corrections

P, W, F, E, S = Verdict.PASS, Verdict.WARN, Verdict.FAIL, Verdict.ERROR, Verdict.SKIP


def criterion(name: str) -> Criterion:
    return Criterion(
        name=name, weight=Decimal(1), instructions="", levels=(), rubric_sha256=f"rubric of {name}"
    )


CHECK = JudgedCheck(name="made_up", type="llm_judge", prompt="?", pass_condition="NO", severity=Severity.WARN)
RULES = Rules(
    criteria=(criterion("tone"), criterion("safety")),
    checks=(CHECK,),
    thresholds=Thresholds.model_validate({"pass": 75}),
)
CHECKED = (Row(id="checks.filled", kind="checks", verdict=P),)


def case(category: Category = Category.ELEMENT) -> Case:
    return Case(ref="a", title="A", category=category, input={}, expected_behavior="Greets.")


def said(**answers: bool | None) -> dict[str, Answer | Unanswered]:
    """Answers by the last part of the question's name; None is no answer."""
    names = {"made_up": "checks.made_up", "tone": "criteria.tone", "safety": "criteria.safety"}
    return {
        names.get(name, name): Unanswered("no reply")
        if value is None
        else Answer(value=value, reasoning=f"of {name}")
        for name, value in {"made_up": False, **answers}.items()
    }


def decide(
    answers: dict[str, Answer | Unanswered] | None,
    *,
    rules: Rules = RULES,
    about: Case | None = None,
    checked: tuple[Row, ...] = CHECKED,
    corrections: Corrections | None = None,
) -> Decision:
    facts = Facts(
        checked={None: checked},
        answers={} if answers is None else {None: answers},
        corrections={None: corrections} if corrections else {},
    )
    return decide_case(rules, about or case(), facts)


def rows(decision: Decision) -> dict[str, Verdict]:
    return {row.id: row.verdict for row in decision.rows}


def row(decision: Decision, row_id: str) -> Row:
    return next(row for row in decision.rows if row.id == row_id)


@pytest.mark.parametrize(
    ("answers", "verdict", "score", "found"),
    [
        (said(tone=True, safety=True), P, 100, "all 2 criteria hold"),
        (said(tone=True, safety=False), F, 0, "1 of 2 criteria do not hold: safety"),
        (said(tone=False, safety=False), F, 0, "2 of 2 criteria do not hold: tone, safety"),
        (said(tone=True, safety=True, made_up=True), W, 100, "all 2 criteria hold"),
        (said(tone=False, safety=True, made_up=True), F, 0, "1 of 2 criteria do not hold: tone"),
    ],
)
def test_all_criteria_must_hold(
    answers: dict[str, Answer | Unanswered], verdict: Verdict, score: int, found: str
) -> None:
    """One that does not hold fails the case; a check only lowers the verdict."""
    decision = decide(answers)
    assert (decision.verdict, decision.score, decision.judged_score) == (verdict, score, score)
    assert row(decision, "score").actual_excerpt == found


def test_a_criterion_says_why_it_does_not_hold() -> None:
    """The judge's reasoning stands in the row, and the percent is all or nothing."""
    decision = decide(said(tone=True, safety=False))
    assert row(decision, "criteria.safety").actual_excerpt == "safety does not hold: of safety"
    assert {name: result.percent for name, result in decision.criteria.items()} == {"tone": 100, "safety": 0}
    assert [result.level for result in decision.criteria.values()] == [None, None]


def test_an_unanswered_question_is_neither_yes_nor_no() -> None:
    """Not even where another criterion has failed already."""
    decision = decide(said(tone=None, safety=False))
    assert (decision.verdict, decision.score) == (E, None)
    assert rows(decision) == {
        "checks.filled": P,
        "checks.made_up": P,
        "criteria.tone": E,
        "criteria.safety": F,
        "score": E,
    }


@pytest.mark.parametrize(("declines", "verdict"), [(True, P), (False, F), (None, E)])
def test_a_zero_condition_case_is_decided_by_declining(declines: bool | None, verdict: Verdict) -> None:
    """Criteria are not asked of an output that should decline, and that is said."""
    decision = decide(said(declines=declines), about=case(Category.ZERO_CONDITION))
    assert decision.verdict is verdict
    assert rows(decision)["criteria.tone"] is S
    assert "decided by whether the output declines" in str(row(decision, "criteria.tone").error)
    assert row(decision, "declines").verdict is verdict


@pytest.mark.parametrize("category", Category)
@pytest.mark.parametrize(("does", "verdict"), [(True, P), (False, F)])
def test_without_criteria_the_expected_behavior_decides(
    category: Category, does: bool, verdict: Verdict
) -> None:
    """For every category; what the author expects says what declining means."""
    decision = decide(said(expected_behavior=does), rules=replace(RULES, criteria=()), about=case(category))
    assert decision.verdict is verdict
    assert list(rows(decision)) == ["checks.filled", "checks.made_up", "expected_behavior", "score"]


@pytest.mark.parametrize(
    ("checked", "reason"),
    [
        (
            Row(id="checks.filled", kind="checks", verdict=F),
            "the judge was not asked, since checks.filled did",
        ),
        (Row(id="output", kind="output", verdict=E, error="x"), "there is no output to judge"),
        (Row(id="judge", kind="judge", verdict=E, error="x"), "the judge cannot be relied on"),
    ],
)
def test_what_was_not_asked_is_skipped_with_the_reason(checked: Row, reason: str) -> None:
    """The verdict is that of what kept the judge from being asked; no row is absent."""
    decision = decide(None, checked=(checked,))
    assert decision.verdict is checked.verdict
    assert list(rows(decision))[1:] == ["checks.made_up", "criteria.tone", "criteria.safety", "score"]
    assert all(str(row.error).startswith(reason) for row in decision.rows[1:])


def test_a_corrected_criterion_counts_as_it_was_set() -> None:
    """50 or more is yes; it settles also what the judge did not answer."""
    corrections = Corrections(criteria={"safety": correction(80, "safety")})
    decision = decide(said(tone=True, safety=None), corrections=corrections)
    assert (decision.verdict, decision.score, decision.judged_score) == (P, 100, None)
    assert decide(said(tone=True, safety=False), corrections=corrections).override == {
        "criteria": {
            "safety": {
                "score": 80.0,
                "judged_score": 0.0,
                "author": "jane@example.com",
                "rater_kind": "person",
                "timestamp": "2026-02-18T00:00:00+00:00",
                "reason": "Read it again",
                "expires": None,
            }
        }
    }


@pytest.mark.parametrize(("kind", "by"), [(RaterKind.PERSON, "a person"), (RaterKind.MODEL, "a model")])
def test_a_corrected_total_says_who_set_it(kind: RaterKind, by: str) -> None:
    """What a model set is not passed off as a person's."""
    corrections = Corrections(total=replace(correction(80), rater_kind=kind))
    found = row(decide(said(tone=False, safety=False), corrections=corrections), "score").actual_excerpt
    assert found == f"holds, as {by} set it (80 of 100)"


@pytest.mark.parametrize(("score", "verdict"), [(50, P), (49, F)])
def test_a_corrected_total_stands_alone(score: int, verdict: Verdict) -> None:
    """It sets aside what the judge said, but no deterministic check."""
    corrections = Corrections(total=correction(score))
    decision = decide(said(tone=None, safety=False), corrections=corrections)
    assert (decision.verdict, decision.score) == (verdict, score)
    failed = (Row(id="checks.filled", kind="checks", verdict=F),)
    assert decide(said(tone=True, safety=True), checked=failed, corrections=corrections).verdict is F


def test_a_smoke_judge_decides_nothing() -> None:
    """What it says is shown; the case ends as ERROR."""
    decision = decide(said(tone=True, safety=True), rules=replace(RULES, smoke=True))
    assert (decision.verdict, decision.score) == (E, None)
    assert row(decision, "criteria.tone").actual_excerpt == "tone holds"
    assert row(decision, "score").error == "unjudged (smoke judge)"


@given(st.lists(st.booleans(), min_size=2, max_size=2), st.integers(0, 1))
def test_a_yes_more_never_makes_it_worse(answers: list[bool], index: int) -> None:
    """The verdict is monotonic in every answer."""
    better = [*answers]
    better[index] = True
    names = ("tone", "safety")
    before = decide(said(**dict(zip(names, answers, strict=True))))
    after = decide(said(**dict(zip(names, better, strict=True))))
    assert (after.score or 0) >= (before.score or 0)


@pytest.mark.parametrize(
    ("counts", "verdict", "rate"),
    [
        ({"passed": 3, "failed": 1}, P, 75.0),
        ({"passed": 2, "failed": 1}, F, pytest.approx(66.667, abs=0.001)),
        ({"passed": 2, "warned": 1, "failed": 1}, W, 50.0),
        ({"passed": 3, "failed": 1, "skipped": 5}, P, 75.0),
        ({"passed": 9, "errored": 1}, E, 100.0),
        ({"skipped": 2}, S, None),
        ({}, S, None),
    ],
)
def test_the_share_of_passes_decides(counts: dict[str, int], verdict: Verdict, rate: float | None) -> None:
    """Warnings count where they are needed, and then the suite is WARN; errors are never outvoted."""
    decision = decide_suite(RULES, Totals(cases=sum(counts.values()), **counts))
    assert (decision.verdict, decision.summary["pass_rate"]) == (verdict, rate)


@given(st.integers(0, 50), st.integers(0, 50), st.integers(0, 50))
def test_the_interval_holds_the_rate(passed: int, warned: int, failed: int) -> None:
    """The rate lies within its interval, and one pass more never makes the verdict worse."""
    totals = Totals(cases=passed + warned + failed, passed=passed, warned=warned, failed=failed)
    decision = decide_suite(RULES, totals)
    if totals.cases:
        low, high = decision.summary["interval"]
        assert 0 <= low <= decision.summary["pass_rate"] + 1e-9
        assert decision.summary["pass_rate"] - 1e-9 <= high <= 100
    more = decide_suite(RULES, totals + Totals(cases=1, passed=1))
    assert [F, W, S, P].index(more.verdict) >= [F, W, S, P].index(decision.verdict)
