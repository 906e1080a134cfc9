"""`scaffold compare`: two runs, case by case."""

import json
from pathlib import Path

import pytest
from command_line import Cli, levels
from loopback import Loopback, openai_text

SUITE = ".omniscitus/tests/prompts/greeting/prompt-meta.yaml"


@pytest.fixture
def runs(cli: Cli, project: Path, play_openai: Loopback) -> list[str]:
    """Two runs of a suite: the tone of Ann became rude and that of Bob kind; Cat is gone and Dan is new."""
    suite = project / SUITE
    head, _, _ = suite.read_text().partition("cases:")

    def write(*cases: tuple[str, str]) -> None:
        lines = "".join(f"  - {{title: {ref}, output: {output}}}\n" for ref, output in cases)
        suite.write_text(f"{head}cases:\n{lines}")

    def judge(body):  # type: ignore[no-untyped-def]
        content = body["messages"][1]["content"]
        tone = 1 if "rude" in content else 2 if "so-so" in content else 3
        return openai_text(json.dumps(levels(tone, 2)))

    play_openai(judge)
    made = []
    for cases in (
        (("Ann", "kind"), ("Bob", "so-so"), ("Cat", "kind")),
        (("Ann", "rude"), ("Bob", "kind"), ("Dan", "kind")),
    ):
        write(*cases)
        made.append(Path(cli("run", "-q", "--json", "-").report["run_dir"]).name)
    return made


def test_the_table(cli: Cli, runs: list[str]) -> None:
    """How the scores moved, which verdicts changed, and what only one run has."""
    result = cli("compare", *runs)
    assert result.code == 0
    rows = [line.split() for line in result.out.splitlines()]
    assert ["total", "2", "-18.8", "-100", "to", "+100", "1", "1", "0"] in rows
    assert ["tone", "2", "-25", "-100", "to", "+100", "1", "1", "0"] in rows
    assert ["safety", "2", "0", "none", "0", "0", "2"] in rows
    assert ["ann", "PASS", "100", "FAIL", "25"] in rows
    assert ["bob", "WARN", "62.5", "PASS", "100"] in rows
    assert "only in the first run, 1 case: cat" in result.out
    assert "only in the second run, 1 case: dan" in result.out


def test_json(cli: Cli, runs: list[str]) -> None:
    """Everything as JSON, in the order of the first run's cases."""
    report = cli("compare", *runs, "--json").report
    (suite,) = report["suites"]
    assert (report["schema"], report["runs"], suite["name"]) == (1, runs, "greeting")
    assert suite["cases"] == [
        {"ref": "ann", "model": None, "verdicts": ["PASS", "FAIL"], "scores": [100, 25], "difference": -75},
        {
            "ref": "bob",
            "model": None,
            "verdicts": ["WARN", "PASS"],
            "scores": [62.5, 100],
            "difference": 37.5,
        },
    ]
    assert suite["only"] == [["cat"], ["dan"]]
    assert suite["shifts"]["criteria.safety"] == {
        "cases": 2,
        "mean": 0,
        "interval": None,
        "wins": 0,
        "losses": 0,
        "ties": 2,
    }


def test_a_run_with_itself(cli: Cli, runs: list[str]) -> None:
    """Nothing changed."""
    result = cli("compare", runs[0], runs[0])
    assert result.code == 0
    assert "Other verdict" not in result.out
    assert "only in" not in result.out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([0], "Missing argument 'RUN'"),
        ([0, "none"], "there is no run 'none'"),
        ([0, 1, "--suite", "other"], "the two runs have no suite 'other' in common"),
    ],
)
def test_mistakes(cli: Cli, runs: list[str], arguments: list[object], sentence: str) -> None:
    """A mistake is one sentence and exit code 2."""
    result = cli("compare", *(runs[each] if isinstance(each, int) else each for each in arguments))
    assert (result.code, sentence in result.err) == (2, True)
