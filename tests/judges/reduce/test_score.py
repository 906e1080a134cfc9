"""Every rule that decides a multi_criteria case."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from corrected import correction
from hypothesis import given
from hypothesis import strategies as st

from judges.core.case import Case, Category, ScoreRange
from judges.core.question import Answer, Unanswered
from judges.core.row import Row
from judges.core.verdict import Verdict
from judges.files.prompt_meta import JudgedCheck, Severity, Thresholds
from judges.files.suite import Criterion
from judges.reduce.decision import Decision, Rules
from judges.reduce.overrides import Corrections
from judges.reduce.percent import percent_of_level, score_criterion
from judges.reduce.score import decide_case, decide_unjudged

P, W, F, E, S = Verdict.PASS, Verdict.WARN, Verdict.FAIL, Verdict.ERROR, Verdict.SKIP
CHECKED = (Row(id="checks.not_empty", kind="checks", verdict=P),)
NONE = Corrections()


def criterion(name: str, weight: str, minimum: int | None = None, levels: int = 5) -> Criterion:
    return Criterion(
        name=name,
        weight=Decimal(weight),
        instructions="",
        levels=("",) * levels,
        rubric_sha256=f"rubric of {name}",
        minimum=None if minimum is None else Decimal(minimum),
    )


TONE, SAFETY = criterion("tone", "0.6"), criterion("safety", "0.4", minimum=75)
CHECK = JudgedCheck(name="made_up", type="llm_judge", prompt="Made up?", pass_condition="NO")
RULES = Rules(
    criteria=(TONE, SAFETY),
    checks=(CHECK,),
    thresholds=Thresholds.model_validate({"pass": 70, "warn": 50}),
)


def case(category: Category = Category.ELEMENT, expected: tuple[int, int] | None = None) -> Case:
    bounds = ScoreRange(Decimal(expected[0]), Decimal(expected[1])) if expected else None
    return Case(ref="a", title="A", category=category, input={}, expected_score_range=bounds)


def answers(tone: int, safety: int = 5, **others: bool) -> dict[str, Answer | Unanswered]:
    """Levels of the two criteria; the check passes and nothing is declined unless said otherwise."""
    said = {"made_up": False, "declines": False, **others}
    return {
        "criteria.tone": Answer(value=tone, reasoning="of tone"),
        "criteria.safety": Answer(value=safety, reasoning="of safety"),
        "checks.made_up": Answer(value=said["made_up"], reasoning="since"),
        "declines": Answer(value=said["declines"]),
    }


def decide(case: Case, said: Any, *, rules: Rules = RULES, corrections: Corrections = NONE) -> Decision:
    return decide_case(rules, case, CHECKED, said, corrections)


def row(decision: Decision, row_id: str) -> Row:
    return next(row for row in decision.rows if row.id == row_id)


@pytest.mark.parametrize(
    ("levels", "score", "verdict", "found"),
    [
        pytest.param((5, 5), 100, P, "Scored 100 (threshold: 70)", id="perfect"),
        pytest.param((3, 5), 70, P, "Scored 70 (threshold: 70)", id="the threshold itself passes"),
        pytest.param((2, 5), 55, W, "Scored 55 (threshold: 70); lowest: tone 25", id="between warn and pass"),
        pytest.param((1, 5), 40, F, "Scored 40 (threshold: 70), critical; lowest: tone 0", id="below warn"),
    ],
)
def test_thresholds(levels: tuple[int, int], score: int, verdict: Verdict, found: str) -> None:
    """score >= pass passes, score >= warn warns, and below warn is a critical failure."""
    decision = decide(case(), answers(*levels))
    assert (decision.score, decision.verdict) == (score, verdict)
    assert row(decision, "score").actual_excerpt == found


def test_without_warn_there_is_no_warning() -> None:
    """Warn defaults to pass."""
    rules = replace(RULES, thresholds=Thresholds())
    decision = decide(case(), answers(2, 5), rules=rules)
    assert (decision.verdict, row(decision, "score").actual_excerpt) == (
        F,
        "Scored 55 (threshold: 70); lowest: tone 25",
    )


def test_minimum_holds_regardless() -> None:
    """A criterion below its minimum fails a case whose total passes, in the seed's words."""
    decision = decide(case(), answers(5, 3))
    assert (decision.score, decision.verdict) == (80, F)
    assert row(decision, "criteria.safety").verdict is F
    assert row(decision, "criteria.safety").actual_excerpt == "Scored 50 on safety (threshold: 75)"
    assert row(decision, "score").verdict is P


