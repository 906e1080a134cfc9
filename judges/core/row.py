"""A row: the result of one assertion. A notice: a remark that changes no verdict."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from judges.core.verdict import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """The result of one assertion.

    `score` is 0..100 where the assertion has one. `actual_excerpt` is what was found, short enough for a
    table. `spec` is what was asked for. `error` is why it could not be measured, or why it was skipped.
    `extra` holds further keys of the row in files, such as `reasoning`.
    """

    id: str
    kind: str
    verdict: Verdict
    score: Decimal | None = None
    actual_excerpt: str | None = None
    spec: Mapping[str, Any] = field(default_factory=dict)
    error: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Notice:
    """A remark that never changes a verdict or an exit code. `ref` names the case it is about, if any."""

    text: str
    ref: str | None = None


EXCERPT_LENGTH = 200
REASON_LENGTH = 300
"""The most characters of why something went wrong, which ends with what to do about it."""


def excerpt(text: str, length: int = EXCERPT_LENGTH) -> str:
    """Return the start of a text, with an ellipsis where it was cut."""
    return text if len(text) <= length else text[: length - 1] + "…"
