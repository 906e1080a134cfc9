"""Tasks: their shapes, their ids, and what is wrong with them."""

import json
from pathlib import Path
from typing import Any

import pytest

from judges.core.errors import ConfigError
from judges.files.grid_meta import Measure
from judges.files.grid_tasks import read_tasks

LONG = "Production has been returning errors to everybody for ten minutes"
SHAPES: dict[str, tuple[dict[str, Any], str, dict[str, Any]]] = {
    "an input": ({"input": "It's broken!", "golden_label": "fix"}, "it-s-broken", {"input": "It's broken!"}),
    "an id": ({"input": "a", "golden_label": "fix", "id": "mine"}, "mine", {"input": "a"}),
    "variables": (
        {"vars": {"input": "a", "lang": "de"}, "golden_label": "fix"},
        "a-e8c76a",
        {"input": "a", "lang": "de"},
    ),
    "the golden label among them": ({"vars": {"input": "a", "golden_label": "fix"}}, "a", {"input": "a"}),
    "a long input": (
        {"input": LONG, "golden_label": "fix"},
        "production-has-been-returning-errors-to-9551ff",
        {"input": LONG},
    ),
    "no letter": ({"input": "???", "golden_label": "fix"}, "task-be4478", {"input": "???"}),
    "keys of the author": ({"input": "a", "golden_label": "fix", "x-note": 1}, "a", {"input": "a"}),
}


def write(tmp_path: Path, *records: object) -> Path:
    path = tmp_path / "tasks.jsonl"
    path.write_text("\n".join(json.dumps(record) for record in records), encoding="utf-8")
    return path


@pytest.mark.parametrize(("record", "name", "variables"), SHAPES.values(), ids=SHAPES)
def test_a_task_is_an_input_or_variables(
    tmp_path: Path, record: dict[str, Any], name: str, variables: dict[str, Any]
) -> None:
    """Without an id it is called by its first words, with a digest where they are not all of it."""
    (task,) = read_tasks(write(tmp_path, record), Measure.LABEL, ["fix"])
    assert (task.id, task.variables, task.golden_label) == (name, variables, "fix")


MISTAKES: dict[str, tuple[list[object], str]] = {
    "nothing": (
        [],
        't.jsonl: holds no task (write one JSON object a line, such as {"input": "…", "golden_label": "…"})',
    ),
    "the same again": (
        [{"input": "a", "golden_label": "fix"}] * 2,
        "t.jsonl:2:1: the task 'a' is there already, in line 1 "
        "(take one of the two out, or give it another 'id')",
    ),
    "both": (
        [{"input": "a", "vars": {"b": 1}, "golden_label": "fix"}],
        "t.jsonl:1:1: needs exactly one of 'input' and 'vars'",
    ),
    "neither": ([{"golden_label": "fix"}], "t.jsonl:1:1: needs exactly one of 'input' and 'vars'"),
    "no golden label": (
        [{"input": "a"}],
        "t.jsonl:1:1: golden_label: the key is missing (say which label is right)",
    ),
    "another case": (
        [{"input": "a", "golden_label": "Fix"}],
        "t.jsonl:1:1: golden_label: 'Fix' is none of the labels (did you mean 'fix'?)",
    ),
    "no label": (
        [{"input": "a", "golden_label": "xyz"}],
        "t.jsonl:1:1: golden_label: 'xyz' is none of the labels (the labels are fix, review)",
    ),
    "for a judge": (
        [{"input": "a", "golden_label": "fix", "reference": "b"}],
        "t.jsonl:1:1: reference: belongs to measure 'score', not to 'label'",
    ),
    "no mapping": ([[1]], "t.jsonl:1:1: expected a mapping, found a list"),
}


@pytest.mark.parametrize(("records", "message"), MISTAKES.values(), ids=MISTAKES)
def test_a_task_that_cannot_be_used_is_explained(tmp_path: Path, records: list[object], message: str) -> None:
    """With its line."""
    path = write(tmp_path, *records)
    with pytest.raises(ConfigError) as caught:
        read_tasks(path, Measure.LABEL, ["fix", "review"])
    assert str(caught.value).replace(str(path), "t.jsonl") == message
