"""Recorded outputs, one a line: what `run --outputs FILE.jsonl` judges, and what `run --recorded` does."""

from collections.abc import Callable, Hashable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import Field, StrictInt, StrictStr

from judges.core.encode import encode_value, render_line
from judges.core.errors import Problem
from judges.files.jsonl import parse_json, read_lines
from judges.files.line_kinds import LineKind, refuse_other
from judges.files.model import FileModel, Number, Usd
from judges.files.problems import gather, merge_lines, raise_any
from judges.files.shape import parse_model
from judges.files.text import display_path

K = TypeVar("K", bound=Hashable)


class OutputLine(FileModel):
    """The recorded output of one case: of an arm or a model, and of a repeat, where there are several.

    `made_sha256` is the digest of what it was made from, `latency_ms` and `cost_usd` what making it took.
    """

    ref: Annotated[StrictStr, Field(min_length=1)]
    output: StrictStr
    arm: StrictStr | None = None
    model: StrictStr | None = None
    replica: Annotated[StrictInt, Field(ge=1)] = 1
    made_sha256: StrictStr | None = None
    latency_ms: Annotated[Number, Field(ge=0)] | None = None
    cost_usd: Usd | None = None

    @property
    def key(self) -> tuple[str, str | None, str | None, int]:
        """What tells it from the other lines of its file."""
        return self.ref, self.arm, self.model, self.replica


class Outputs(Mapping[str, str]):
    """The output of each case, by its ref. The texts stay on disk and are read when they are asked for.

    `path` is the file that holds them.
    """

    def __init__(self, path: Path, offsets: Mapping[str, int]) -> None:
        self.path = path
        self._offsets = offsets

    def __getitem__(self, ref: str) -> str:
        return _read(self.path, self._offsets[ref]).output

    def __iter__(self) -> Iterator[str]:
        return iter(self._offsets)

    def __len__(self) -> int:
        return len(self._offsets)


class RecordedOutputs:
    """The lines of a file that has been recorded. The texts stay on disk, too."""

    def __init__(self, path: Path) -> None:
        """Read a file; without one there are no outputs.

        Raises:
            ConfigError: the file cannot be read, lines are wrong, or an output is given twice.
        """
        self._path = path
        self._offsets = _index(path, lambda line: line.key) if path.exists() else {}

    @property
    def models(self) -> tuple[str, ...]:
        """The names of the models that made outputs, each once."""
        return tuple(dict.fromkeys(model for _, _, model, _ in self._offsets if model is not None))

    def find(self, ref: str, arm: str | None, model: str | None, replica: int) -> OutputLine | None:
        """Return the output of a trial, or else the one that is there whatever the model, if any is."""
        keys = ((ref, arm, model, replica), (ref, arm, None, replica))
        offset = next((self._offsets[key] for key in keys if key in self._offsets), None)
        return None if offset is None else _read(self._path, offset)


def read_outputs(path: Path) -> Mapping[str, str]:
    """Return the output of each case, by its ref.

    Raises:
        ConfigError: the file cannot be read, lines are wrong, or a ref is given twice; with all problems.
    """
    return Outputs(path, _index(path, lambda line: line.ref))


def render_output(line: OutputLine) -> str:
    """Return the line, without its newline, that is read as this one."""
    given = line.model_dump(exclude_defaults=True)
    return render_line({name: encode_value(value) for name, value in given.items()})


def _index(path: Path, key: Callable[[OutputLine], K]) -> dict[K, int]:
    """Return where each line starts, by its key."""
    problems: list[Problem] = []
    offsets: dict[K, int] = {}
    numbers: dict[K, int] = {}
    for line in read_lines(path):
        with gather(problems):
            document = parse_json(line.text, display_path(path), line.number)
            refuse_other(document, LineKind.OUTPUT)
            output = parse_model(OutputLine, document)
            name = key(output)
            if name in offsets:
                message = f"'{output.ref}' is given twice, first in line {numbers[name]}"
                raise document.error(("ref",), message)
            offsets[name], numbers[name] = line.offset, line.number
    raise_any(merge_lines(problems))
    return offsets


def _read(path: Path, offset: int) -> OutputLine:
    line = next(read_lines(path, offset))
    return parse_model(OutputLine, parse_json(line.text, display_path(path)))
