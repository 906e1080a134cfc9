"""What was known about a case when a run decided it, read again from what the run stored."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from judges.check.build import Check
from judges.check.context import CheckContext
from judges.core.case import Case
from judges.core.question import Answer, Question, Unanswered
from judges.core.report import CaseReport
from judges.core.row import Row
from judges.core.verdict import Verdict
from judges.reduce.comparison import ARMS, ORDERS
from judges.reduce.decision import Rules
from judges.reduce.facts import Answers, Arm, Facts
from judges.reduce.regression import BASELINE
from judges.run.kinds import Kind

NEW_QUESTION = "the run has no answer to this question: run the suite again"

Record: TypeAlias = Mapping[str, Any]
"""A line of records.jsonl."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredFacts:
    """Everything that decides one stored result but people's corrections.

    `digests` are what corrections are bound to, by arm. `questions` are those that the judge was asked.
    """

    facts: Facts
    digests: Mapping[Arm, str | None]
    questions: Mapping[Arm, tuple[Question, ...]]


def read_facts(
    rules: Rules, kind: Kind, case: Case, result: CaseReport, record: Record, checks: Sequence[Check]
) -> StoredFacts:
    """Return what a run knew about a case: its stored rows without a judge's, and the judge's stored answers.

    `checks` are tried again on an accepted output alone, whose rows are in no report.

    Raises:
        KeyError, TypeError: the record is damaged.
    """
    outputs = {arm: text for arm, text in _outputs(kind, record).items() if text is not None}
    stored = {said["arm"]: said["values"] for said in record["answers"]}
    rows = {row.id: row for row in result.rows}
    questions = {
        inquiry.arm: inquiry.questions
        for inquiry in kind.inquire(rules, case, outputs)
        if inquiry.arm in stored
    }
    answers: dict[Arm, Answers] = {
        arm: {
            each.name: _answer(stored[arm].get(each.name), *_find_row(arm, each.name, rows)) for each in asked
        }
        for arm, asked in questions.items()
    }
    checked = _checked(rules, kind, result.rows)
    if accepted := record["arms"].get(BASELINE):
        checked[BASELINE] = tuple(_check_accepted(case, accepted, checks))
    digests = {arm: each["output_sha256"] for arm, each in record["arms"].items()}
    return StoredFacts(
        facts=Facts(checked=checked, answers=answers),
        digests={**digests, None: record["output_sha256"]},
        questions=questions,
    )


def _outputs(kind: Kind, record: Record) -> dict[Arm, str | None]:
    """Where an arm stands for the case there is no output besides those of the arms."""
    arms = {arm: each["output"] for arm, each in record["arms"].items()}
    return arms if kind.shown else {None: record["output"], **arms}


def _find_row(arm: Arm, question: str, rows: Mapping[str, Row]) -> tuple[Row | None, str]:
    """Return the row that tells of an answer, and how its keys end there; none where no report has it."""
    if arm in ARMS:
        row = rows.get(f"{arm}.{question}")
        return row and _without_arm(arm, row), ""
    second = ORDERS[1]
    return None if arm == BASELINE else rows.get(question), f"_{second}" if arm == second else ""


def _answer(said: Mapping[str, Any] | None, row: Row | None, suffix: str) -> Answer | Unanswered:
    if said is None:
        failed = row is not None and row.verdict is Verdict.ERROR
        return Unanswered(row.error if row and failed and row.error else NEW_QUESTION)
    extra = row.extra if row else {}
    return Answer(
        value=said["value"],
        probabilities=said["probabilities"],
        reasoning=extra.get(f"reasoning{suffix}"),
        quotes=tuple(extra.get(f"quotes{suffix}", ())),
        confidence=extra.get(f"confidence{suffix}"),
        supported=extra.get(f"supported{suffix}"),
    )


def _checked(rules: Rules, kind: Kind, rows: Sequence[Row]) -> dict[Arm, tuple[Row, ...]]:
    refused = tuple(row for row in rows if row.kind == "judge")
    if refused:
        return {None: refused}
    judged = {f"checks.{check.name}" for check in rules.checks}
    found = [row for row in rows if row.kind in ("checks", "output")]
    by_arm: dict[Arm, list[Row]] = {None: found}
    if kind.shown:
        by_arm = {
            arm: [_without_arm(arm, row) for row in found if row.id.startswith(f"{arm}.")] for arm in ARMS
        }
    return {arm: tuple(row for row in each if row.id not in judged) for arm, each in by_arm.items()}


def _without_arm(arm: str, row: Row) -> Row:
    """Return the row of an output without the arm's name at the start of all that it says."""
    return replace(
        row,
        id=row.id.removeprefix(f"{arm}."),
        actual_excerpt=row.actual_excerpt and row.actual_excerpt.removeprefix(f"{arm}: "),
        error=row.error and row.error.removeprefix(f"{arm}: "),
    )


def _check_accepted(case: Case, accepted: Record, checks: Sequence[Check]) -> Iterator[Row]:
    if accepted["output"] is None:
        yield Row(id="output", kind="output", verdict=Verdict.ERROR, error=accepted["error"])
        return
    context = CheckContext(output=accepted["output"], input=case.input)
    rows = (check(context) for check in checks)
    yield from (row for row in rows if row.verdict is not Verdict.ERROR)
