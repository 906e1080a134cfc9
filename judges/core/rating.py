"""Somebody's own score of an output. It measures judges, and never changes a verdict."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class RaterKind(StrEnum):
    """What a rater is. Only what people say tells how good a judge is."""

    PERSON = "person"
    MODEL = "model"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """The level, from 1, that a person, or a model, gave one output on one criterion.

    `rubric_sha256` is the rubric that it was given by. A `blind` rating was given without sight of what a
    judge had said.
    """

    ref: str
    criterion: str
    level: int
    output_sha256: str
    rubric_sha256: str
    author: str
    timestamp: datetime
    blind: bool
    rater_kind: RaterKind = RaterKind.PERSON
