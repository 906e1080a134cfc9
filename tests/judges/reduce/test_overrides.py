"""Which corrections hold: the newest, unless it is withdrawn, expired or stale."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from judges.files.case_meta import Bind
from judges.files.suite import Criterion, Override
from judges.reduce.overrides import Corrections, newest_overrides, rubrics_sha256, select_overrides

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
TONE = Criterion(name="tone", weight=Decimal(1), instructions="", levels=("", ""), rubric_sha256="rubric now")


def override(**changes: Any) -> Override:
    values: dict[str, Any] = {
        "case_ref": "a",
        "criterion": None,
        "score": Decimal(80),
        "timestamp": NOW - timedelta(days=1),
        "reason": "r",
        "author": None,
        "bind": Bind.CASE,
        "output_sha256": None,
        "rubric_sha256": None,
        "expires": None,
        "active": True,
    }
    return Override(**{**values, **changes})


def select(*overrides: Override, output_sha256: str = "output now") -> Corrections:
    return select_overrides(
        newest_overrides(overrides).get("a", {}),
        ref="a",
        output_sha256=output_sha256,
        criteria=(TONE,),
        now=NOW,
    )


def test_newest_wins_whatever_the_order() -> None:
    """The newest decision about a thing counts, total and criterion each by itself."""
    old = override(timestamp=NOW - timedelta(days=9), score=Decimal(1))
    new, tone = override(), override(criterion="tone")
    assert select(new, old, tone) == select(old, tone, new)
    assert (select(new, old, tone).total, select(new, old, tone).criteria) == (new, {"tone": tone})


def test_withdrawn() -> None:
    """A withdrawn correction does not bring back the one before it."""
    withdrawn = override(active=False)
    assert select(override(timestamp=NOW - timedelta(days=9)), withdrawn) == Corrections()


def test_another_case() -> None:
    """A correction holds for its own case."""
    assert select(override(case_ref="b")) == Corrections()


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        pytest.param(
            {"expires": NOW}, "override of the total not applied: it expired on 2026-11-30", id="expired"
        ),
        pytest.param(
            {"bind": Bind.OUTPUT, "output_sha256": "older"},
            "override of the total not applied: it is stale, the output has changed since",
            id="the output changed",
        ),
        pytest.param(
            {"criterion": "tone", "rubric_sha256": "older"},
            "override of tone not applied: it is stale, the rubric has changed since",
            id="the rubric changed",
        ),
        pytest.param(
            {"criterion": "taste"},
            "override of taste not applied: there is no such criterion",
            id="no such criterion",
        ),
    ],
)
def test_not_applied(changes: dict[str, Any], reason: str) -> None:
    """An expired or stale correction is said and not applied."""
    corrections = select(override(**changes))
    assert (corrections.total, corrections.criteria) == (None, {})
    assert [(notice.text, notice.ref) for notice in corrections.notices] == [(reason, "a")]


@pytest.mark.parametrize(
    "changes",
    [
        {"expires": NOW + timedelta(seconds=1)},
        {"bind": Bind.OUTPUT, "output_sha256": "output now"},
        {"bind": Bind.CASE, "output_sha256": "older"},
        {"rubric_sha256": rubrics_sha256((TONE,))},
        {"criterion": "tone", "rubric_sha256": "rubric now"},
    ],
)
def test_applied(changes: dict[str, Any]) -> None:
    """A correction that is bound to what is still there holds."""
    corrections = select(override(**changes))
    assert corrections.notices == ()
    assert corrections.total or corrections.criteria
