"""Blocks of a source file: the text between two markers, which a prompt under test is made of.

A marker names its block, `<!-- eval-gate:block:ID:start -->`, unless the registry gives other markers. What
stands in quotes or backticks is a mention of a marker, as documents have it, and marks nothing.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from judges.core.errors import ConfigError, Problem
from judges.files.text import line_and_column

_START, _END = "<!-- eval-gate:block:{}:start -->", "<!-- eval-gate:block:{}:end -->"
_QUOTES = "`\"'"
_MARKER = re.compile(
    rf"(?<![{_QUOTES}])<!-- eval-gate:block:([a-z][a-z0-9-]*):(?:start|end) -->(?![{_QUOTES}])"
)
_HINT = "a block stands between one start marker and one end marker"


@dataclass(frozen=True, slots=True)
class Marker:
    """Where a block's start or end is marked: line and column from 1."""

    block_id: str
    line: int
    column: int


def default_markers(block_id: str) -> tuple[str, str]:
    """Return the start and the end marker of a block for which the registry gives none."""
    return _START.format(block_id), _END.format(block_id)


def extract_block(text: str, start: str, end: str, file: str) -> str:
    """Return what stands between two markers, without the white space around it and with LF line ends.

    `file` names the text in messages.

    Raises:
        ConfigError: a marker is missing or doubled, or the end precedes the start.
    """
    problems = [*_miscounts(text, "start", start, file), *_miscounts(text, "end", end, file)]
    if problems:
        raise ConfigError(problems)
    head, tail = text.index(start), text.index(end)
    if tail < head:
        message = f"end marker {end} precedes start marker {start}"
        raise ConfigError([Problem(message, file, *line_and_column(text, tail), hint=_HINT)])
    return text[head + len(start) : tail].replace("\r\n", "\n").strip()


def find_markers(text: str) -> Iterator[Marker]:
    """Yield every marker of the default form that names a block."""
    for match in _MARKER.finditer(text):
        yield Marker(match[1], *line_and_column(text, match.start()))


def _miscounts(text: str, kind: str, marker: str, file: str) -> Iterator[Problem]:
    first = text.find(marker)
    if first < 0:
        yield Problem(f"{kind} marker not found: {marker}", file, hint=_HINT)
        return
    second = text.find(marker, first + len(marker))
    if second >= 0:
        line, _ = line_and_column(text, first)
        message = f"{kind} marker found twice, first in line {line}: {marker}"
        yield Problem(message, file, *line_and_column(text, second), hint=_HINT)
