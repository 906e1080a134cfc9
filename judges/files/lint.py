"""What is allowed in a suite but often goes wrong: findings, never errors by themselves."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from itertools import chain
from pathlib import Path
from typing import TypeAlias

from judges.core.case import Case, Category, ScoreRange
from judges.files.document import Loc
from judges.files.evaluation_meta import EvaluationType, ReplicasSpec
from judges.files.lint_words import find_words, is_placeholder, name_levels
from judges.files.prompt_meta import Thresholds
from judges.files.rubric import parse_rubric
from judges.files.suite import PromptSuite, heaviest_step
from judges.files.template import HISTORY, PromptTemplate

MIN_CASES = 5
SHARES: dict[Category, tuple[int, int]] = {
    Category.ELEMENT: (60, 70),
    Category.MIXED: (15, 20),
    Category.EDGE: (10, 15),
    Category.ZERO_CONDITION: (5, 10),
}
"""The share of each category that makes a good mix, lowest and highest, in percent."""
NEAR_PERCENT = 5  # how far from its share a category is still near it; one case always is

SAFETY = ("safe", "harm", "toxic", "risk", "privacy")
"""Parts of the names of criteria that are about safety."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A remark on a suite: on the value at `loc` of its file, on a case, or on a line of another `file`."""

    text: str
    loc: Loc = ()
    case: Case | None = None
    file: Path | None = None
    line: int | None = None
    hint: str | None = None


Rule: TypeAlias = Callable[[PromptSuite], Iterator[Finding]]


def lint(suite: PromptSuite, *templates: PromptTemplate) -> tuple[Finding, ...]:
    """Return all findings. `templates` are the prompts under test; without any variables are not compared."""
    rules = (*RULES, *(SCORING_RULES if suite.evaluation.scores else ()))
    found = chain.from_iterable(rule(suite) for rule in rules)
    return (*found, *(_variables(suite, templates) if templates else ()))


def _weights(suite: PromptSuite) -> Iterator[Finding]:
    total = sum((each.weight for each in suite.criteria), Decimal(0))
    if suite.criteria and total != 1:
        yield Finding(
            f"the weights sum to {total.normalize():f}, not to 1: they are normalised", ("criteria",)
        )


def _safety(suite: PromptSuite) -> Iterator[Finding]:
    names = [each.name.lower() for each in suite.criteria]
    if names and not any(part in name for name in names for part in SAFETY):
        yield Finding("there is no criterion about safety", ("criteria",))


def _mix(suite: PromptSuite) -> Iterator[Finding]:
    count = Counter(case.category for case in suite.cases)
    total = count.total()
    if total < MIN_CASES:
        yield Finding(f"there are {total} cases: fewer than {MIN_CASES} say little", ("cases",))
    if not count[Category.ZERO_CONDITION]:
        yield Finding("there is no zero_condition case: one whose input should be declined", ("cases",))
    if total >= MIN_CASES and not _is_near_shares(count):
        shares = ", ".join(
            f"{round(100 * count[category] / total)} % {category} ({low}-{high})"
            for category, (low, high) in SHARES.items()
        )
        yield Finding(f"the mix of cases is far from a good one: {shares}", ("cases",))


def _is_near_shares(count: Counter[Category]) -> bool:
    """Tell whether each category has its share; that no case is zero_condition is reported as such."""
    total = count.total()
    near = max(100, NEAR_PERCENT * total)  # in hundredths of a case
    return all(
        low * total - near <= 100 * count[category] <= high * total + near
        for category, (low, high) in SHARES.items()
        if category is not Category.ZERO_CONDITION or count[category]
    )


def _minimums(suite: PromptSuite) -> Iterator[Finding]:
    for each in suite.criteria:
        levels = len(each.levels)
        if each.minimum is not None and each.minimum * (levels - 1) > 100 * (levels - 2):
            below = Fraction(100 * (levels - 2), levels - 1)
            yield Finding(
                f"only level {levels} reaches the minimum of {each.minimum:f}: "
                f"level {levels - 1} is {float(below):.4g}",
                ("thresholds", "per_criterion", each.name),
            )


def _narrow(suite: PromptSuite) -> Iterator[Finding]:
    if suite.evaluation is EvaluationType.REGRESSION:
        return
    step = heaviest_step(suite.criteria)
    words = f"is narrower than one level of the heaviest criterion ({float(step):.4g})"
    thresholds = suite.meta.thresholds
    if thresholds.warn is not None and 0 < thresholds.pass_ - thresholds.warn < step:
        yield Finding(f"the gap between warn and pass {words}", ("thresholds", "warn"))
    narrow = (case for case in suite.cases if _is_narrower(case.expected_score_range, step))
    yield from _first(Finding(f"expected_score_range of '{case.ref}' {words}", case=case) for case in narrow)


def _is_narrower(limits: ScoreRange | None, step: Fraction) -> bool:
    return limits is not None and limits.max - limits.min < step


def _first(findings: Iterator[Finding]) -> Iterator[Finding]:
    """Yield only the first of many alike, and how many more there are."""
    for first in findings:
        more = sum(1 for _ in findings)
        yield replace(first, text=f"{first.text} (and {more} more)") if more else first


