"""An accepted earlier run of a suite: what later runs are measured against."""

from collections.abc import Mapping
from dataclasses import dataclass

from judges.core.question import Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselineCase:
    """One accepted output, of the model that made it if any did, and what the judge answered about it.

    `input_sha256` is the digest of the case's input. `asked_sha256` is that of what the judge was asked; None
    where it was not asked, since a check had failed. `score`, 0..100, is what came of it then.
    """

    ref: str
    model: str | None
    input_sha256: str
    output: str
    asked_sha256: str | None = None
    answers: Mapping[str, Answer]
    score: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """The cases of one accepted run, and what they were judged by.

    `judge` is the model's full name, `wording` the version of the engine's wording; `rubrics` are digests by
    criterion.
    """

    run: str
    judge: str
    wording: str
    rubrics: Mapping[str, str]
    cases: tuple[BaselineCase, ...]
