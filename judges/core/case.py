"""What is under test: cases, the trials they expand to, and what a trial produced."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from hashlib import sha256
from typing import Any, TypeAlias

from judges.core.usage import NOTHING, Usage


class Category(StrEnum):
    """What kind of input a case holds."""

    ELEMENT = "element"
    MIXED = "mixed"
    EDGE = "edge"
    ZERO_CONDITION = "zero_condition"


@dataclass(frozen=True, slots=True)
class ScoreRange:
    """The total scores, 0..100 and both ends included, that a case is expected to reach."""

    min: Decimal
    max: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One input and what is expected of the output. `ref` names it within its suite."""

    ref: str
    title: str
    category: Category
    input: Mapping[str, Any]
    expected_behavior: str | None = None
    expected_score_range: ScoreRange | None = None
    reference: str | None = None
    output: str | None = None
    tags: tuple[str, ...] = ()
    skip: str | None = None
    file: str | None = None
    line: int | None = None

    @property
    def declines_expected(self) -> bool:
        """Whether a good output declines the input, or treats it as invalid."""
        return self.category is Category.ZERO_CONDITION


@dataclass(frozen=True, slots=True)
class Trial:
    """One case to be run once: with which arm, by which model, the how-manieth time (from 1)."""

    case: Case
    model: str | None = None
    arm: str | None = None
    replica: int = 1

    @property
    def key(self) -> "TrialKey":
        """What tells a trial from every other one of its suite."""
        return self.case.ref, self.arm, self.model, self.replica


TrialKey: TypeAlias = tuple[str, str | None, str | None, int]
"""The case's ref, the arm, the model and the replica."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord:
    """What a trial produced: an output, or the reason why there is none.

    `source` says where the output came from: `recorded`, or the name of the model or program. `events` is
    what a program tells of its way to the output; it is kept for people to read. `accepted` tells that it is
    the output of an earlier run, beside which one of now stands. `cost_usd` is what a recorded output cost
    when it was made, where that is known; nothing is spent on it now.
    """

    output: str | None
    source: str
    error: str | None = None
    usage: Usage = NOTHING
    latency_ms: float | None = None
    events: tuple[Any, ...] = ()
    accepted: bool = False
    cost_usd: Decimal | None = None
    output_sha256: str | None = field(init=False, repr=False, compare=False)
    """The digest that ties judgements, overrides and ratings to exactly this output."""

    def __post_init__(self) -> None:
        known = None if self.output is None else digest(self.output)
        object.__setattr__(self, "output_sha256", known)


def digest(text: str) -> str:
    """Return the sha256 of a text's UTF-8 bytes, in hex."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
