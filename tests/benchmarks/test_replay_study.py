"""The replay study: what it prints is what the page on evidence cites, and its figures are right."""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from reference import ReadReference

from judges.core.question import Answer, Unanswered

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "benchmarks/replay_study.py"


def print_study(**environ: str) -> "subprocess.CompletedProcess[str]":
    clean = {key: value for key, value in os.environ.items() if key != "SCAFFOLD_REFERENCE_DATA"}
    return subprocess.run(
        [sys.executable, SCRIPT],
        env={**clean, **environ},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def study() -> ModuleType:
    """The script as a module."""
    spec = importlib.util.spec_from_file_location("replay_study", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["replay_study"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.reference
def test_the_page_has_what_the_script_prints(reference_data: Path) -> None:
    """Whoever changes a reducer or the study puts its output on the page again."""
    printed = print_study(SCAFFOLD_REFERENCE_DATA=str(reference_data.parent))
    assert (printed.returncode, printed.stderr) == (0, "")
    page = (ROOT / "docs/explanation/evidence.md").read_text(encoding="utf-8")
    (cited,) = re.findall(
        r"^\$ python benchmarks/replay_study\.py\n(.*?)^```$", page, re.DOTALL | re.MULTILINE
    )
    assert printed.stdout == cited
    figures = {line[:32].strip(): line[32:].split() for line in printed.stdout.splitlines()}
    assert figures["three replicas where fragile"] == ["2.08", "0.2", "(0.0-1.0)", "1.46", "1.0", "(0.3-4.1)"]
    assert (
        "o1-mini-2024-09-12          350     0    74.7 (69.9-79.0)    74.4 (69.6-78.7)   68.6"
        in printed.stdout
    )


def test_without_data() -> None:
    """Without the data the study says which variable to set."""
    printed = print_study()
    assert (printed.returncode, printed.stdout) == (1, "")
    assert printed.stderr == "SCAFFOLD_REFERENCE_DATA is not set: name the folder that holds data/*.jsonl\n"


@pytest.mark.reference
def test_pairs_by_another_way(study: ModuleType, read_reference: ReadReference) -> None:
    """The shares of right and of agreeing preferences are those that the raw records give directly."""
    records = [
        each
        for each in read_reference("llmbar_judge_replay.jsonl")
        if each["judge"] == "GPT-4" and each["strategy"] == "Rating" and each["id"].startswith("LLMBar/")
    ]
    first = [each["winner_order12"] == str(each["gold"]) for each in records]
    agree = [each["winner_order12"] == each["winner_order21"] for each in records]
    right = [
        each["winner_order12"] == str(each["gold"]) for each, same in zip(records, agree, strict=True) if same
    ]
    assert len(records) == 419
    pairs = study.select(study.read_llmbar(records), "LLMBar/")["GPT-4 Rating"]
    seen = [(pair.gold, pair.preference) for pair in pairs]
    assert sum(each.chosen[0] == gold for gold, each in seen) == sum(first) == 352
    assert sum(each.agrees for _, each in seen) == sum(agree) == 350
    assert sum(each.winner == gold for gold, each in seen if each.agrees) == sum(right) == 317


@pytest.mark.reference
def test_the_swapped_frame(study: ModuleType, read_reference: ReadReference) -> None:
    """JudgeBench's second decision names the outputs as shown: the same preference has the other sign."""
    records = read_reference("judgebench_judge_replay.jsonl")
    flip = {"A>B": "B>A", "B>A": "A>B", "A=B": "A=B"}
    whole = [each for each in records if each["decision_AB"] and each["decision_BA"]]
    same = [each for each in whole if flip[each["decision_BA"]] == each["decision_AB"]]
    pairs = [pair for each in study.read_judgebench(records).values() for pair in each]
    assert sum(pair.preference.agrees for pair in pairs if pair.preference) == len(same) == 375


@pytest.mark.parametrize(
    ("values", "asked"),
    [
        pytest.param("aaa", 2, id="two of three"),
        pytest.param("aba", 3, id="the third decides"),
        pytest.param("abc", 3, id="no majority, known at the end"),
        pytest.param("aab--", 5, id="three of five are needed"),
        pytest.param("aaabb", 3, id="three of five"),
        pytest.param("abca", 3, id="no value can reach three of four"),
        pytest.param("--aaa", 5, id="what is missing is no vote"),
        pytest.param("---aa", 3, id="too many are missing"),
    ],
)
def test_stopped_early(study: ModuleType, values: str, asked: int) -> None:
    """A majority of all is decided as soon as the rest cannot change it."""
    votes = [Unanswered("none") if value == "-" else Answer(value=value) for value in values]
    assert study.stopped_early(votes) == asked


@pytest.mark.parametrize(
    ("case", "decided", "fragile"),
    [
        pytest.param([[5, 5, 1]], (2, [5]), (1, [5]), id="a level that is safe"),
        pytest.param([[4, 3, 3]], (3, [3]), (3, [3]), id="just above the threshold"),
        pytest.param([[4, 5, 1]], (2, [4]), (3, [4]), id="both above it"),
        pytest.param([[2, 2, 5]], (2, [2]), (1, [2]), id="far below"),
        pytest.param([[4, 4, 4], [3, 4, 4]], (3, [4, 4]), (3, [4, 4]), id="two criteria"),
    ],
)
def test_policies(study: ModuleType, case: Any, decided: Any, fragile: Any) -> None:
    """How often each rule asks, and the levels that count."""
    assert study.ask_until_decided(case) == decided
    assert study.ask_where_fragile(case) == fragile
