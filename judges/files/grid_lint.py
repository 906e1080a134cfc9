"""What is allowed in a grid but often goes wrong: findings, never errors by themselves."""

from collections.abc import Callable, Iterator
from itertools import chain
from typing import TypeAlias

from judges.core.case import Case
from judges.files.grid_meta import Measure
from judges.files.grid_suite import GridSuite
from judges.files.lint import SCORING_RULES, Finding
from judges.files.lint_words import is_placeholder

MIN_TASKS = 4

Rule: TypeAlias = Callable[[GridSuite], Iterator[Finding]]


def lint_grid(suite: GridSuite) -> tuple[Finding, ...]:
    """Return all findings; where outputs are judged, those about the criteria and thresholds, too."""
    judged = suite.judged
    scoring = () if judged is None else chain.from_iterable(rule(judged) for rule in SCORING_RULES)
    return (*chain.from_iterable(rule(suite) for rule in RULES), *scoring)


def _models(suite: GridSuite) -> Iterator[Finding]:
    if not isinstance(suite.meta.models, str):
        yield Finding("the models stand here: keep them in one file, which all grids name", ("models",))


def _size(suite: GridSuite) -> Iterator[Finding]:
    if len(suite.tasks) < MIN_TASKS:
        yield Finding(f"there are {len(suite.tasks)} tasks: fewer than {MIN_TASKS} say little", ("tasks",))
    if suite.repeat == 1:
        yield Finding("each task is given once: nothing tells how steady the outputs are", ("repeat",))


def _same_arms(suite: GridSuite) -> Iterator[Finding]:
    """The uplift of an arm that is the control over again is noise; as a null control it is meant so."""
    for arm in suite.arms:
        if not arm.control and arm.prompt and arm.text == suite.control.text:
            yield Finding(
                f"'{arm.name}' has the same prompt as the control '{suite.control.name}'", _loc(arm.name)
            )


def _variables(suite: GridSuite) -> Iterator[Finding]:
    given: dict[str, Case] = {}
    for task in suite.tasks:
        given.update((name, task.case) for name in task.variables if name not in given)
    for arm in suite.arms:
        if arm.prompt is None:
            continue
        known = arm.variables
        for name in known:
            if name not in given:
                yield Finding(
                    f"no task sets '{name}', which '{arm.name}' has as {{{{{name}}}}}", _loc(arm.name)
                )
        for name, case in given.items():
            if name not in known:
                yield Finding(f"'{arm.name}' has no {{{{{name}}}}}, which tasks set", case=case)


def _labels(suite: GridSuite) -> Iterator[Finding]:
    golden = {task.golden_label for task in suite.tasks}
    if suite.measure is Measure.LABEL and len(golden) == 1:
        only = golden.pop()
        yield Finding(
            f"'{only}' is right in every task: an arm that says nothing else is perfect", ("tasks",)
        )


def _placeholders(suite: GridSuite) -> Iterator[Finding]:
    if is_placeholder(suite.name):
        yield Finding(f"'{suite.name}' is left from a template", ("name",))


def _without_effect(suite: GridSuite) -> Iterator[Finding]:
    if suite.meta.thresholds.pass_rate is not None:
        yield Finding("'pass_rate' has no effect in a grid", ("thresholds", "pass_rate"))


def _loc(arm: str) -> tuple[str, ...]:
    return ("arms", arm, "prompt")


RULES: tuple[Rule, ...] = (_models, _size, _same_arms, _variables, _labels, _placeholders, _without_effect)
