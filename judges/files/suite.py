"""A prompt suite, fully read: the values that planning, asking and reducing work on."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

from judges.core.baseline import Baseline
from judges.core.case import Case
from judges.core.rating import RaterKind
from judges.core.row import Notice
from judges.files.case_meta import Bind
from judges.files.evaluation_meta import EvaluationType, ModelSpec
from judges.files.prompt_meta import PromptMeta, Thresholds

EVEN = Decimal(50)
"""The share, 0..100, that the second arm of a comparison must win unless the suite says otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """A criterion with its rubric read.

    `levels[0]` describes level 1; an undescribed level is "". Where the evaluation type has no levels there
    are none, and the instructions are the whole rubric. `minimum` is the percent, 0..100, that it must reach
    regardless of the score.
    """

    name: str
    weight: Decimal
    instructions: str
    levels: tuple[str, ...]
    rubric_sha256: str
    minimum: Decimal | None = None


def heaviest_step(criteria: tuple[Criterion, ...]) -> Fraction:
    """Return by how much, 0..100, the score changes with one level of the criterion that changes it most."""
    total = sum((Fraction(each.weight) for each in criteria), Fraction(0))
    steps = (Fraction(each.weight) * 100 / (len(each.levels) - 1) / total for each in criteria if total)
    return max(steps, default=Fraction(0))


@dataclass(frozen=True, slots=True, kw_only=True)
class Arm:
    """Where the outputs of one variant in a comparison come from: one of three ways.

    `target` is sent to `model`, or to the suite's own without one; a `runner` is told the arm; `outputs` are
    recorded ones by case ref.
    """

    name: str
    target: Path | None = None
    runner: Path | None = None
    outputs: Mapping[str, str] | None = None
    model: ModelSpec | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Override:
    """A correction: `score`, 0..100, for one criterion or (None) for the total of a case.

    It is a person's, unless its `rater_kind` says otherwise.
    """

    case_ref: str
    criterion: str | None
    score: Decimal
    timestamp: datetime
    reason: str
    author: str | None
    bind: Bind
    output_sha256: str | None
    rubric_sha256: str | None
    expires: datetime | None
    active: bool
    rater_kind: RaterKind = RaterKind.PERSON


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptSuite:
    """Everything that one `prompt-meta.yaml` says, with the files it names resolved.

    `root` is the project root, `test_root` the folder its relative names start from. `context` is the
    author's own wording for the judge (`judge.md`). `cases` may be read from disk each time it is iterated.
    `config` is the `.env` file of the runner and the providers, which need not exist. `specs` are the
    documents that the judge is given with every case: their texts by their paths from the root. `logs` and
    `analysis` are the folders for copies of the results, which need not exist. `arms` are the two variants of
    a comparison. `baseline` is the accepted earlier run that a regression is measured against.
    """

    name: str
    path: Path
    root: Path
    test_root: Path
    meta: PromptMeta
    criteria: tuple[Criterion, ...]
    cases: Collection[Case]
    target: Path | None = None
    runner: Path | None = None
    arms: tuple[Arm, ...] = ()
    baseline: Baseline | None = None
    config: Path | None = None
    model: ModelSpec | None = None
    context: str = ""
    specs: Mapping[str, str] = field(default_factory=dict)
    logs: Path | None = None
    analysis: Path | None = None
    allow_outside: bool = False
    overrides: tuple[Override, ...] = ()
    notices: tuple[Notice, ...] = ()

    @property
    def evaluation(self) -> EvaluationType:
        """The evaluation type."""
        return self.meta.evaluation.type

    @property
    def thresholds(self) -> Thresholds:
        """The thresholds, with the default of the evaluation type."""
        given = self.meta.thresholds
        if self.evaluation is EvaluationType.COMPARISON and "pass_" not in given.model_fields_set:
            return given.model_copy(update={"pass_": EVEN})
        return given
