"""`ratings.jsonl`: raters' own scores of outputs, one a line, beside the suite file."""

import json
from dataclasses import asdict
from datetime import UTC
from functools import lru_cache
from pathlib import Path
from typing import Annotated

from pydantic import Field, StrictBool, StrictInt, StrictStr

from judges.core.rating import RaterKind, Rating
from judges.files.dates import parse_time
from judges.files.document import Document
from judges.files.jsonl import read_records
from judges.files.line_kinds import LineKind, refuse_other
from judges.files.model import FileModel
from judges.files.shape import parse_model

RATINGS_FILE = "ratings.jsonl"

_Text = Annotated[StrictStr, Field(min_length=1)]


class RatingLine(FileModel):
    """A rater's own level of one output by one criterion."""

    ref: _Text
    criterion: _Text
    level: Annotated[StrictInt, Field(ge=1, le=100)]
    output_sha256: _Text
    rubric_sha256: _Text
    author: _Text
    timestamp: StrictStr
    blind: StrictBool
    rater_kind: RaterKind = RaterKind.PERSON


def read_ratings(path: Path) -> tuple[Rating, ...]:
    """Return the ratings of a file, in its order.

    Raises:
        ConfigError: the file cannot be read, or lines are wrong; with the problems of all lines.
    """
    try:
        state = path.stat()
    except OSError:
        return tuple(read_records(path, _rating))
    return _read(path, (state.st_ino, state.st_mtime_ns, state.st_size))


@lru_cache(maxsize=16)
def _read(path: Path, state: tuple[int, ...]) -> tuple[Rating, ...]:  # noqa: ARG001  (the key)
    """Of thousands of ratings a page asks at every step; a file that was added to is another one."""
    return tuple(read_records(path, _rating))


def render_rating(rating: Rating) -> str:
    """Return the line, without its newline, that `read_ratings` reads as this rating."""
    moment = rating.timestamp.astimezone(UTC).isoformat().replace("+00:00", "Z")
    return json.dumps({**asdict(rating), "timestamp": moment}, ensure_ascii=False)


def _rating(document: Document) -> Rating:
    refuse_other(document, LineKind.RATING)
    line = parse_model(RatingLine, document)
    try:
        timestamp = parse_time(line.timestamp)
    except ValueError as error:
        raise document.error(("timestamp",), str(error)) from None
    return Rating(**{**dict(line), "timestamp": timestamp})
