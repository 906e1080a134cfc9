"""The gate's verdict in words and as JSON, and what a corpus can tell."""

import json
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import pytest

from judges.out.gate_text import describe_gate, encode_gate, encode_power
from judges.reduce.gate import GateTerms, GateVerdict, Rule, Sample, compute_verdict
from judges.reduce.gate_power import find_power

T = "target"
PAIRED = GateTerms(rule=Rule.PAIRED)


def samples(corpus: Sequence[int], *target: int) -> list[Sample]:
    named = [*((f"t{number}", value) for number, value in enumerate(corpus)), *((T, each) for each in target)]
    return [Sample(task, Fraction(value)) for task, value in named]


RIGHT = [1] * 8
VERDICTS: dict[str, tuple[GateVerdict, list[str]]] = {
    "accepted": (
        compute_verdict(samples(RIGHT, 0), samples(RIGHT, 1), T),
        ["the corpus has not regressed, and the target task passes"],
    ),
    "regressed, and more": (
        compute_verdict(samples([1, 1, 1, 0, 0, 0, 0, 0], 0), samples([0] * 8, 0, 0, 1), T),
        [
            "the corpus has regressed by 37.5 points: 12.5, one task, are allowed",
            "the target task passes in 33.3 % of its samples: 50 % must",
            "the current text is right in 37.5 % of the corpus, below 50 %: a comparison with "
            "it means nothing",
        ],
    ),
    "noise": (
        compute_verdict(samples(RIGHT, 0), samples(RIGHT, 1), T, null=samples(RIGHT, 1)),
        ["the gain of 11.1 points may be chance: the current text by itself varies by 11.1"],
    ),
    "open": (
        compute_verdict(samples(RIGHT, 0), samples([0, *RIGHT[1:]], 1), T, terms=PAIRED),
        [
            "whether the corpus has regressed is open: -12.5 points (95 % interval -42.1 to 17.1); "
            "a loss of 12.5 is allowed"
        ],
    ),
    "one task": (
        compute_verdict(samples([1], 0), samples([1], 1), T, terms=PAIRED),
        ["whether the corpus has regressed is open: 1 task cannot tell"],
    ),
}


@pytest.mark.parametrize(("verdict", "reasons"), VERDICTS.values(), ids=VERDICTS)
def test_the_reasons_say_what_speaks_against_an_edit(verdict: GateVerdict, reasons: list[str]) -> None:
    """Each with its figures, or that nothing does."""
    assert list(describe_gate(verdict)) == reasons


def test_the_verdict_is_json_with_the_keys_of_the_original_and_more() -> None:
    """The paired figures and the null control are there where they were asked for."""
    verdict = compute_verdict(samples(RIGHT, 0), samples(RIGHT, 1), T, terms=PAIRED, null=samples(RIGHT, 0))
    found = json.loads(json.dumps(encode_gate(verdict)))
    tasks = found.pop("per_task")
    assert found == {
        "accept": True,
        "decision": "accept",
        "reason": "the corpus has not regressed, and the target task passes",
        "rule": "paired",
        "corpus_regressed": False,
        "target_task_passes": True,
        "corpus_untrustworthy": False,
        "current_rate": 1.0,
        "candidate_rate": 1.0,
        "target_rate": 1.0,
        "epsilon": 0.125,
        "target_threshold": 0.5,
        "min_trusted_corpus_rate": 0.5,
        "paired": {"tasks": 8, "mean_difference": 0.0, "interval": [0.0, 0.0], "margin": 0.125},
        "null_control": {"gain": pytest.approx(1 / 9), "spread": 0.0, "spread_reaches_gain": False},
    }
    assert tasks[-1] == {"task_id": T, "is_target": True, "current_rate": 0.0, "candidate_rate": 1.0}


@pytest.mark.reference
def test_the_keys_and_figures_are_those_of_the_original(reference_data: Path) -> None:
    """Whoever reads the original's verdicts can read these."""
    pairs = json.loads((reference_data.parent / "conformance/grid/verdict.json").read_text())
    decided = {"accept", "corpus_regressed"}  # these differ on purpose, see the tests of `compute_verdict`
    for pair in pairs:
        current, candidate = (
            [Sample(each["task_id"], Fraction(each["correct"])) for each in pair[key]]
            for key in ("cur", "cand")
        )
        encoded = json.loads(
            json.dumps(encode_gate(compute_verdict(current, candidate, pair["target"]["task_id"])))
        )
        assert encoded.keys() >= pair["out"].keys()
        assert all(
            encoded[key] == pytest.approx(value) if isinstance(value, float) else encoded[key] == value
            for key, value in pair["out"].items()
            if key not in decided | {"per_task"}
        )
        for ours, theirs in zip(encoded["per_task"], pair["out"]["per_task"], strict=True):
            assert ours == pytest.approx(theirs)
    assert len(pairs) == 100


POWERS = {
    "8 tasks": (
        (8, 1, 1.0),
        "with 8 tasks a 10-point loss is caught 19 % of the time, one of 34 points is caught 4 of 5 times; "
        "an edit that changes nothing is rejected 0 % of the time (1 independent sample a task, 100 % of "
        "them right with the current text)",
    ),
    "one task": (
        (1, 9, 0.9),
        "with 1 task a 10-point loss is caught 0 % of the time, none is caught 4 of 5 times; an edit that "
        "changes nothing is rejected 0 % of the time (9 independent samples a task, 90 % of them right with "
        "the current text)",
    ),
}


@pytest.mark.parametrize(("sizes", "sentence"), POWERS.values(), ids=POWERS)
def test_the_power_of_a_corpus_in_a_sentence(sizes: tuple[int, int, float], sentence: str) -> None:
    """How often a loss is caught, which is caught for sure, and how often nothing is taken for a loss."""
    tasks, samples, rate = sizes
    power = encode_power(find_power(tasks=tasks, samples=samples, current_rate=rate))
    assert (power["words"], power["tasks"], power["samples_per_task"]) == (sentence, tasks, samples)
