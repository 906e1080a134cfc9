"""A person's decisions as values."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal

import pytest

from judges.core.rating import RaterKind
from judges.files.case_meta import Bind
from judges.files.suite import Criterion, Override
from judges.reduce.overrides import newest_overrides, rubrics_sha256
from scaffold.review.decisions import Correction, Signature, correct, default_end, renew, take_back, withdraw

NOW = datetime(2026, 11, 30, 12, 0, 0, 999, tzinfo=UTC)
JANE, JOE = Signature("jane", NOW), Signature("joe", NOW + timedelta(days=1))
TONE = Criterion(name="tone", weight=Decimal(1), instructions="", levels=("", ""), rubric_sha256="e1")
WISH = Correction(score=Decimal(80), reason="seen")
MADE = correct(WISH, "a", "f0", (TONE,), JANE)


def test_a_correction() -> None:
    """It is bound to the output and the rubric, and ends with the 180th day."""
    made = correct(WISH, "a", "f0", (TONE,), JANE)
    assert made == Override(
        case_ref="a",
        criterion=None,
        score=Decimal(80),
        timestamp=NOW,
        reason="seen",
        author="jane",
        bind=Bind.OUTPUT,
        output_sha256="f0",
        rubric_sha256=rubrics_sha256((TONE,)),
        expires=datetime(2027, 5, 30, tzinfo=UTC),
        active=True,
    )


def test_a_correction_for_the_case() -> None:
    """It is bound to the rubric of its criterion alone, and ends when the person wants."""
    wish = replace(WISH, criterion="tone", for_case=True, expires=JOE.time)
    made = correct(wish, "a", "f0", (TONE,), JANE)
    assert (made.bind, made.output_sha256, made.rubric_sha256) == (Bind.CASE, None, "e1")
    assert made.expires == JOE.time


def test_half_a_surrogate_pair_is_replaced() -> None:
    """A command line that is no text becomes one."""
    assert correct(replace(WISH, reason="a\ud800"), "a", "f0", (TONE,), JANE).reason == "a?"


def test_withdrawn() -> None:
    """Who withdrew it, when and why; nothing ends any more."""
    gone = withdraw(replace(MADE, rater_kind=RaterKind.MODEL), "no", JOE)
    assert gone.rater_kind is RaterKind.PERSON
    assert (gone.active, gone.author, gone.reason, gone.timestamp) == (False, "joe", "no", JOE.time)
    assert gone.expires is None


@pytest.mark.parametrize(("output", "expected"), [("f1", "f1"), (None, "f0")])
def test_renewed(output: str | None, expected: str) -> None:
    """Score and reason stay; rubric and output are those of now, and it is a person's, whoever's it was."""
    old = replace(MADE, rubric_sha256="older", active=False, rater_kind=RaterKind.MODEL)
    again = renew(old, output, (TONE,), None, JOE)
    assert again == replace(
        MADE,
        author="joe",
        timestamp=JOE.time,
        output_sha256=expected,
        expires=default_end(JOE.time),
    )


def test_a_renewed_correction_of_the_case_stays_one() -> None:
    """One that held whatever the output is not bound to one, not even of the seed's shape."""
    old = replace(MADE, bind=Bind.CASE, output_sha256=None, rubric_sha256=None, author=None, expires=None)
    again = renew(old, "f1", (TONE,), JOE.time, JOE)
    assert (again.bind, again.output_sha256, again.expires) == (Bind.CASE, None, JOE.time)
    assert again.rubric_sha256 == rubrics_sha256((TONE,))


@pytest.mark.parametrize(
    ("before", "active", "score"),
    [
        pytest.param(None, False, 80, id="nothing before"),
        pytest.param(replace(MADE, active=False, score=Decimal(7)), False, 80, id="a withdrawn one before"),
        pytest.param(replace(MADE, score=Decimal(7)), True, 7, id="another one before"),
    ],
)
def test_taken_back(before: Override | None, active: bool, score: int) -> None:
    """Things are as they were, by a further decision."""
    back = take_back(MADE, before, JOE)
    assert (back.active, back.score, back.timestamp) == (active, score, JOE.time)


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        pytest.param(None, datetime(2026, 11, 30, 12, tzinfo=UTC), id="the first"),
        pytest.param(NOW - timedelta(seconds=9), datetime(2026, 11, 30, 12, tzinfo=UTC), id="an older one"),
        pytest.param(NOW, datetime(2026, 11, 30, 12, 0, 1, 999, tzinfo=UTC), id="one of the same second"),
        pytest.param(
            NOW + timedelta(days=1), datetime(2026, 12, 1, 12, 0, 1, 999, tzinfo=UTC), id="a later one"
        ),
        pytest.param(
            datetime.max.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC), id="the end of time"
        ),
        pytest.param(
            datetime(2026, 11, 30, 13, 0, 0, tzinfo=timezone(timedelta(hours=2))),
            datetime(2026, 11, 30, 12, tzinfo=UTC),
            id="another time zone",
        ),
    ],
)
def test_every_decision_is_the_newest(known: datetime | None, expected: datetime) -> None:
    """A clock that runs behind the one that a decision before was made by keeps nobody from deciding."""
    before = None if known is None else replace(MADE, timestamp=known)
    signature = JANE.after(before)
    assert signature.time == expected
    made = replace(MADE, timestamp=signature.time, score=Decimal(1))
    assert newest_overrides([before or made, made])["a"][None] is made
