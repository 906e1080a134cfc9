"""Recorded outputs, one a line: what `run --outputs FILE.jsonl` judges."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated

from pydantic import Field, StrictStr

from judges.core.errors import Problem
from judges.files.jsonl import parse_json, read_lines
from judges.files.model import FileModel
from judges.files.problems import gather, raise_any
from judges.files.shape import parse_model
from judges.files.text import display_path


class OutputLine(FileModel):
    """The recorded output of one case."""

    ref: Annotated[StrictStr, Field(min_length=1)]
    output: StrictStr


class Outputs(Mapping[str, str]):
    """The output of each case, by its ref. The texts stay on disk and are read when they are asked for."""

    def __init__(self, path: Path, offsets: Mapping[str, int]) -> None:
        self._path = path
        self._offsets = offsets

    def __getitem__(self, ref: str) -> str:
        line = next(read_lines(self._path, self._offsets[ref]))
        return parse_model(OutputLine, parse_json(line.text, display_path(self._path))).output

    def __iter__(self) -> Iterator[str]:
        return iter(self._offsets)

    def __len__(self) -> int:
        return len(self._offsets)


def read_outputs(path: Path) -> Mapping[str, str]:
    """Return the output of each case, by its ref.

    Raises:
        ConfigError: the file cannot be read, lines are wrong, or a ref is given twice; with all problems.
    """
    problems: list[Problem] = []
    offsets: dict[str, int] = {}
    lines: dict[str, int] = {}
    for line in read_lines(path):
        with gather(problems):
            document = parse_json(line.text, display_path(path), line.number)
            ref = parse_model(OutputLine, document).ref
            if ref in offsets:
                raise document.error(("ref",), f"'{ref}' is given twice, first in line {lines[ref]}")
            offsets[ref], lines[ref] = line.offset, line.number
    raise_any(problems)
    return Outputs(path, offsets)
