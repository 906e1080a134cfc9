"""A recorded judgement: what a judge, or a person, said about one output at an earlier time."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayEntry:
    """One answer to one question about one case.

    `question` is the question's name, such as `criteria.correctness`. `answer` is the level (int, from 1) of
    a Score, the truth of a Predicate, or the choice. Without `arm` or `output_sha256` the entry holds for
    every arm, or whatever the output. `source` says who gave the answer.
    """

    ref: str
    question: str
    answer: int | bool | str
    arm: str | None = None
    replica: int = 1
    output_sha256: str | None = None
    reasoning: str | None = None
    quotes: tuple[str, ...] = ()
    source: str | None = None
