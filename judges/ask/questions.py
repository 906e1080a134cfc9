"""From a suite's criteria and checks to the questions one case raises, and the evidence they are about."""

import json
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from judges.ask.history import render_history
from judges.ask.wording import text
from judges.core.case import Case
from judges.core.question import Evidence, Predicate, Question, Score
from judges.files.prompt_meta import JudgedCheck
from judges.files.suite import Criterion

DECLINES = "declines"
_PLACEHOLDER = re.compile(r"\{\{\s*(\w+)\s*\}\}|\{(\w+)\}")


def build_evidence(case: Case, output: str) -> Evidence:
    """Return what the judge looks at: inputs, expected behaviour, reference, and the output last.

    A zero_condition case's expected behaviour stays hidden: it would tell the Score questions that a low
    level is wanted.
    """
    fields = {f"input.{name}": _as_text(value) for name, value in case.input.items()}
    if case.expected_behavior and not case.declines_expected:
        fields["expected_behavior"] = case.expected_behavior.rstrip("\n")
    if case.reference:
        fields["reference"] = case.reference.rstrip("\n")
    return Evidence({name: _sendable(text) for name, text in {**fields, "output": output}.items()})


def build_questions(
    criteria: tuple[Criterion, ...], checks: tuple[JudgedCheck, ...], case: Case
) -> tuple[Question, ...]:
    """Return a Score for each criterion, a Predicate for each check, and `declines` where that is wanted."""
    return _build_questions(criteria, checks, tuple(case.input), case.declines_expected)


@lru_cache(maxsize=256)
def _build_questions(
    criteria: tuple[Criterion, ...], checks: tuple[JudgedCheck, ...], inputs: tuple[str, ...], declines: bool
) -> tuple[Question, ...]:
    questions: list[Question] = [
        Score(
            name=f"criteria.{criterion.name}",
            instructions=refer_to_fields(criterion.instructions, inputs),
            levels=criterion.levels,
        )
        for criterion in criteria
    ]
    questions += [
        Predicate(name=f"checks.{check.name}", instructions=refer_to_fields(check.prompt, inputs))
        for check in checks
    ]
    if declines:
        questions.append(Predicate(name=DECLINES, instructions=text("declines")))
    return tuple(questions)


def refer_to_fields(wording: str, inputs: Iterable[str]) -> str:
    """Replace `{output}`, `{input}` and `{variable}` by the name of the evidence field they stand for.

    The text itself is never pasted into the instructions. Other braces stay as they are.
    """
    names: Mapping[str, str] = {
        **{name: f'the field "input.{name}"' for name in inputs},
        "input": 'the fields that start with "input"',
        "output": 'the field "output"',
        "reference": 'the field "reference"',
        "expected_behavior": 'the field "expected_behavior"',
    }
    return _PLACEHOLDER.sub(lambda match: names.get(match[1] or match[2], match[0]), wording).strip()


def _as_text(value: object) -> str:
    if isinstance(value, str):
        return value.rstrip("\n")
    return render_history(value) or json.dumps(value, ensure_ascii=False, indent=1, default=str)


def _sendable(text: str) -> str:
    """Half of a surrogate pair is no Unicode text: no endpoint would take it."""
    return text.encode("utf-8", "replace").decode("utf-8")
