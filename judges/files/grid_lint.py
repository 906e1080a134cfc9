"""What is allowed in a grid but often goes wrong: findings, never errors by themselves."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TypeAlias

from judges.core.case import Case
from judges.files.fixture import FixtureSuite
from judges.files.grid_meta import Measure
from judges.files.grid_suite import MENTION, GridArm, GridSuite
from judges.files.lint import SCORING_RULES, Finding
from judges.files.lint_words import is_placeholder
from judges.files.problems import did_you_mean

MIN_TASKS = 4

Rule: TypeAlias = Callable[[GridSuite], Iterator[Finding]]


def lint_grid(suite: GridSuite, fixtures: Mapping[str, FixtureSuite]) -> tuple[Finding, ...]:
    """Return all findings; where outputs are judged, those about the criteria and thresholds, too.

    `fixtures` are those of the arms that have one, by arm.
    """
    templates = {arm.name: _template(arm, fixtures.get(arm.name)) for arm in suite.arms}
    judged = suite.judged
    scoring = () if judged is None else chain.from_iterable(rule(judged) for rule in SCORING_RULES)
    found = chain.from_iterable(rule(suite) for rule in RULES)
    return (*found, *_variables(suite, templates), *scoring)


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


@dataclass(frozen=True, slots=True)
class _Template:
    """What an arm puts the task's variables into: a text, and the file and line that it starts on."""

    text: str
    file: Path | None
    line: int = 1

    @property
    def mentions(self) -> Mapping[str, int]:
        """The names of variables, and the line that each is first mentioned on."""
        found: dict[str, int] = {}
        for match in MENTION.finditer(self.text):
            found.setdefault(match[1], self.line + self.text.count("\n", 0, match.start()))
        return found


def _template(arm: GridArm, fixture: FixtureSuite | None) -> _Template:
    if fixture is None:
        return _Template(arm.text, arm.prompt)
    return _Template(fixture.body, fixture.path, fixture.body_line)


def _variables(suite: GridSuite, templates: Mapping[str, _Template]) -> Iterator[Finding]:
    given: dict[str, Case] = {}
    for task in suite.tasks:
        given.update((name, task.case) for name in task.variables if name not in given)
    for arm, template in templates.items():
        known = template.mentions
        for name, line in known.items():
            if name not in given:
                text = f"no task sets '{name}', which '{arm}' has as {{{{{name}}}}}"
                yield Finding(text, file=template.file, line=line, hint=did_you_mean(name, given))
        for name, case in given.items():
            if name not in known:
                yield Finding(f"'{arm}' has no {{{{{name}}}}}, which tasks set", case=case)


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


RULES: tuple[Rule, ...] = (_models, _size, _same_arms, _labels, _placeholders, _without_effect)
