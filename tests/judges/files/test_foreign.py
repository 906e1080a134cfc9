"""Files called `prompt-meta.yaml` that are something else."""

from collections.abc import Callable
from pathlib import Path

import pytest

OTHER = (
    "1:1: this prompt-meta.yaml belongs to another program: it describes a prompt, not a test suite "
    "(move it out of .omniscitus/tests/)"
)
OLDER = "this is an older shape of the file: "
CONVERT = " (convert it: scaffold migrate prompt-meta.yaml)"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "evaluation: multi_criteria\ncases: []",
            ["1:1: evaluation: " + OLDER + "'evaluation' is a mapping now" + CONVERT],
        ),
        (
            "prompt_name: a\ncases: external\npattern: x\nlogs: logs/",
            [
                "2:1: cases: " + OLDER + "'cases' is a mapping now" + CONVERT,
                "4:1: logs: " + OLDER + "'logs' is a mapping now" + CONVERT,
            ],
        ),
        (
            "prompts: [{name: a}]",
            ["1:1: prompts: " + OLDER + "it holds several suites; now each has its own file" + CONVERT],
        ),
        (
            "evaluation:\n  criteria: [{tone: 0.5}]\ncases: []",
            ["2:3: evaluation.criteria: " + OLDER + "'criteria' stand at the top level now" + CONVERT],
        ),
        (
            "thresholds: {pass: 0.7, per_criterion: {a: 0.8}}\ncases: []",
            ["1:1: thresholds: " + OLDER + "scores run from 0 to 100 now, not from 0 to 1" + CONVERT],
        ),
        (
            "id: a\nversion: 1\nimmutable: true\nsource: x.md",
            [OTHER],
        ),
        (
            "template_sha256: f0",
            [OTHER],
        ),
    ],
    ids=["shorthand", "external", "umbrella", "one-key", "fractions", "registry", "digest"],
)
def test_other_shapes_are_refused_in_one_sentence(
    write_suite: Callable[..., Path], problems_of: Callable[..., list[str]], text: str, expected: list[str]
) -> None:
    """An older shape names the command that converts it; a foreign file is told to be one."""
    name = ".omniscitus/tests/greet/prompt-meta.yaml"
    found = [line.replace(name, "prompt-meta.yaml") for line in problems_of(write_suite(text))]
    assert found == [f"prompt-meta.yaml:{line}" for line in expected]


@pytest.mark.parametrize(
    "text",
    [
        "thresholds: {pass: 70, warn: 0.5}",
        "thresholds: {pass: 0}",
        "thresholds: {per_criterion: {}}",
        "thresholds: {min_agreement: 0.6}",
    ],
)
def test_scores_on_100_are_not_taken_for_fractions(
    write_suite: Callable[..., Path], problems_of: Callable[..., list[str]], text: str
) -> None:
    """Only thresholds that are all at most 1 are of the older scale."""
    assert not any("older shape" in line for line in problems_of(write_suite(f"{text}\ncases: []\nx: 1\n")))
