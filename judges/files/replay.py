"""`replay.jsonl`: recorded judgements, one a line, by `--record` or by hand."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, Field, StrictInt, StrictStr

from judges.core.replay import ReplayEntry
from judges.files.document import Document
from judges.files.jsonl import read_records
from judges.files.line_kinds import LineKind, refuse_other
from judges.files.model import FileModel
from judges.files.problems import found
from judges.files.shape import parse_model

_ANSWERS = ["integer", "boolean", "string"]


def _answer(value: Any) -> Any:
    if not isinstance(value, int | str) or value == "":
        raise ValueError(f"expected a level (a whole number), true, false or a choice, found {found(value)}")
    return value


class ReplayLine(FileModel):
    """The recorded answer to one question about one case."""

    ref: Annotated[StrictStr, Field(min_length=1)]
    question: Annotated[StrictStr, Field(min_length=1)]
    answer: Annotated[Any, AfterValidator(_answer), Field(json_schema_extra={"type": _ANSWERS})]
    arm: StrictStr | None = None
    replica: Annotated[StrictInt, Field(ge=1)] = 1
    output_sha256: StrictStr | None = None
    asked_sha256: StrictStr | None = None
    reasoning: StrictStr | None = None
    quotes: tuple[StrictStr, ...] = ()
    probabilities: dict[str, Annotated[float, Field(ge=0, le=1)]] | None = None
    confidence: Annotated[float, Field(ge=0, le=1)] | None = None
    source: StrictStr | None = None
    panel: StrictStr | None = None


def read_replay(path: Path) -> tuple[ReplayEntry, ...]:
    """Return the entries of a file, in its order.

    Raises:
        ConfigError: the file cannot be read, or lines are wrong; with the problems of all lines.
    """
    return tuple(read_records(path, _entry))


def render_replay_entry(entry: ReplayEntry) -> str:
    """Return the line, without its newline, that `read_replay` reads as this entry."""
    given = {key: value for key, value in asdict(entry).items() if value not in (None, ())}
    return json.dumps(given, ensure_ascii=False)


def _entry(document: Document) -> ReplayEntry:
    refuse_other(document, LineKind.ANSWER)
    return ReplayEntry(**dict(parse_model(ReplayLine, document)))
