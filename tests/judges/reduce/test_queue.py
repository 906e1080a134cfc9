"""The order of a review, and its random sample."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.core.verdict import Verdict
from judges.reduce.queue import QueueItem, build_queue, rank_queue
from judges.reduce.reasons import Reason, ReasonKind


def item(number: int, *kinds: ReasonKind, **changes: Any) -> QueueItem:
    values: dict[str, Any] = {
        "run": "r",
        "suite": "s",
        "number": number,
        "ref": f"c{number}",
        "title": "",
        "model": None,
        "verdict": Verdict.PASS,
        "score": None,
        "reasons": tuple(Reason(kind, kind) for kind in kinds),
    }
    return QueueItem(**{**values, **changes})


RANKED = [
    item(5, ReasonKind.ABOVE_RANGE, ReasonKind.OVERRIDE),
    item(9, ReasonKind.WARN),
    item(1, ReasonKind.FRAGILE, confidence=0.2),
    item(0, ReasonKind.FRAGILE, ReasonKind.FRAGILE),
    item(3, ReasonKind.FRAGILE),
    item(2, ReasonKind.FRAGILE, suite="t"),
    item(4, ReasonKind.OVERRIDE),
]


@given(st.permutations(RANKED))
def test_rank(items: list[QueueItem]) -> None:
    """Most kinds of reasons first, then the kind, then the least certain, then the suite's order."""
    assert rank_queue(items) == RANKED


def drawn(queue: list[QueueItem]) -> set[str]:
    return {each.ref for each in queue if each.reasons[0].kind is ReasonKind.SAMPLE}


@pytest.mark.parametrize(
    ("share", "expected"),
    [("0", 0), ("1/20", 3), ("1/1000", 1), ("1", 60)],
    ids=["none", "5%", "little", "all"],
)
def test_sample(share: str, expected: int) -> None:
    """A share, rounded up, of what nothing speaks for follows at the end."""
    rest = [item(number) for number in range(60)]
    queue = build_queue([*rest, item(99, ReasonKind.WARN)], Fraction(share), seed=0)
    assert [each.ref for each in queue[:1]] == ["c99"]
    assert len(drawn(queue)) == len(queue) - 1 == expected


def test_what_is_not_drawn() -> None:
    """What was not measured, or what a person has reviewed, is in no sample."""
    out = [item(0, verdict=Verdict.ERROR), item(1, verdict=Verdict.SKIP), item(2, reviewed=True), item(3)]
    assert drawn(build_queue(out, Fraction(1), seed=0)) == {"c3"}


@given(st.permutations(range(60)))
def test_the_seed_decides_alone(order: list[int]) -> None:
    """The same seed draws the same, whatever the order; of more results it draws few others."""
    share = Fraction(1, 6)
    first = drawn(build_queue([item(number) for number in range(60)], share, seed=1))
    assert drawn(build_queue([item(number) for number in order], share, seed=1)) == first
    assert drawn(build_queue([item(number) for number in order], share, seed=2)) != first
    more = drawn(build_queue([item(number) for number in range(66)], share, seed=1))
    assert len(first - more) <= 2


def test_a_name_within_the_run() -> None:
    """A result is named by its suite's folder and its place there."""
    assert item(7).id == "s:7"
