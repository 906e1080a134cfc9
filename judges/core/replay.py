"""A recorded judgement: what a judge, or a person, said about one output at an earlier time."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from difflib import get_close_matches

from judges.core.case import digest
from judges.core.question import Evidence, Question


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayEntry:
    """One answer to one question about one case.

    `question` is the question's name, such as `criteria.correctness`. `answer` is the level (int, from 1) of
    a Score, the truth of a Predicate, or the choice; `probabilities` (level, label or choice -> 0..1) and
    `confidence` (0..1) are there where they were. Without `arm`, `output_sha256` or `asked_sha256` the entry
    holds for every arm, whatever the output, or whatever was asked. `source` says who gave the answer. Where
    `panel` names several judges, it was one of them: what they came to together has an entry of its own, and
    this one is found only by its source.
    """

    ref: str
    question: str
    answer: int | bool | str
    arm: str | None = None
    replica: int = 1
    output_sha256: str | None = None
    asked_sha256: str | None = None
    reasoning: str | None = None
    quotes: tuple[str, ...] = ()
    probabilities: Mapping[str, float] | None = None
    confidence: float | None = None
    source: str | None = None
    panel: str | None = None


def closest_question(name: str, others: Iterable[str]) -> str | None:
    """Return the question that is perhaps meant, or None; that two are both of criteria says nothing."""
    tails = {_tail(each): each for each in others}
    close = get_close_matches(_tail(name), tails, n=1)
    return tails[close[0]] if close else None


def _tail(name: str) -> str:
    return name.partition(".")[2] or name


def digest_asked(question: Question, evidence: Evidence, context: str) -> str:
    """Return the digest of all that a suite's author and the outputs add to a question.

    The engine's own wording around it is not in it: with a new version of that the answer still holds.
    """
    asked = [type(question).__name__, asdict(question), list(evidence.fields.items()), context]
    return digest(json.dumps(asked))
