"""`qualifications.json`: what judges were found to be worth, beside the suite file.

An entry holds for one judge, one version of the engine's wording and one state of the suite's rubrics: with
another of any of them it says nothing.
"""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, StrictBool, StrictInt, StrictStr

from judges.core.errors import ConfigError, Problem
from judges.files.dates import parse_time
from judges.files.jsonl import parse_json
from judges.files.model import FileModel
from judges.files.shape import parse_model
from judges.files.text import display_path, read_text
from judges.files.whole import write_whole

QUALIFICATIONS_FILE = "qualifications.json"
SCHEMA = 1

_Share = Annotated[float, Field(ge=0, le=1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class QualificationEntry:
    """What one judge was found to be worth: `qualified`, or no better than chance.

    `n` outputs gave `pairs` pairs; `accuracy` and its interval from `low` to `high` are shares, 0..1, of
    them. `criteria` are figures for people, by criterion; nothing depends on them.
    """

    judge: str
    wording: str
    rubric_sha256: str
    qualified: bool
    n: int
    pairs: int
    accuracy: float
    low: float
    high: float
    measured: datetime
    criteria: dict[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, str, str]:
        """What it holds for."""
        return self.judge, self.wording, self.rubric_sha256


class _Entry(FileModel):
    """What one judge was found to be worth."""

    judge: StrictStr
    wording: StrictStr
    rubric_sha256: StrictStr
    qualified: StrictBool
    n: Annotated[StrictInt, Field(ge=1)]
    pairs: Annotated[StrictInt, Field(ge=1)]
    accuracy: _Share
    low: _Share
    high: _Share
    measured: StrictStr
    criteria: dict[StrictStr, Any] = Field({})


class QualificationsFile(FileModel):
    """What the judges of a suite were found to be worth."""

    schema_: Annotated[StrictInt, Field(ge=SCHEMA, le=SCHEMA)] = Field(alias="schema")
    judges: tuple[_Entry, ...]


def read_qualifications(path: Path) -> tuple[QualificationEntry, ...]:
    """Return the entries of a file, or none where there is no such file.

    Raises:
        ConfigError: the file cannot be read, or is wrong; with all problems.
    """
    if not path.exists():
        return ()
    document = parse_json(read_text(path), display_path(path))
    try:
        file = parse_model(QualificationsFile, document)
        return tuple(QualificationEntry(**{**dict(each), "measured": _time(each)}) for each in file.judges)
    except ConfigError as error:
        hint = "remove the file and measure again: scaffold qualify SUITE"
        raise ConfigError(
            Problem(each.message, each.file or document.file, key=each.key, hint=hint)
            for each in error.problems
        ) from None


def keep_qualification(path: Path, entry: QualificationEntry) -> None:
    """Write an entry into a file, in place of one that held for the same.

    Raises:
        ConfigError: the file that is there is wrong.
        OSError: it cannot be written.
    """
    others = [each for each in read_qualifications(path) if each.key != entry.key]
    with write_whole(path) as file:
        file.write(_render(sorted((*others, entry), key=lambda each: each.key)))


def _time(entry: _Entry) -> datetime:
    try:
        return parse_time(entry.measured)
    except ValueError as error:
        raise ConfigError([Problem(str(error), key="measured")]) from None


def _render(entries: Iterable[QualificationEntry]) -> str:
    judges = [{**asdict(each), "measured": each.measured.isoformat()} for each in entries]
    return json.dumps({"schema": SCHEMA, "judges": judges}, indent=2, ensure_ascii=False) + "\n"
