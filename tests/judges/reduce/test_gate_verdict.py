"""The gate: what is accepted, what is not, and that exact fractions decide."""

import json
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.core.errors import RunError
from judges.out.gate_text import encode_gate
from judges.reduce.gate import (
    GateDecision,
    GateTerms,
    GateVerdict,
    Rule,
    Sample,
    compute_verdict,
)

T = "target"
A, R, I = GateDecision.ACCEPT, GateDecision.REJECT, GateDecision.INCONCLUSIVE  # noqa: E741
PAIRED = GateTerms(rule=Rule.PAIRED)


def samples(corpus: Sequence[Sequence[int]], target: Sequence[int] = (1,)) -> list[Sample]:
    """Return samples of the tasks t0, t1 and so on, and of the target task."""
    named = [*((f"t{number}", values) for number, values in enumerate(corpus)), (T, target)]
    return [Sample(task, Fraction(value)) for task, values in named for value in values]


def read(records: Sequence[dict[str, Any]]) -> list[Sample]:
    return [Sample(each["task_id"], Fraction(each["correct"])) for each in records]


RIGHT = [[1, 1], [1, 1], [1, 1]]

EPSILON = {
    "nothing changes": (RIGHT, RIGHT, (1,), A, False),
    "exactly one task of three is lost": (RIGHT, [[0, 0], [1, 1], [1, 1]], (1,), A, False),
    "more than one task is lost": (RIGHT, [[0, 0], [0, 1], [1, 1]], (1,), R, True),
    "half of the target passes": (RIGHT, RIGHT, (1, 0), A, False),
    "less than half of the target passes": (RIGHT, RIGHT, (1, 0, 0), R, False),
    "the current text is wrong too often": ([[0, 0], [0, 1], [1, 0]], RIGHT, (1,), R, False),
    "the current text is right half of the time": ([[0, 1], [0, 1], [1, 0]], RIGHT, (1,), A, False),
}


@pytest.mark.parametrize(
    ("current", "candidate", "target", "decision", "regressed"), EPSILON.values(), ids=EPSILON
)
def test_the_epsilon_rule(
    current: list[list[int]],
    candidate: list[list[int]],
    target: tuple[int, ...],
    decision: GateDecision,
    regressed: bool,
) -> None:
    """A loss of one task's share is allowed, by exact fractions; and the target task must pass."""
    verdict = compute_verdict(samples(current), samples(candidate, target), T)
    assert (verdict.decision, verdict.corpus_regressed) == (decision, regressed)
    assert verdict.accept == (decision is A)


def test_the_trust_floor_can_be_lowered() -> None:
    """Then a bad current text is compared with all the same."""
    current, candidate = samples([[0], [0], [1]]), samples([[0], [0], [1]])
    assert compute_verdict(current, candidate, T).corpus_untrustworthy
    verdict = compute_verdict(current, candidate, T, terms=GateTerms(trust_floor=Fraction(0)))
    assert (verdict.decision, verdict.corpus_untrustworthy) == (A, False)


def test_samples_of_the_target_are_no_part_of_the_corpus() -> None:
    """Neither of its rates nor of epsilon; a new target task may have no sample before."""
    current = [sample for sample in samples(RIGHT) if sample.task_id != T]
    verdict = compute_verdict(current, samples(RIGHT, (0, 1)), T)
    assert (verdict.current_rate, verdict.candidate_rate, verdict.target_rate) == (1, 1, Fraction(1, 2))
    assert verdict.epsilon == Fraction(1, 3)
    (target,) = [task for task in verdict.per_task if task.is_target]
    assert (target.current_rate, target.candidate_rate) == (None, Fraction(1, 2))


NULLS = {
    "steady": (RIGHT, (0, 0), A),
    "the spread is below the gain": ([[1, 1], [1, 1], [1, 0]], (0, 0), A),
    "the spread reaches the gain": ([[1, 1], [1, 0], [1, 0]], (0, 0), R),
    "the target passes by chance": (RIGHT, (1, 1), R),
}


@pytest.mark.parametrize(("again", "target", "decision"), NULLS.values(), ids=NULLS)
def test_a_null_control_tells_a_gain_from_chance(
    again: list[list[int]], target: tuple[int, int], decision: GateDecision
) -> None:
    """The candidate gains 2 of 8 samples: the current text by itself must vary by less."""
    current, candidate = samples(RIGHT, (0, 0)), samples(RIGHT, (1, 1))
    verdict = compute_verdict(current, candidate, T, null=samples(again, target))
    assert verdict.decision is decision
    assert verdict.null_control is not None
    assert verdict.null_control.gain == Fraction(1, 4)


def test_a_null_control_never_accepts() -> None:
    """It only turns an accept into a reject."""
    current, candidate = samples(RIGHT, (0,)), samples(RIGHT, (0,))
    assert compute_verdict(current, candidate, T, null=current).decision is R


WIDE = [[1]] * 20
PAIRED_CASES = {
    "no task changes": (WIDE, WIDE, A),
    "all tasks lose alike": (WIDE, [[0]] * 20, R),
    "many tasks lose": (WIDE, [[0]] * 12 + [[1]] * 8, R),
    "some tasks lose": (WIDE, [[0]] * 2 + [[1]] * 18, I),
    "a single task": ([[1]], [[1]], I),
}


