"""The task that an edit is to make pass: given as JSON or in a file, and made up."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from judges.core.encode import render_line
from judges.core.errors import ConfigError, Problem
from judges.files.grid_suite import GridSuite, Task
from judges.files.grid_tasks import parse_task
from judges.files.jsonl import parse_json
from judges.files.text import display_path, read_text
from scaffold.add_case.personal import find_personal

OPTION = "--target-task"

_REAL = ("an e-mail address", "a social security number")
_MANY_DIGITS = re.compile(r"(?<!\d)(?<!\d\.)\d{12,}|\b\d{4}(?:[ -]\d{4}){2,}\b")


@dataclass(frozen=True, slots=True)
class TargetTask:
    """The task, and the JSON value that it was given as."""

    task: Task
    value: Any


def read_target_task(given: str, grid: GridSuite) -> TargetTask:
    """Return the task that is given: a JSON object, or the path of a file that holds one.

    Raises:
        ConfigError: it is no task of this grid, holds what looks like real data, or contradicts a task there.
    """
    inline = given.lstrip().startswith("{")
    text, name = (given, OPTION) if inline else (read_text(Path(given)), display_path(Path(given)))
    document = parse_json(text, name)
    task = parse_task(document, grid.measure, grid.labels or None)
    if real := " and ".join(find_real_data(document.value)):
        hint = "a task is made up: use names such as example.com, and short numbers"
        raise document.error((), f"holds what looks like {real}", hint)
    for other in grid.tasks:
        if (other.id == task.id) != (other.variables == task.variables):
            message = f"has the id '{task.id}'" if other.id == task.id else f"is the task '{other.id}' again"
            raise document.error((), f"{message}, see {_place(other)}", "one id stands for one input")
        if other.id == task.id and other.golden_label != task.golden_label:
            message = f"expects another label than the same task in {_place(other)}"
            raise document.error(("golden_label",), message, "correct one of the two")
    return TargetTask(task, document.value)


def corpus_without(grid: GridSuite, task: Task) -> tuple[Task, ...]:
    """Return the tasks of a grid that an edit must not harm: all but the one that it is to make pass."""
    corpus = tuple(other for other in grid.tasks if other.id != task.id)
    if not corpus:
        message = "there is no task but the target task: nothing tells whether an edit harms"
        raise ConfigError([Problem(message, display_path(grid.path), key="tasks", hint="add tasks")])
    return corpus


def find_real_data(value: Any) -> Iterator[str]:
    """Yield what kinds of real people's data a value, or any text inside it, seems to hold."""
    yield from (kind for kind in find_personal(value) if kind in _REAL)
    if _MANY_DIGITS.search(render_line(value)):
        yield "a card or account number"


def _place(task: Task) -> str:
    return f"{task.file}:{task.line}"
