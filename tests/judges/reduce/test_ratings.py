"""Which ratings count, and what several of them come to."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from judges.core.rating import RaterKind, Rating
from judges.reduce.ratings import BY_MODEL, Scale, select_ratings

SCALES = {"tone": Scale("e1", 5), "safety": Scale("e2", 2)}
RATING = Rating(
    ref="a",
    criterion="tone",
    level=4,
    output_sha256="f0",
    rubric_sha256="e1",
    author="jane",
    timestamp=datetime(2026, 2, 1, tzinfo=UTC),
    blind=True,
)
LATER = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("levels", "expected"),
    [
        pytest.param([4], 4, id="one person"),
        pytest.param([5, 2], 2, id="the lower of two"),
        pytest.param([1, 5, 4], 4, id="the median of three"),
    ],
)
def test_several_people(levels: list[int], expected: int) -> None:
    """What several people say of an output comes to their lower median."""
    ratings = [replace(RATING, author=f"p{n}", level=level) for n, level in enumerate(levels)]
    assert select_ratings(ratings, SCALES, {"a"}) == ({("a", "f0"): {"tone": expected}}, {})


@pytest.mark.parametrize("newest_first", [False, True])
def test_the_newest_of_one_person(newest_first: bool) -> None:
    """Who rates again takes back what was said before, wherever it stands in the file."""
    ratings = [RATING, replace(RATING, level=2, timestamp=LATER)]
    found, left_out = select_ratings(ratings[::-1] if newest_first else ratings, SCALES, {"a"})
    assert (found, left_out) == ({("a", "f0"): {"tone": 2}}, {})


def test_outputs_and_criteria_are_apart() -> None:
    """Each output has its own levels, by criterion."""
    ratings = [
        RATING,
        replace(RATING, criterion="safety", rubric_sha256="e2", level=1),
        replace(RATING, output_sha256="f1", level=1),
        replace(RATING, ref="b", level=5),
    ]
    assert select_ratings(ratings, SCALES, {"a", "b"})[0] == {
        ("a", "f0"): {"tone": 4, "safety": 1},
        ("a", "f1"): {"tone": 1},
        ("b", "f0"): {"tone": 5},
    }


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"ref": "z"}, "the suite has no such case"),
        ({"criterion": "wit"}, "the suite has no such criterion"),
        ({"rubric_sha256": "e9"}, "the rubric has changed since"),
        ({"level": 6}, "the scale has no such level"),
        ({"blind": False}, "not blind: whoever gave it had seen what a judge said"),
        (
            {"rater_kind": RaterKind.MODEL},
            BY_MODEL,
        ),
    ],
)
def test_what_does_not_count(change: dict[str, Any], reason: str) -> None:
    """A rating of something else than is judged now, or that may echo a judge, is left out and told."""
    ratings = [RATING, replace(RATING, author="joe", **change), replace(RATING, author="jim", **change)]
    assert select_ratings(ratings, SCALES, {"a"}) == ({("a", "f0"): {"tone": 4}}, {reason: 2})
