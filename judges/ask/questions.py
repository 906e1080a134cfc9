"""From a suite's criteria and checks to the questions one case raises, and the evidence they are about."""

import json
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from judges.ask.history import render_history
from judges.ask.wording import fill, text
from judges.core.case import Case
from judges.core.question import Choice, Evidence, Predicate, Question, Score
from judges.files.prompt_meta import JudgedCheck
from judges.files.suite import Criterion

DECLINES = "declines"
EXPECTED = "expected_behavior"
OVERALL = "overall"
CHOICES = ("A", "B", "tie")
_PLACEHOLDER = re.compile(r"\{\{\s*(\w+)\s*\}\}|\{(\w+)\}")


def build_evidence(case: Case, output: str, *, expected: bool | None = None) -> Evidence:
    """Return what the judge looks at: inputs, expected behaviour, reference, and the output last.

    Unless `expected` says otherwise a zero_condition case's expected behaviour stays hidden: it would tell
    the Score questions that a low level is wanted.
    """
    shown = not case.declines_expected if expected is None else expected
    return _build_fields(case, {"output": output}, expected=shown)


def build_pair_evidence(case: Case, first: str, second: str) -> Evidence:
    """Return what the judge looks at when it compares two outputs, which it knows as A and B."""
    return _build_fields(case, {"output.A": first, "output.B": second}, expected=True)


def _build_fields(case: Case, outputs: Mapping[str, str], *, expected: bool) -> Evidence:
    """Return the evidence about a case with these outputs last; with its expected behaviour, or without."""
    fields = {f"input.{name}": _as_text(value) for name, value in case.input.items()}
    if case.expected_behavior and expected:
        fields["expected_behavior"] = case.expected_behavior.rstrip("\n")
    if case.reference:
        fields["reference"] = case.reference.rstrip("\n")
    return Evidence({name: _sendable(text) for name, text in {**fields, **outputs}.items()})


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
    questions += build_check_questions(checks, inputs)
    if declines:
        questions.append(Predicate(name=DECLINES, instructions=text("declines")))
    return tuple(questions)


def build_predicates(
    criteria: tuple[Criterion, ...], checks: tuple[JudgedCheck, ...], case: Case
) -> tuple[Question, ...]:
    """Return a Predicate for each criterion and check; without criteria one for the expected behaviour."""
    inputs = tuple(case.input)
    asked = tuple(
        Predicate(
            name=f"criteria.{criterion.name}", instructions=refer_to_fields(criterion.instructions, inputs)
        )
        for criterion in criteria
    )
    expected = Predicate(name=EXPECTED, instructions=text("expected"))
    return (*(asked or (expected,)), *build_check_questions(checks, inputs))


def build_choices(criteria: tuple[Criterion, ...], case: Case) -> tuple[Question, ...]:
    """Return a Choice between two outputs for each criterion, and one for the whole."""
    asked = (
        Choice(
            name=f"criteria.{criterion.name}",
            instructions=fill(
                "better", standard=refer_to_fields(criterion.instructions, case.input, output="the output")
            ),
            choices=CHOICES,
        )
        for criterion in criteria
    )
    return (*asked, Choice(name=OVERALL, instructions=text("overall"), choices=CHOICES))


def build_check_questions(checks: tuple[JudgedCheck, ...], inputs: Iterable[str]) -> tuple[Question, ...]:
    """Return a Predicate for each check, about a case with these inputs."""
    return tuple(
        Predicate(name=f"checks.{check.name}", instructions=refer_to_fields(check.prompt, inputs))
        for check in checks
    )


def build_semantic_question(name: str, rubric: str) -> Predicate:
    """Return the question of a fixture's semantic row: is what the evidence shows a PASS by this rubric?

    The reply has the form that such rubrics dictate, `{"verdict": "PASS"|"FAIL", "reasoning": "..."}`.
    """
    return Predicate(
        name=f"semantic.{name}",
        instructions=fill("rubric", rubric=refer_to_fields(rubric, ())),
        labels=("PASS", "FAIL"),
        answer_key="verdict",
    )


def build_semantic_evidence(view: str) -> Evidence:
    """Return what the judge of a semantic row looks at: one view of a session, and nothing else."""
    return Evidence({"output": _sendable(view)})


def refer_to_fields(wording: str, inputs: Iterable[str], *, output: str = 'the field "output"') -> str:
    """Replace `{output}`, `{input}` and `{variable}` by the name of the evidence field they stand for.

    The text itself is never pasted into the instructions. Other braces stay as they are. `output` is what
    `{output}` becomes.
    """
    names: Mapping[str, str] = {
        **{name: f'the field "input.{name}"' for name in inputs},
        "input": 'the fields that start with "input"',
        "output": output,
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
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
