"""The figures that decided a suite, in words."""

from typing import Any

import pytest

from judges.out.suite_words import describe_summary

RATE = {"pass_rate": 69.96, "warn_rate": 0.0, "interval": [40.4, 89.0], "threshold": 70.0}
WINS = {
    "wins": 6,
    "ties": 2,
    "losses": 2,
    "win_rate": 70.0,
    "interval": [39.7, 89.2],
    "threshold": 50.0,
    "judged": 9,
    "position_bias": 2,
}
MEAN = {
    "baseline": "20261130T120000Z-0a1b",
    "compared": 10,
    "drops": 1,
    "max_drop": 18.75,
    "mean_difference": -1.25,
    "interval": [-4.0, 1.5],
    "margin": None,
    "detectable": 3.9,
}


@pytest.mark.parametrize(
    ("summary", "expected"),
    [
        ({}, []),
        ({"baseline": None}, []),
        (RATE, ["69.96 % pass (95 % interval 40.4 to 89); 70 % must"]),
        (
            {**RATE, "pass_rate": 50.0, "warn_rate": 25.0},
            ["50 % pass (95 % interval 40.4 to 89), 25 % with a warning; 70 % must"],
        ),
        ({**RATE, "pass_rate": None, "interval": None}, []),
        (
            WINS,
            [
                "b is better in 6, a in 2, neither in 2: b wins 70 % (95 % interval 39.7 to 89.2); "
                "50 % must be won",
                "position bias: the order swayed the judge in 2 of 9 cases, which count as ties",
            ],
        ),
        (
            {**WINS, "win_rate": None, "position_bias": 0},
            ["position bias: the order swayed the judge in 0 of 9 cases"],
        ),
        (
            MEAN,
            [
                "mean difference to the baseline -1.2 over 10 cases (95 % interval -4 to +1.5)",
                "1 case dropped by more than 18.8, or failed a check",
                "a mean loss of 3.9 would be seen in 4 of 5 such runs",
            ],
        ),
        (
            {**MEAN, "compared": 1, "interval": None, "detectable": None, "margin": 5.0, "drops": 0},
            [
                "mean difference to the baseline -1.2 over 1 case; a loss of 5 is allowed",
                "0 cases dropped by more than 18.8, or failed a check",
            ],
        ),
        (
            {**MEAN, "mean_difference": None, "drops": None, "detectable": 111.1},
            ["too few cases: hardly any mean loss would be seen"],
        ),
    ],
)
def test_sentences(summary: dict[str, Any], expected: list[str]) -> None:
    """Each figure has its sentence, rounded for people and never across the threshold."""
    assert list(describe_summary(summary)) == expected