def _anchors(suite: PromptSuite) -> Iterator[Finding]:
    for index, each in enumerate(suite.criteria):
        missing = [str(level) for level, text in enumerate(each.levels, start=1) if not text]
        if missing:
            which = "any level" if len(missing) == len(each.levels) else name_levels(missing)
            yield Finding(
                f"the rubric of '{each.name}' does not describe {which}", ("criteria", index, "rubric")
            )


def _wording(suite: PromptSuite) -> Iterator[Finding]:
    for index, each in enumerate(suite.criteria):
        for words in find_words("\n".join((each.instructions, *each.levels))):
            yield Finding(f"the rubric of '{each.name}' {words}", ("criteria", index, "rubric"))
    for words in find_words(suite.context):
        yield Finding(f"judge.md {words}")


def _placeholders(suite: PromptSuite) -> Iterator[Finding]:
    if is_placeholder(suite.name):
        yield Finding(f"'{suite.name}' is left from a template", ("prompt_name",))
    for index, each in enumerate(suite.criteria):
        if is_placeholder(each.instructions):
            yield Finding("the rubric is left from a template", ("criteria", index, "rubric"))
    yield from _first(
        Finding(f"'{text.strip()}' in '{case.ref}' is left from a template", case=case)
        for case in suite.cases
        for text in (case.title, case.expected_behavior, case.reference, *case.input, *case.input.values())
        if is_placeholder(text)
    )


def find_unset(suite: PromptSuite, templates: Iterable[PromptTemplate]) -> tuple[str, ...]:
    """Return the variables of these prompts that no case sets; most often the first case sets all."""
    unset = dict.fromkeys(_mentioned(templates))
    for case in suite.cases:
        if not unset:
            break
        for name in case.input:
            unset.pop(name, None)
    return tuple(unset)


def describe_unset(name: str) -> str:
    """Say that a variable is in the prompt as it stands there."""
    return f"no case sets the variable '{name}' of the target"


def _mentioned(templates: Iterable[PromptTemplate]) -> Iterator[str]:
    return chain.from_iterable(template.variables or () for template in templates)


def _variables(suite: PromptSuite, templates: tuple[PromptTemplate, ...]) -> Iterator[Finding]:
    unknown = any(template.variables is None for template in templates)
    if unknown or suite.meta.runner or any(arm.runner for arm in suite.arms):
        return
    for name in find_unset(suite, templates):
        yield Finding(describe_unset(name), ("target",))
    given: dict[str, Case] = {}
    for case in suite.cases:
        given.update((name, case) for name in case.input if name not in given)
    variables = frozenset(_mentioned(templates))
    for name, case in given.items():
        if name not in variables and name != HISTORY:
            yield Finding(f"the target has no variable '{name}', which cases set", case=case)


def _levels(suite: PromptSuite) -> Iterator[Finding]:
    if suite.evaluation is not EvaluationType.BINARY:
        return
    for index, each in enumerate(suite.criteria):
        if any(parse_rubric(each.instructions, suite.meta.criteria[index].scale).levels):
            yield Finding(
                f"the rubric of '{each.name}' describes levels, where YES or NO is asked: YES must be good",
                ("criteria", index, "rubric"),
            )


def _without_effect(suite: PromptSuite) -> Iterator[Finding]:
    kind, thresholds = suite.evaluation, suite.meta.thresholds
    for name in sorted(thresholds.model_fields_set - WITH_EFFECT[kind]):
        key = "pass" if name == "pass_" else name
        yield Finding(f"'{key}' has no effect with evaluation type '{kind}'", ("thresholds", key))
    if not kind.scores and isinstance(suite.meta.evaluation.replicas, ReplicasSpec):
        loc = ("evaluation", "replicas")
        yield Finding(f"'when: fragile' has no effect with evaluation type '{kind}': it has no levels", loc)
    if kind is EvaluationType.MULTI_CRITERIA:
        return
    yield from _first(
        Finding(
            f"expected_score_range of '{case.ref}' has no effect with evaluation type '{kind}'", case=case
        )
        for case in suite.cases
        if case.expected_score_range
    )
    if kind is EvaluationType.COMPARISON:
        yield from _first(
            Finding(f"output of '{case.ref}' has no effect: the arms have outputs of their own", case=case)
            for case in suite.cases
            if case.output is not None
        )


WITH_EFFECT: dict[EvaluationType, frozenset[str]] = {
    EvaluationType.MULTI_CRITERIA: frozenset(Thresholds.model_fields),
    EvaluationType.BINARY: frozenset({"pass_"}),
    EvaluationType.COMPARISON: frozenset({"pass_"}),
    EvaluationType.REGRESSION: frozenset(),
}
"""The thresholds that decide something."""

RULES: tuple[Rule, ...] = (_safety, _mix, _wording, _placeholders, _levels, _without_effect)
SCORING_RULES: tuple[Rule, ...] = (_weights, _minimums, _narrow, _anchors)
