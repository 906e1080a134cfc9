"""What people said, by ratings and corrections, as labels."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from judges.core.case import Category
from judges.core.rating import RaterKind, Rating
from judges.files.case_meta import Bind
from judges.files.suite import Override
from judges.reduce.calibration_figures import Label
from judges.reduce.calibration_labels import Frame, label_judge, label_people, rate_corrections
from judges.reduce.ratings import BY_MODEL, Scale

NOW = datetime(2026, 11, 30, tzinfo=UTC)
SCALES = {"tone": Scale("e1", 5), "safe": Scale("e2", 2)}
TOTALS = "e3"
OVERRIDE = Override(
    case_ref="a",
    criterion="tone",
    score=Decimal(75),
    timestamp=NOW,
    reason="read it again",
    author="jane",
    bind=Bind.OUTPUT,
    output_sha256="f0",
    rubric_sha256="e1",
    expires=None,
    active=True,
)
FRAME = Frame({"a": Category.EDGE, "b": None}, SCALES, Fraction(70))


def rating(author: str, level: int, criterion: str = "tone") -> Rating:
    return Rating(
        ref="a",
        criterion=criterion,
        level=level,
        output_sha256="f0",
        rubric_sha256="e1",
        author=author,
        timestamp=NOW,
        blind=True,
    )


@pytest.mark.parametrize(
    ("score", "criterion", "level"),
    [
        ("0", "tone", 1),
        ("12.4", "tone", 1),
        ("12.5", "tone", 2),
        ("75", "tone", 4),
        ("85", "tone", 4),
        ("100", "tone", 5),
        ("49", "safe", 1),
        ("50", "safe", 2),
    ],
)
def test_a_score_is_the_nearest_level(score: str, criterion: str, level: int) -> None:
    """Of two that are as near the higher; of yes and no, yes from 50 on."""
    override = replace(OVERRIDE, score=Decimal(score), criterion=criterion)
    (found,), totals, left_out = rate_corrections([override], SCALES, TOTALS)
    assert (found.level, found.criterion, found.blind, found.author) == (level, criterion, False, "jane")
    assert (totals, left_out) == ({}, {})


@pytest.mark.parametrize(
    ("changes", "reasons"),
    [
        pytest.param({"output_sha256": None}, ["which output"], id="of no output"),
        pytest.param({"rubric_sha256": None}, ["which output"], id="by no rubric"),
        pytest.param({"criterion": None}, ["rubrics have changed"], id="a total by other rubrics"),
        pytest.param({"active": False}, [], id="withdrawn"),
    ],
)
def test_what_does_not_count(changes: dict[str, Any], reasons: list[str]) -> None:
    """A correction of nobody knows what is left out and told; a withdrawn one is nothing."""
    ratings, totals, left_out = rate_corrections([replace(OVERRIDE, **changes)], SCALES, TOTALS)
    assert (ratings, totals) == ([], {})
    assert len(left_out) == len(reasons)
    assert all(reason in told for reason, told in zip(reasons, left_out, strict=True))


def test_totals() -> None:
    """A correction of a total says what a person makes of the output as a whole."""
    override = replace(OVERRIDE, criterion=None, rubric_sha256=TOTALS, score=Decimal("62.5"))
    assert rate_corrections([override], SCALES, TOTALS) == ([], {("a", "f0"): Fraction(125, 2)}, {})


def test_the_newest_correction_counts_though_it_has_expired() -> None:
    """What a person thought of an output does not expire, only what follows for verdicts."""
    newer = replace(OVERRIDE, score=Decimal(0), timestamp=NOW + timedelta(days=1), expires=NOW)
    (found,), _, _ = rate_corrections([newer, OVERRIDE], SCALES, TOTALS)
    assert (found.level, found.timestamp) == (1, newer.timestamp)


def test_what_a_model_corrected() -> None:
    """It is left out and told, and takes nothing from what a person said before."""
    model = replace(OVERRIDE, rater_kind=RaterKind.MODEL, score=Decimal(0), timestamp=NOW + timedelta(days=1))
    total = replace(model, criterion=None, rubric_sha256=TOTALS)
    withdrawn = replace(model, criterion="safe", active=False)
    ratings, totals, left_out = rate_corrections([model, OVERRIDE, total, withdrawn], SCALES, TOTALS)
    assert ([each.level for each in ratings], totals, left_out) == ([4], {}, {BY_MODEL: 2})


def test_a_correction_without_author_and_scale() -> None:
    """It is somebody's; that the suite has no such criterion is told with the ratings."""
    ratings, _, _ = rate_corrections([replace(OVERRIDE, author=None, criterion="wit")], SCALES, TOTALS)
    assert [(each.author, each.criterion) for each in ratings] == [("unknown", "wit")]


def test_labels_of_the_judge() -> None:
    """People's lower median stands beside the judge's level, criterion by criterion, where both are known."""
    tone, safe, other = ((("a", "f0"), "tone"), (("a", "f0"), "safe"), (("b", "f1"), "tone"))
    opinions = {
        safe: {"jane": rating("jane", 2, "safe")},
        tone: {"jane": rating("jane", 3), "joe": rating("joe", 5)},
        other: {"jane": rating("jane", 1)},
    }
    label = Label(
        case="a",
        category=Category.EDGE,
        output_sha256="f0",
        criterion="tone",
        people=3,
        judge=4,
        failing=True,
    )
    passing = replace(label, criterion="safe", people=2, judge=1, failing=False)
    assert label_judge(FRAME, opinions, {tone: 4, safe: 1}) == [label, passing]


def test_labels_of_people() -> None:
    """Of three people every two stand beside each other, in either order; one alone beside nobody."""
    three = {name: rating(name, level) for name, level in (("jane", 1), ("joe", 2), ("jim", 5))}
    opinions = {(("a", "f0"), "tone"): three, (("a", "f0"), "safe"): {"jane": rating("jane", 1, "safe")}}
    pairs = {(each.people, each.judge) for each in label_people(FRAME, opinions)}
    assert pairs == {(1, 2), (2, 1), (1, 5), (5, 1), (2, 5), (5, 2)}
