"""What every readable format says of a case: its score, and who corrected it."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from judges.core.rating import RaterKind
from judges.core.report import CaseReport
from judges.core.row import Row
from judges.core.score_text import render_score

_THRESHOLDS = ("pass", "warn", "min", "max", "minimum")


def render_case_score(case: CaseReport) -> str:
    """Return a case's score, on its own side of each threshold that decided it; "" where there is none."""
    if case.score is None:
        return ""
    return render_score(
        case.score, *(each for row in case.rows if row.id == "score" for each in _thresholds(row))
    )


def render_row_score(row: Row) -> str:
    """Return a row's score, on its own side of each threshold that decided it; "" where there is none."""
    return "" if row.score is None else render_score(row.score, *_thresholds(row))


def describe_overrides(case: CaseReport) -> Iterator[str]:
    """Yield a sentence for each correction of a case: of what, by whom, what the judge had said, and why."""
    if case.override is None:
        return
    if "score" in case.override:
        yield _describe("Overridden", case.override)
    for name, correction in case.override.get("criteria", {}).items():
        yield _describe(f"{name} overridden", correction)


def _describe(what: str, correction: Mapping[str, Any]) -> str:
    author, judged = correction.get("author"), correction.get("judged_score")
    by = f" by {author}" if author else ""
    if correction.get("rater_kind") == RaterKind.MODEL:
        by = f"{by} (a model)" if by else " by a model"
    before = "" if judged is None else f", judged {render_score(_number(judged))}"
    return f"{what}{by} (to {render_score(_number(correction['score']))}{before}): {correction.get('reason')}"


def _thresholds(row: Row) -> list[Decimal]:
    return [_number(row.spec[key]) for key in _THRESHOLDS if key in row.spec]


def _number(value: float) -> Decimal:
    return Decimal(str(value))
