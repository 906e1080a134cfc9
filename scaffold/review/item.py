"""Everything that a person needs to see of one result to have an opinion about it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from judges.core.case import Category
from judges.core.rating import Rating
from judges.core.report import CaseReport
from judges.core.row import Row
from judges.core.verdict import Verdict
from judges.files.evaluation_meta import EvaluationType
from judges.files.suite import Criterion, Override
from judges.reduce.overrides import Newest
from judges.run.review import StoredResult, bound_sha256, settle
from scaffold.review.opened import OpenSuite, all_decisions

YES_OR_NO = ("it does not hold", "it holds")
"""What the levels of a criterion are that is answered with no or yes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewedCriterion:
    """A criterion and what the judge said on it.

    `anchors[0]` describes level 1; there are none in a comparison. `judged_level` and `judged_percent` are
    the judge's, whoever corrected them; they are None where it gave no answer, `error` says why.
    """

    name: str
    weight: Decimal
    instructions: str
    anchors: tuple[str, ...]
    minimum: Decimal | None
    rubric_sha256: str = ""
    judged_level: int | None = None
    judged_percent: Decimal | None = None
    reasoning: str | None = None
    confidence: float | None = None
    quotes: tuple[str, ...] = ()
    supported: bool | None = None
    votes: Sequence[Mapping[str, Any]] = ()
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewItem:
    """One result, with all that there is to know about it.

    `case` is the result as it is with people's corrections, `judged` as it would be without any. `outputs`
    are those of a comparison, or the accepted one as `baseline`; `output` is the one under review.
    `decisions` are people's corrections of the case so far, oldest first; `ratings` those of exactly this
    output, whose digest is `output_sha256`.
    """

    id: str
    run: str
    suite: str
    ref: str
    title: str
    model: str | None
    category: Category | None
    input: Mapping[str, Any]
    expected_behavior: str | None
    reference: str | None = None
    output: str | None
    outputs: Mapping[str, str | None]
    output_sha256: str | None
    case: CaseReport
    judged: CaseReport
    record: Mapping[str, Any]
    criteria: tuple[ReviewedCriterion, ...] = ()
    decisions: tuple[Override, ...] = ()
    ratings: tuple[Rating, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """The verdict as it is with people's corrections."""
        return self.case.verdict

    @property
    def score(self) -> Decimal | None:
        """The score, 0..100, as it is with people's corrections."""
        return self.case.score

    @property
    def checks(self) -> tuple[Row, ...]:
        """What else was found besides criteria and score."""
        return tuple(row for row in self.case.rows if row.kind not in ("criteria", "score"))


def build_item(opened: OpenSuite, result: StoredResult, newest: Newest) -> ReviewItem:
    """Return everything about one result. `newest` are the decisions about its case.

    Raises:
        ConfigError: the run, the overrides file or the ratings file is wrong.
    """
    case = settle(result, opened.decider, newest)
    judged = settle(result, opened.decider, {}) if case.override else case
    record, suite = result.record, opened.suite
    sha256 = bound_sha256(result.case)
    decisions = () if suite is None else dict.fromkeys(all_decisions(suite))
    return ReviewItem(
        id=f"{opened.stored.folder.name}:{result.number}",
        run=opened.stored.run,
        suite=opened.stored.name,
        ref=case.ref,
        title=case.title,
        model=case.model,
        category=case.category,
        input=record["input"],
        expected_behavior=record["expected_behavior"],
        reference=_reference(opened, case.ref),
        output=case.output,
        outputs={arm: each["output"] for arm, each in record["arms"].items()},
        output_sha256=sha256,
        case=case,
        judged=judged,
        record=record,
        criteria=tuple(_criterion(each, suite.evaluation, judged) for each in suite.criteria)
        if suite
        else (),
        decisions=tuple(
            sorted((each for each in decisions if each.case_ref == case.ref), key=lambda each: each.timestamp)
        ),
        ratings=tuple(
            each for each in opened.ratings() if (each.ref, each.output_sha256) == (case.ref, sha256)
        ),
    )


def _reference(opened: OpenSuite, ref: str) -> str | None:
    case = opened.decider.cases.get(ref) if opened.decider else None
    return case.reference if case else None


def _criterion(criterion: Criterion, evaluation: EvaluationType, judged: CaseReport) -> ReviewedCriterion:
    anchors = YES_OR_NO if evaluation is EvaluationType.BINARY else criterion.levels
    row = next((row for row in judged.rows if row.id == f"criteria.{criterion.name}"), None)
    said = row.extra if row else {}
    found = judged.criteria.get(criterion.name)
    level = found.level if found else None
    if found and evaluation is EvaluationType.BINARY:
        level = len(YES_OR_NO) if found.percent else 1
    return ReviewedCriterion(
        name=criterion.name,
        weight=criterion.weight,
        instructions=criterion.instructions,
        anchors=anchors,
        minimum=criterion.minimum,
        rubric_sha256=criterion.rubric_sha256,
        judged_level=level,
        judged_percent=found.percent if found else None,
        reasoning=said.get("reasoning"),
        confidence=said.get("confidence"),
        quotes=tuple(said.get("quotes", ())),
        supported=said.get("supported"),
        votes=said.get("votes", ()),
        error=row.error if row else None,
    )
