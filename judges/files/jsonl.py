"""JSON lines: streamed, of any size, one document a line."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from judges.core.errors import ConfigError, Problem
from judges.files.document import Document
from judges.files.problems import gather, merge_lines, raise_any
from judges.files.text import MAX_BYTES, decode, display_path, open_file

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Line:
    """One line: its number (from 1), the offset of its first byte, and its text without the newline."""

    number: int
    offset: int
    text: str


def read_records(path: Path, parse: Callable[[Document], T]) -> list[T]:
    """Return what `parse` makes of each line that is not blank.

    Raises:
        ConfigError: the file cannot be read, or lines are wrong; with the problems of all lines, each kind
            once.
    """
    problems: list[Problem] = []
    records: list[T] = []
    name = display_path(path)
    for line in read_lines(path):
        with gather(problems):
            records.append(parse(parse_json(line.text, name, line.number)))
    raise_any(merge_lines(problems))
    return records


def read_lines(path: Path, offset: int = 0) -> Iterator[Line]:
    """Yield the lines, from a byte offset on, that are not blank. Their numbers count from there.

    Raises:
        ConfigError: the file cannot be read, is not text, or has a line of more than 10 MB.
    """
    with open_file(path) as file:
        file.seek(offset)
        for number, data in enumerate(iter(lambda: file.readline(MAX_BYTES + 1), b""), start=1):
            if len(data) > MAX_BYTES:
                message = f"the line is longer than {MAX_BYTES / 1e6:g} MB"
                raise ConfigError([Problem(message, display_path(path), number)])
            text = decode(data, path, number).strip()
            if text:
                yield Line(number, offset, text)
            offset += len(data)


def parse_json(text: str, file: str, line: int = 1) -> Document:
    """Return the value of a JSON text that starts at a line of a file.

    Raises:
        ConfigError: the text is not JSON, holds a key twice or a number that JSON does not have.
    """
    try:
        value = _decode(text)
    except json.JSONDecodeError as error:
        message = f"not valid JSON: {error.msg}"
        raise ConfigError([Problem(message, file, line + error.lineno - 1, error.colno)]) from None
    except RecursionError:
        raise ConfigError([Problem("is nested too deep", file, line, 1)]) from None
    except ValueError as error:
        raise ConfigError([Problem(f"not valid JSON: {error}", file, line, 1)]) from None
    return Document(value, file, line=line)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"the key '{next(key for key in keys if keys.count(key) > 1)}' is given twice")
    return value


def _integer(digits: str) -> int:
    try:
        return int(digits)
    except ValueError:
        raise ValueError(f"a number with {len(digits)} digits is too long") from None


def _no_number(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a JSON number")


# built once: `json.loads` would do it for every line
_decode = json.JSONDecoder(object_pairs_hook=_unique, parse_int=_integer, parse_constant=_no_number).decode
