"""The tasks of a grid: JSON lines, each with what the arms are given and what should come out."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from judges.core.case import digest
from judges.core.errors import ConfigError, Problem
from judges.files.document import Document
from judges.files.grid_meta import GOLDEN, Measure, TaskSpec
from judges.files.grid_suite import Task, first_text
from judges.files.jsonl import read_records
from judges.files.problems import did_you_mean, raise_any
from judges.files.shape import parse_model
from judges.files.template import as_text
from judges.files.text import display_path

ID_LENGTH = 40
MOST_SHOWN = 12

_JUDGED_ONLY = ("expected_behavior", "reference")


def read_tasks(path: Path, measure: Measure, labels: Sequence[str] | None) -> tuple[Task, ...]:
    """Return the tasks of a file. `labels` are what a golden label may be; without them it may be anything.

    Raises:
        ConfigError: the file cannot be read, holds no task, lines are wrong, or an id is given twice.
    """
    lines: dict[str, int] = {}

    def parse(document: Document) -> Task:
        task = parse_task(document, measure, labels)
        if task.id in lines:
            message = f"the task '{task.id}' is there already, in line {lines[task.id]}"
            raise document.error((), message, "take one of the two out, or give it another 'id'")
        lines[task.id] = document.line
        return task

    tasks = tuple(read_records(path, parse))
    if not tasks:
        hint = 'write one JSON object a line, such as {"input": "…", "golden_label": "…"}'
        raise ConfigError([Problem("holds no task", display_path(path), hint=hint)])
    return tasks


def parse_task(document: Document, measure: Measure, labels: Sequence[str] | None) -> Task:
    """Return the task that is all of a document.

    Raises:
        ConfigError: it is none, or does not fit the measure or the labels.
    """
    spec = parse_model(TaskSpec, document)
    raise_any(_find_misfits(spec, document, measure, labels))
    return Task(
        id=spec.id or _make_id(spec.variables),
        variables=spec.variables,
        golden_label=spec.golden_label,
        expected_behavior=spec.expected_behavior,
        reference=spec.reference,
        file=document.file,
        line=document.line,
    )


def _find_misfits(
    spec: TaskSpec, document: Document, measure: Measure, labels: Sequence[str] | None
) -> Iterator[Problem]:
    """Yield what the task says that its measure has no use for, and what it needs and does not say."""
    for key in (GOLDEN,) if measure is Measure.SCORE else _JUDGED_ONLY:
        if getattr(spec, key) is not None:
            other = Measure.LABEL if measure is Measure.SCORE else Measure.SCORE
            yield document.problem((key,), f"belongs to measure '{other}', not to '{measure}'")
    if measure is Measure.SCORE:
        return
    if spec.golden_label is None:
        yield document.problem((GOLDEN,), "the key is missing", "say which label is right")
    elif labels is not None and spec.golden_label not in labels:
        hint = did_you_mean(spec.golden_label, labels) or f"the labels are {_some(labels)}"
        yield document.problem((GOLDEN,), f"'{spec.golden_label}' is none of the labels", hint)


def _make_id(variables: Mapping[str, Any]) -> str:
    """The first words of the task; with a digest where they are not all of it, since they may come again."""
    from slugify import slugify

    text = first_text(variables)
    words = slugify(text, max_length=ID_LENGTH, word_boundary=True)
    if words and len(variables) == 1 and words == slugify(text):
        return words
    whole = digest(as_text(variables))[:6]
    return f"{words or 'task'}-{whole}"


def _some(labels: Sequence[str]) -> str:
    more = f" and {len(labels) - MOST_SHOWN} more" if len(labels) > MOST_SHOWN else ""
    return ", ".join(labels[:MOST_SHOWN]) + more
