"""The task that an edit is to make pass."""

import json
from pathlib import Path
from typing import Any

import pytest
from gated_project import FOLDER, gated, write  # noqa: F401  (a fixture)

from judges.core.errors import ConfigError
from judges.files.grid import load_grid
from judges.files.grid_suite import GridSuite
from scaffold.gate.target_task import corpus_without, find_real_data, read_target_task


@pytest.fixture
def grid(gated: Path) -> GridSuite:  # noqa: F811
    return load_grid(gated / FOLDER / "go.grid.yaml")


NEW: dict[str, Any] = {"input": "it hangs", "golden_label": "bug"}


def test_a_task_is_json_or_a_file(grid: GridSuite) -> None:
    """Both give the same task, and what was written is kept as it was."""
    write("task.json", f"\ufeff{json.dumps(NEW, indent=2)}\r\n")
    inline, from_file = (read_target_task(given, grid) for given in (f" {json.dumps(NEW)}", "task.json"))
    assert (inline.task.id, inline.task.golden_label, inline.value) == ("it-hangs", "bug", NEW)
    assert (from_file.task.id, from_file.task.variables, from_file.value) == (
        "it-hangs",
        {"input": "it hangs"},
        NEW,
    )


def test_the_shape_of_the_seed(grid: GridSuite) -> None:
    """The golden label may stand among the variables."""
    task = read_target_task(json.dumps({"vars": NEW}), grid).task
    assert (task.variables, task.golden_label) == ({"input": "it hangs"}, "bug")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("{", "--target-task:1:2: not valid JSON"),
        ("gone.json", "gone.json: does not exist"),
        ({"input": "x"}, "--target-task:1:1: golden_label: the key is missing"),
        ({**NEW, "golden_label": "bugs"}, "'bugs' is none of the labels (did you mean 'bug'?)"),
        ({**NEW, "golden": 1}, "golden: unknown key (did you mean 'golden_label'?)"),
        ({**NEW, "input": "ask jane@corp.com"}, "holds what looks like an e-mail address (a task is made up"),
        ({**NEW, "id": "crash"}, f"has the id 'crash', see {FOLDER}/tasks.jsonl:1 (one id stands"),
        ({**NEW, "input": "it crashes", "id": "a"}, f"is the task 'crash' again, see {FOLDER}/tasks.jsonl:1"),
        (
            {"id": "crash", "input": "it crashes", "golden_label": "feature"},
            f"golden_label: expects another label than the same task in {FOLDER}/tasks.jsonl:1",
        ),
    ],
    ids=[
        "no JSON",
        "no file",
        "no label",
        "no such label",
        "unknown key",
        "real",
        "same id",
        "same input",
        "label",
    ],
)
def test_wrong_tasks_are_refused(grid: GridSuite, given: str | dict[str, Any], said: str) -> None:
    """A task that is none, is no grid's, is real, or contradicts the corpus is never measured."""
    with pytest.raises(ConfigError) as caught:
        read_target_task(given if isinstance(given, str) else json.dumps(given), grid)
    assert said in str(caught.value)


def test_a_task_of_the_corpus_may_be_the_target(grid: GridSuite) -> None:
    """One that fails today can be what the edit is for: then it is no part of the corpus."""
    target = read_target_task('{"id": "crash", "input": "it crashes", "golden_label": "bug"}', grid)
    assert [task.id for task in corpus_without(grid, target.task)] == ["dark", "slow"]
    new = read_target_task(json.dumps(NEW), grid)
    assert [task.id for task in corpus_without(grid, new.task)] == ["crash", "dark", "slow"]


def test_a_corpus_of_the_target_alone(grid: GridSuite) -> None:
    """With no other task nothing would show harm."""
    write(f"{FOLDER}/tasks.jsonl", json.dumps(NEW))
    alone = load_grid(grid.path)
    with pytest.raises(ConfigError, match=r"go\.grid\.yaml: tasks: there is no task but the target task"):
        corpus_without(alone, read_target_task(json.dumps(NEW), alone).task)


MAIL, SSN, CARD = "an e-mail address", "a social security number", "a card or account number"


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ({"input": "jane@corp.com"}, [MAIL]),
        ({"input": "jane@example.com, bob@mail.test"}, []),
        ({"vars": {"a": ["my number: 123-45-6789"]}}, [SSN]),
        ({"input": "123456789012"}, [CARD]),
        ({"input": "12345678901 and +49 170 1234567"}, []),
        ({"input": "4111 1111 1111 1111"}, [CARD]),
        ({"input": "4111-1111-1111"}, [CARD]),
        ({"input": "IBAN DE89370400440532013000"}, [CARD]),
        ({"vars": {"n": 123456789012}}, [CARD]),
        ({"input": "pi is 3.14159265358979, no.123"}, []),
        ({"input": "No.123456789012"}, [CARD]),
        ({"input": "from 2026-01-02 to 2026-03-04"}, []),
        ({"input": "x" * 1_000_000 + "@"}, []),
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_is_taken_for_real(value: Any, found: list[str]) -> None:
    """Domains that are nobody's, short numbers, dates, fractions are made up; a long text takes no time."""
    assert list(find_real_data(value)) == found
