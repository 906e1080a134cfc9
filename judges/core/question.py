"""What a judge is asked, about what, and what it says: typed questions and answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """Which of these ordered levels fits? `levels[0]` describes level 1, the lowest; "" is undescribed."""

    name: str
    instructions: str
    levels: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Predicate:
    """Is this true of the evidence? `labels` are the words for true and false.

    `answer_key` is the key of the answer in the reply: a rubric that dictates its own keeps it.
    """

    name: str
    instructions: str
    labels: tuple[str, str] = ("YES", "NO")
    answer_key: str = "answer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Which one of these?"""

    name: str
    instructions: str
    choices: tuple[str, ...]


Question: TypeAlias = Score | Predicate | Choice


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a judge said to one question.

    `value` is the level (int, from 1) of a Score, the truth of a Predicate, or the choice. `probabilities`
    (level, label or choice -> 0..1) and `confidence` (0..1) are there where the backend gives them. `votes`
    are the answers that this one was combined from, if any; `supported` is what a meta-judge said of it.
    """

    value: int | bool | str
    reasoning: str | None = None
    quotes: tuple[str, ...] = ()
    probabilities: Mapping[str, float] | None = None
    confidence: float | None = None
    votes: tuple["Vote", ...] = ()
    supported: bool | None = None


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A question that the judge did not answer, and why. It is never turned into a verdict."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Vote:
    """One of several answers to the same question: by which judge, and the how-manieth time (from 1)."""

    judge: str
    replica: int
    answer: Answer | Unanswered


@dataclass(frozen=True, slots=True)
class Evidence:
    """The named texts a judge looks at, in order: inputs, the output, a reference. They are only data."""

    fields: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What a request is about. It never reaches a model and is no part of a cache key.

    Recorded judgements are found by it: the case's `ref`, the arm, the replica and the output's digest.
    """

    ref: str = ""
    arm: str | None = None
    replica: int = 1
    output_sha256: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """What one judge, by its full name, said when it was asked once: the answers by question name.

    `panel` names the judges that it was one of, if it was.
    """

    judge: str
    panel: str | None = None
    questions: tuple[Question, ...]
    evidence: Evidence
    subject: Subject
    answers: Mapping[str, Answer | Unanswered]