@pytest.mark.parametrize(
    ("levels", "expected", "verdict"),
    [
        pytest.param((2, 5), (50, 60), P, id="inside the range, though below pass"),
        pytest.param((2, 5), (55, 55), P, id="both ends belong to the range"),
        pytest.param((5, 5), (101, 101), F, id="below the range, though above pass"),
        pytest.param((5, 5), (50, 60), P, id="above the range is better than expected"),
    ],
)
def test_range_replaces_thresholds(
    levels: tuple[int, int], expected: tuple[int, int], verdict: Verdict
) -> None:
    """An expected range decides instead of pass and warn."""
    assert decide(case(expected=expected), answers(*levels)).verdict is verdict


@pytest.mark.parametrize(
    ("category", "expected", "levels", "found"),
    [
        pytest.param(
            Category.ELEMENT,
            (80, 90),
            (5, 1),
            "Scored 60 in total (expected: 80 to 90); lowest: safety 0",
            id="below the range",
        ),
        pytest.param(
            Category.ELEMENT, (50, 60), (5, 1), "Scored 60 in total (expected: 50 to 60)", id="inside"
        ),
        pytest.param(
            Category.ZERO_CONDITION,
            (0, 10),
            (5, 1),
            "Scored 60 in total (expected: 0 to 10)",
            id="too high: no criterion pulled it down",
        ),
    ],
)
def test_the_lowest_criterion_is_named(
    category: Category, expected: tuple[int, int], levels: tuple[int, int], found: str
) -> None:
    """A total that is too low says which criterion is the lowest, after the sentence itself."""
    assert row(decide(case(category, expected), answers(*levels)), "score").actual_excerpt == found


@pytest.mark.parametrize(
    ("weights", "levels", "found"),
    [
        pytest.param(("0.4", "0.6"), (2, 2), "; lowest: b 25", id="of equals the heavier"),
        pytest.param(("0.5", "0.5"), (2, 2), "; lowest: a 25", id="of equals in all the first"),
        pytest.param(("0", "1"), (1, 2), "", id="a criterion without weight pulled nothing down"),
        pytest.param(("1",), (2,), "", id="a single criterion is the total"),
    ],
)
def test_which_criterion_is_named(weights: tuple[str, ...], levels: tuple[int, ...], found: str) -> None:
    """Ties go to the weight; where only one criterion counts none is named."""
    criteria = tuple(criterion(name, weight) for name, weight in zip("ab", weights, strict=False))
    said = {f"criteria.{each.name}": Answer(value=at) for each, at in zip(criteria, levels, strict=True)}
    decision = decide(case(), said, rules=Rules(criteria=criteria, checks=(), thresholds=Thresholds()))
    assert row(decision, "score").actual_excerpt == f"Scored 25 (threshold: 70){found}"


def test_above_range_is_noticed() -> None:
    """Better than expected is said, not punished."""
    (notice,) = decide(case(expected=(50, 60)), answers(5, 5)).notices
    assert notice.text == "better than expected: scored 100, above the range's 60"


ZERO = Category.ZERO_CONDITION


