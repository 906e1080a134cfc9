"""A correction of a score by a person, for tests of what it changes."""

from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal

from judges.files.case_meta import Bind
from judges.files.suite import Override

_CORRECTION = Override(
    case_ref="a",
    criterion=None,
    score=Decimal(0),
    timestamp=datetime(2026, 2, 18, tzinfo=UTC),
    reason="Read it again",
    author="jane@example.com",
    bind=Bind.CASE,
    output_sha256=None,
    rubric_sha256=None,
    expires=None,
    active=True,
)


def correction(score: int, criterion: str | None = None) -> Override:
    """What sets the total, or a criterion, of the case `a`, whatever its output."""
    return replace(_CORRECTION, score=Decimal(score), criterion=criterion)
