"""Recorded answers that no question of a suite finds."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from judges.files.load import load_suite
from judges.run.unused import describe_unused

SUITE = {
    "prompt_name": "greeting",
    "criteria": [{"name": "safety", "weight": 1, "rubric": "Is it safe?", "scale": 2}],
    "checks": [{"name": "polite", "type": "llm_judge", "prompt": "Is it?", "pass_condition": "YES"}],
    "cases": [{"title": "Ann", "output": "Hello"}, {"title": "Bob", "output": "Hello"}],
}
FINE = [
    ("ann", "criteria.safety"),
    ("bob", "checks.polite"),
    ("ann", "declines"),
    ("bob", "meta.checks.polite"),
]
SLIPS = [("ann", "criteria.saftey"), ("bob", "criteria.saftey"), ("ann", "criteria.tone"), ("an", "declines")]


def write(tmp_path: Path, name: str, lines: Sequence[tuple[str, str]]) -> Path:
    """Write a suite, and recorded answers of these cases to these questions."""
    path = tmp_path / "greeting/prompt-meta.yaml"
    path.parent.mkdir()
    path.write_text(json.dumps(SUITE))
    entries = ({"ref": ref, "question": question, "answer": True} for ref, question in lines)
    (path.parent / name).write_text("".join(f"{json.dumps(each)}\n" for each in entries))
    return path


def told(path: Path, *judges: str, beside: str | None = None) -> list[str]:
    """Return what is told of the answers that these judges, and a file beside the suite, have."""
    found = describe_unused(load_suite(path), judges, path.with_name(beside) if beside else None)
    return [each.text for each in found]


@pytest.mark.parametrize("beside", [None, "replay.jsonl"])
def test_slips_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, beside: str | None) -> None:
    """Cases and questions that the suite does not have are counted, with what was perhaps meant."""
    path = write(tmp_path, "replay.jsonl", [*FINE, *SLIPS])
    monkeypatch.chdir(path.parent)
    assert told(path, "openai:gpt-4o" if beside else "replay:replay.jsonl", beside=beside) == [
        "replay.jsonl has answers of cases that the suite does not have: 'an' (1 line; did you mean 'ann'?)",
        "replay.jsonl has answers of questions that the suite does not have: "
        "'criteria.saftey' (2 lines; did you mean 'criteria.safety'?), 'criteria.tone' (1 line)",
    ]


def test_what_is_asked_is_not_told(tmp_path: Path) -> None:
    """Criteria, judged checks, what only some cases are asked, and a meta-judge's answers are in order."""
    assert told(write(tmp_path, "replay.jsonl", FINE), "replay:replay.jsonl") == []


def test_a_flood_is_cut(tmp_path: Path) -> None:
    """Five are named, the rest are counted."""
    path = write(tmp_path, "replay.jsonl", [(f"other-{number}", "declines") for number in range(40)])
    (notice,) = told(path, "replay:replay.jsonl")
    assert notice.endswith("'other-4' (1 line) and 35 more")


@pytest.mark.parametrize("name", ["../shared.jsonl", "none.jsonl", "prompt-meta.yaml"])
def test_files_that_are_let_alone(tmp_path: Path, name: str) -> None:
    """One that suites may share, one that is not there, and one that is something else."""
    path = write(tmp_path, "../shared.jsonl", SLIPS)
    assert told(path, f"replay:{name}") == []