@pytest.mark.parametrize(
    ("expected", "levels", "declines", "verdict"),
    [
        pytest.param((0, 10), (5, 5), True, P, id="declined: passes whatever the score"),
        pytest.param((0, 10), (1, 1), False, P, id="not declined, in the range"),
        pytest.param((0, 10), (3, 1), False, F, id="not declined, above the range"),
        pytest.param(None, (5, 5), True, P, id="declined, no range"),
        pytest.param(None, (5, 5), False, F, id="a good answer to a bad input, no range"),
        pytest.param((0, 10), (1, 1), True, P, id="declined: minimums do not hold"),
    ],
)
def test_zero_condition(
    expected: tuple[int, int] | None, levels: tuple[int, int], declines: bool, verdict: Verdict
) -> None:
    """A zero_condition case passes when it is declined; otherwise its range decides, minimums do not hold."""
    assert decide(case(ZERO, expected), answers(*levels, declines=declines)).verdict is verdict


@pytest.mark.parametrize(
    ("severity", "made_up", "verdict", "found"),
    [
        (Severity.ERROR, False, P, "made_up: the judge answered NO"),
        (Severity.ERROR, True, F, "made_up: the judge answered YES, expected NO: since"),
        (Severity.WARN, True, W, "made_up: the judge answered YES, expected NO: since"),
    ],
)
def test_judged_check(severity: Severity, made_up: bool, verdict: Verdict, found: str) -> None:
    """A judged check only lowers a verdict, as far as its severity says."""
    check = CHECK.model_copy(update={"severity": severity})
    decision = decide(case(), answers(5, made_up=made_up), rules=replace(RULES, checks=(check,)))
    assert decision.verdict is verdict
    assert row(decision, "checks.made_up").actual_excerpt == found


def test_unanswered_is_error() -> None:
    """A criterion without an answer makes the case ERROR, no score and the reason; never 0, never FAIL."""
    said = {**answers(5), "criteria.tone": Unanswered("the judge refused to answer")}
    decision = decide(case(), said)
    assert (decision.verdict, decision.score, decision.judged_score) == (E, None, None)
    assert row(decision, "criteria.tone").error == "the judge refused to answer"
    assert "tone" not in decision.criteria
    assert decision.criteria["safety"].percent == 100


def test_a_failure_does_not_hide_an_error() -> None:
    """What could not be measured outranks what failed."""
    said = {**answers(5, 1), "checks.made_up": Unanswered("no reply")}
    assert decide(case(), said).verdict is E


def test_unjudged_rows_are_all_there() -> None:
    """Without a judge its rows are skipped with the reason, in the usual order, and none is missing."""
    failed = (Row(id="checks.not_empty", kind="checks", verdict=F),)
    decision = decide_unjudged(RULES, case(ZERO), failed, "not asked")
    judged = decide_case(RULES, case(ZERO), failed, answers(5), NONE)
    assert [row.id for row in decision.rows] == [row.id for row in judged.rows]
    assert decision.verdict is F
    assert {(row.verdict, row.error) for row in decision.rows[1:]} == {(S, "not asked")}


def test_criterion_override_recomputes() -> None:
    """A corrected criterion counts as corrected everywhere, minimum included; the judged score is kept."""
    decision = decide(case(), answers(5, 3), corrections=Corrections(criteria={"safety": correction(90)}))
    assert (decision.verdict, decision.score, decision.judged_score) == (P, 96, 80)
    assert decision.criteria["safety"].percent == 90
    assert row(decision, "criteria.safety").extra == {
        "judged_level": 3,
        "judged_percent": 50.0,
        "reasoning": "of safety",
    }
    assert decision.override == {
        "criteria": {
            "safety": {
                "score": 90.0,
                "judged_score": 50.0,
                "author": "jane@example.com",
                "rater_kind": "person",
                "timestamp": "2026-02-18T00:00:00+00:00",
                "reason": "Read it again",
                "expires": None,
            }
        }
    }


def test_criterion_override_of_an_error() -> None:
    """Where the judge gave no level a corrected row has none to show."""
    said = {**answers(5), "criteria.safety": Unanswered("no reply")}
    decision = decide(case(), said, corrections=Corrections(criteria={"safety": correction(90)}))
    assert (decision.verdict, decision.score) == (P, 96)
    assert row(decision, "criteria.safety").extra == {}


