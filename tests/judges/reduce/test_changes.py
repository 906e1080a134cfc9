"""What changed between two runs: pairs, shifts and flips."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.core.report import CaseReport, CriterionResult
from judges.core.verdict import Verdict
from judges.reduce.changes import compare_cases, encode_changes

P, W, F, E, S = Verdict.PASS, Verdict.WARN, Verdict.FAIL, Verdict.ERROR, Verdict.SKIP


def case(
    ref: str, score: float | None, verdict: Verdict = P, *, model: str | None = None, tone: int | None = None
) -> CaseReport:
    criteria = {} if tone is None else {"tone": CriterionResult(level=None, percent=Decimal(tone))}
    return CaseReport(
        ref=ref,
        title=ref,
        category=None,
        verdict=verdict,
        rows=(),
        model=model,
        score=None if score is None else Decimal(str(score)),
        criteria=criteria,
    )


def test_scores_are_paired_by_case() -> None:
    """The order of a run does not matter, and each criterion is compared by itself."""
    changes = compare_cases(
        [case("a", 50, tone=25), case("b", 70, tone=50), case("c", 90)],
        [case("b", 60, tone=75), case("a", 80, tone=50), case("c", 90)],
    )
    total, tone = changes.shifts["score"], changes.shifts["criteria.tone"]
    assert (total.cases, total.wins, total.losses, total.ties) == (3, 1, 1, 1)
    assert total.mean == pytest.approx(20 / 3)
    assert total.interval == pytest.approx((-45.04, 58.38), abs=0.01)
    assert (tone.cases, tone.mean, tone.interval, tone.wins) == (2, 25, None, 2)


def test_an_interval_ends_at_what_a_difference_can_be() -> None:
    """Two cases tell little, but no mean moves by 316 points of 100."""
    changes = compare_cases([case("a", 100), case("b", 100)], [case("a", 92.5), case("b", 47.5)])
    assert (changes.shifts["score"].mean, changes.shifts["score"].interval) == (-30, (-100, 100))


@pytest.mark.parametrize(
    ("before", "after", "flipped"),
    [(P, F, True), (F, P, True), (W, P, True), (E, F, True), (P, P, False), (S, P, False), (P, S, False)],
)
def test_verdicts_that_are_others(before: Verdict, after: Verdict, flipped: bool) -> None:
    """What was not decided in one of the runs is no flip."""
    changes = compare_cases([case("a", 1, before)], [case("a", 1, after)])
    assert [change.ref for change in changes.flips] == (["a"] if flipped else [])


def test_cases_in_one_run_only() -> None:
    """They are named, and no part of any mean."""
    changes = compare_cases([case("a", 1), case("b", 2), case("x", None, S)], [case("b", 2), case("c", 3)])
    assert changes.only == (("a",), ("c",))
    assert changes.shifts["score"].cases == 1


def test_models_are_paired_and_averaged() -> None:
    """Each model with itself; the mean is over cases, not over outputs."""
    changes = compare_cases(
        [case("a", 10, model="m"), case("a", 20, model="n"), case("b", 50, model="m")],
        [case("a", 20, model="m"), case("a", 40, model="n"), case("b", 51, model="m")],
    )
    assert [(change.ref, change.model) for change in changes.cases] == [("a", "m"), ("a", "n"), ("b", "m")]
    assert (changes.shifts["score"].cases, changes.shifts["score"].mean) == (2, 8)


def test_another_model_is_still_the_same_case() -> None:
    """Where each run has one model the cases are paired, whatever its name."""
    changes = compare_cases([case("a", 10, model="m")], [case("a", 20, model="n")])
    assert [(change.ref, change.model, change.difference) for change in changes.cases] == [("a", None, 10)]
    both = compare_cases([case("a", 10, model="m")], [case("a", 20, model="n"), case("a", 30, model="o")])
    assert (both.cases, both.only) == ((), (("a",), ("a",)))


def test_an_unmeasured_case_has_no_difference() -> None:
    """It is paired, and its verdict compared."""
    changes = compare_cases([case("a", 10)], [case("a", None, E)])
    assert (changes.shifts, changes.cases[0].difference, len(changes.flips)) == ({}, None, 1)


def test_json() -> None:
    """All that changed, as JSON values."""
    changes = compare_cases([case("a", 10, F)], [case("a", 20.5, P)])
    assert encode_changes(changes) == {
        "shifts": {"score": {"cases": 1, "mean": 10.5, "interval": None, "wins": 1, "losses": 0, "ties": 0}},
        "cases": [
            {
                "ref": "a",
                "model": None,
                "verdicts": ["FAIL", "PASS"],
                "scores": [10.0, 20.5],
                "difference": 10.5,
            }
        ],
        "only": [[], []],
    }


scores = st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 100), min_size=1)


@given(scores, scores)
def test_exchanging_the_runs_mirrors_the_changes(one: dict[str, int], other: dict[str, int]) -> None:
    """Wins become losses, and the mean its negative."""
    first, second = ([case(ref, score) for ref, score in each.items()] for each in (one, other))
    there, back = compare_cases(first, second), compare_cases(second, first)
    assert there.only == back.only[::-1]
    assert there.shifts.keys() == back.shifts.keys()
    for name, shift in there.shifts.items():
        mirrored = back.shifts[name]
        assert (shift.wins, shift.losses, shift.ties) == (mirrored.losses, mirrored.wins, mirrored.ties)
        assert shift.mean == pytest.approx(-mirrored.mean)