@pytest.mark.parametrize(("current", "candidate", "decision"), PAIRED_CASES.values(), ids=PAIRED_CASES)
def test_the_paired_rule(
    current: list[list[int]], candidate: list[list[int]], decision: GateDecision
) -> None:
    """An interval that spans the allowed loss decides nothing."""
    assert compute_verdict(samples(current), samples(candidate), T, terms=PAIRED).decision is decision


def test_the_paired_rule_allows_a_margin_of_its_own() -> None:
    """With more loss allowed the same samples are enough."""
    current, candidate = samples(WIDE), samples([[0]] * 2 + [[1]] * 18)
    terms = GateTerms(rule=Rule.PAIRED, margin=Fraction(1, 4))
    verdict = compute_verdict(current, candidate, T, terms=terms)
    assert (verdict.decision, verdict.corpus_regressed) == (A, False)


def test_what_is_bad_anyway_is_not_inconclusive() -> None:
    """A target task that fails is a reject, however little is known of the corpus."""
    current, candidate = samples([[1]]), samples([[1]], (0,))
    assert compute_verdict(current, candidate, T, terms=PAIRED).decision is R


@pytest.mark.parametrize(
    ("current", "candidate", "words"),
    [
        ([], samples(RIGHT), "no sample of the corpus"),
        (samples(RIGHT), samples([]), "no sample of the corpus"),
        (samples(RIGHT), samples(RIGHT, ()), "no sample of the candidate on the target task 'target'"),
    ],
    ids=["nothing before", "only the target", "no target"],
)
def test_nothing_to_compare_is_an_error(current: list[Sample], candidate: list[Sample], words: str) -> None:
    """It is never an accept."""
    with pytest.raises(RunError, match=words):
        compute_verdict(current, candidate, T)


VALUES = st.lists(st.integers(0, 1), min_size=1, max_size=4)
CORPORA = st.integers(1, 6).flatmap(
    lambda tasks: st.tuples(*[st.lists(VALUES, min_size=tasks, max_size=tasks)] * 3)
)


@pytest.mark.parametrize("terms", [GateTerms(), PAIRED, GateTerms(Rule.PAIRED, margin=Fraction(1, 2))])
@given(CORPORA, VALUES, st.data())
def test_a_better_candidate_never_turns_an_accept_into_a_reject(
    terms: GateTerms,
    corpora: tuple[list[list[int]], list[list[int]], list[list[int]]],
    target: list[int],
    data: st.DataObject,
) -> None:
    """By the paired rule it may become open, since a task that gains more makes the differences vary more."""
    current, candidate, again = corpora
    wrong = [(task, at) for task, each in enumerate(candidate) for at, value in enumerate(each) if not value]
    improved = data.draw(st.sets(st.sampled_from(wrong))) if wrong else set()
    better = [
        [1 if (task, at) in improved else value for at, value in enumerate(each)]
        for task, each in enumerate(candidate)
    ]
    null = samples(again, (0,)) if data.draw(st.booleans()) else []

    def decide(changed: list[list[int]]) -> GateVerdict:
        return compute_verdict(samples(current, (0,)), samples(changed, target), T, terms=terms, null=null)

    if decide(candidate).accept:
        assert decide(better).decision is not R
        if terms.rule is Rule.EPSILON:
            assert decide(better).accept


@given(CORPORA, VALUES)
def test_rates_are_shares(
    corpora: tuple[list[list[int]], list[list[int]], list[list[int]]], target: list[int]
) -> None:
    """All of them are 0..1, and an accept has no reason against it."""
    verdict = compute_verdict(samples(corpora[0]), samples(corpora[1], target), T)
    assert all(0 <= rate <= 1 for rate in (verdict.current_rate, verdict.candidate_rate, verdict.target_rate))
    assert verdict.accept == (
        not verdict.corpus_regressed and verdict.target_task_passes and not verdict.corpus_untrustworthy
    )


@pytest.mark.reference
def test_verdicts_are_those_of_the_original_but_at_exact_equality(reference_data: Path) -> None:
    """Where exactly one task's share is lost, the original's floats may call it a regression; 2 of 100 do."""
    pairs = json.loads((reference_data.parent / "conformance/grid/verdict.json").read_text("utf-8"))
    differing = []
    for number, pair in enumerate(pairs):
        verdict = compute_verdict(read(pair["cur"]), read(pair["cand"]), pair["target"]["task_id"])
        found = {key: value for key, value in encode_gate(verdict).items() if key in pair["out"]}
        assert found.keys() == pair["out"].keys()
        if verdict.candidate_rate == verdict.current_rate - verdict.epsilon:
            assert verdict.corpus_regressed is False
            if pair["out"]["corpus_regressed"]:
                differing.append(number)
                found |= {key: pair["out"][key] for key in ("accept", "corpus_regressed")}
        assert _same(found, pair["out"])
    assert len(differing) == 2


def _same(found: dict[str, Any], original: dict[str, Any]) -> bool:
    """Tell whether all values are equal; numbers but for the last digits of a float."""
    tasks = zip(found.pop("per_task"), original["per_task"], strict=True)
    rest = {key: value for key, value in original.items() if key != "per_task"}
    return found == pytest.approx(rest) and all(task == pytest.approx(each) for task, each in tasks)
