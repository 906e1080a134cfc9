"""Files that hold cases, YAML, JSON, JSON lines or CSV: each a stream of places where a case stands."""

import csv
import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from judges.core.errors import ConfigError, Problem
from judges.files.case_meta import CaseSpec
from judges.files.document import Document, Loc
from judges.files.json_file import read_json
from judges.files.jsonl import parse_json, read_lines
from judges.files.problems import did_you_mean, found, raise_any
from judges.files.text import MAX_BYTES, display_path, open_file, read_text
from judges.files.yaml import compose_yaml, plain_value

INPUT = "input"
RANGE = "expected_score_range"


class Place(NamedTuple):
    """Where one case stands; `alone` if it is all that its file holds."""

    document: Document
    loc: Loc
    alone: bool = False


def case_places(path: Path) -> Iterator[Place]:
    """Yield the place of each case of a file, whose ending says how it is read.

    Raises:
        ConfigError: the file cannot be read, or holds something else than cases.
    """
    return CASE_FILES[path.suffix.lower()](path)


def document_places(document: Document) -> Iterator[Place]:
    """Yield the place of each case of a document.

    Raises:
        ConfigError: it holds something else than cases.
    """
    if isinstance(document.value, dict):
        yield Place(document, (), alone=True)
    elif isinstance(document.value, list):
        yield from (Place(document, (index,)) for index in range(len(document.value)))
    else:
        raise document.error((), f"expected a case or a list of cases, found {found(document.value)}")


def _yaml_places(path: Path) -> Iterator[Place]:
    return document_places(compose_yaml(read_text(path), display_path(path)))


def _json_places(path: Path) -> Iterator[Place]:
    return document_places(read_json(path))


def _jsonl_places(path: Path) -> Iterator[Place]:
    name = display_path(path)
    for line in read_lines(path):
        try:
            yield Place(parse_json(line.text, name, line.number), ())
        except ConfigError as error:  # the other lines are read all the same
            yield Place(Document(None, name, line=line.number, problems=error.problems), ())


def _csv_places(path: Path) -> Iterator[Place]:
    name = display_path(path)
    csv.field_size_limit(MAX_BYTES)
    with open_file(path) as file:
        rows = csv.reader(io.TextIOWrapper(file, "utf-8-sig", newline=""), strict=True)
        try:
            columns = next(rows, [])
            _check_columns(columns, name)
            line = rows.line_num + 1
            for cells in rows:
                if cells:
                    yield Place(_row(columns, cells, name, line), ())
                line = rows.line_num + 1
        except csv.Error as error:
            raise ConfigError([Problem(f"not valid CSV: {error}", name, rows.line_num, 1)]) from None


def _check_columns(columns: list[str], file: str) -> None:
    problems = []
    for index, column in enumerate(columns):
        head, _, tail = column.partition(".")
        if not (column in COLUMNS or (head in (INPUT, RANGE) and tail)):
            hint = did_you_mean(column, COLUMNS) or f"an input is named {INPUT}.{column or 'NAME'}"
            problems.append(Problem(f"the column '{column}' is no field of a case", file, 1, 1, hint=hint))
        if column in columns[:index]:
            problems.append(Problem(f"the column '{column}' is there twice", file, 1, 1))
    if not columns:
        problems.append(Problem("is empty", file, hint="the first line names the columns"))
    raise_any(problems)


def _row(columns: list[str], cells: list[str], file: str, line: int) -> Document:
    if len(cells) > len(columns):
        message = f"has {len(cells)} cells for {len(columns)} columns"
        problem = Problem(message, file, line, 1, hint="put a text that holds commas in quotes")
        return Document(None, file, line=line, problems=(problem,))
    value: dict[str, Any] = {}
    for column, cell in zip(columns, cells, strict=False):
        head, _, tail = column.partition(".")
        if head == INPUT:
            value.setdefault(INPUT, {})[tail] = cell
        elif head == RANGE and cell:
            value.setdefault(RANGE, {})[tail] = plain_value(cell)
        elif column == "tags":
            value["tags"] = [tag.strip() for tag in cell.split(",") if tag.strip()]
        elif cell:
            value[column] = cell
    return Document(value, file, line=line)


COLUMNS = tuple(sorted(CaseSpec.model_fields.keys() - {INPUT, RANGE, "manual_override"}))
CASE_FILES: dict[str, Callable[[Path], Iterator[Place]]] = {
    ".yaml": _yaml_places,
    ".yml": _yaml_places,
    ".json": _json_places,
    ".jsonl": _jsonl_places,
    ".csv": _csv_places,
}
