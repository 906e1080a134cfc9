"""What a gate prints."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from judges.core.errors import RunError
from judges.reduce.gate import Sample, compute_verdict
from scaffold.gate.report import encode_failure, encode_verdict


def samples(records: list[dict[str, Any]]) -> list[Sample]:
    return [Sample(record["task_id"], Fraction(record["correct"])) for record in records]


@pytest.mark.reference
def test_the_keys_and_figures_are_those_of_the_original(reference_data: Path) -> None:
    """Whoever reads the original's verdicts can read these."""
    pairs = json.loads((reference_data.parent / "conformance/grid/verdict.json").read_text())
    decided = {"accept", "corpus_regressed"}  # these differ on purpose, see the tests of `compute_verdict`
    for pair in pairs:
        verdict = compute_verdict(samples(pair["cur"]), samples(pair["cand"]), pair["target"]["task_id"])
        encoded = json.loads(json.dumps(encode_verdict(verdict)))
        assert encoded.keys() >= pair["out"].keys()
        assert all(
            encoded[key] == pytest.approx(value) if isinstance(value, float) else encoded[key] == value
            for key, value in pair["out"].items()
            if key not in decided | {"per_task"}
        )
        for ours, theirs in zip(encoded["per_task"], pair["out"]["per_task"], strict=True):
            assert ours == pytest.approx(theirs)
    assert len(pairs) == 100


def test_a_failure_is_never_an_accept() -> None:
    """Where nothing could be measured, that is all that is said."""
    assert encode_failure(RunError("the endpoint is down")) == {
        "accept": False,
        "error": "the endpoint is down",
    }