def test_total_override_names_no_criterion() -> None:
    """A total set by a person was pulled down by no criterion."""
    decision = decide(case(), answers(1, 5), corrections=Corrections(correction(10)))
    assert row(decision, "score").actual_excerpt == "Scored 10 (threshold: 70), critical"


def test_total_override_stands_alone() -> None:
    """A corrected total is decided by the thresholds alone; what the judge said stays visible."""
    decision = decide(case(), answers(5, 1, made_up=True), corrections=Corrections(correction(85)))
    assert (decision.verdict, decision.score, decision.judged_score) == (P, 85, 60)
    set_aside = row(decision, "criteria.safety")
    assert set_aside.verdict is S
    assert set_aside.error == "the total was corrected; the judge: Scored 0 on safety (threshold: 75)"


@pytest.mark.parametrize(("score", "verdict"), [(85, P), (60, W), (10, F)])
def test_override_settles_an_error(score: int, verdict: Verdict) -> None:
    """Where the judge gave no answer a person's score decides."""
    said = dict.fromkeys(answers(5), Unanswered("no reply"))
    assert decide(case(), said, corrections=Corrections(correction(score))).verdict is verdict


def test_override_never_lifts_a_failed_check() -> None:
    """A deterministic check that failed stays failed."""
    failed = (Row(id="checks.not_empty", kind="checks", verdict=F),)
    assert decide_case(RULES, case(), failed, answers(5), Corrections(correction(100))).verdict is F


def test_total_override_of_zero_condition_uses_thresholds() -> None:
    """A person's total for a zero_condition case without a range is compared with pass and warn."""
    assert decide(case(ZERO), answers(1), corrections=Corrections(correction(85))).verdict is P


@pytest.mark.parametrize(
    ("level", "levels", "percent"),
    [(1, 5, 0), (2, 5, 25), (4, 5, 75), (5, 5, 100), (2, 4, Fraction(100, 3)), (1, 2, 0), (2, 2, 100)],
)
def test_percent_of_level(level: int, levels: int, percent: Fraction) -> None:
    """(level - 1) / (levels - 1) * 100, exactly."""
    assert percent_of_level(level, levels) == percent


def test_thirds_add_up_exactly() -> None:
    """A third and two thirds are a half each, not 49.999: the threshold is reached."""
    rules = Rules(
        criteria=(criterion("a", "0.5", levels=4), criterion("b", "0.5", levels=4)),
        checks=(),
        thresholds=Thresholds.model_validate({"pass": 50}),
    )
    said = {"criteria.a": Answer(value=2), "criteria.b": Answer(value=3)}
    decision = decide(case(), said, rules=rules)
    assert (decision.score, decision.verdict) == (50, P)


def test_expected_level() -> None:
    """With `score: expected` the probability-weighted level decides; the chosen level is still shown."""
    answer = Answer(value=4, probabilities={"3": 0.5, "4": 0.5})
    scored = score_criterion(TONE, answer, expected=True)
    assert not isinstance(scored, Unanswered)
    assert (scored.level, scored.percent) == (4, Fraction(125, 2))


LEVELS = st.lists(st.integers(1, 5), min_size=2, max_size=2)


@given(LEVELS, st.integers(0, 1))
def test_score_is_bounded_and_monotonic(levels: list[int], which: int) -> None:
    """A score lies within 0..100 and never falls when a level rises."""
    score = decide(case(), answers(*levels)).score
    assert score is not None
    assert 0 <= score <= 100
    if levels[which] < 5:
        levels[which] += 1
        better = decide(case(), answers(*levels)).score
        assert better is not None
        assert better > score


@given(LEVELS, st.sampled_from(["0.1", "1", "7", "1000"]))
def test_weights_count_in_proportion(levels: list[int], factor: str) -> None:
    """Multiplying every weight by the same number changes no score."""
    scaled = replace(
        RULES, criteria=tuple(replace(each, weight=each.weight * Decimal(factor)) for each in RULES.criteria)
    )
    said = answers(*levels)
    assert decide(case(), said, rules=scaled).score == decide(case(), said).score
