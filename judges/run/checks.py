"""The deterministic checks of a suite, ready to run; what is wrong with one is told where it stands."""

from collections.abc import Iterator
from pathlib import Path

from judges.check.build import Check, build_check
from judges.check.python import split_rule
from judges.core.errors import ConfigError, Problem
from judges.files.problems import raise_any
from judges.files.prompt_meta import DeterministicCheck
from judges.files.suite import PromptSuite
from judges.files.text import display_path, read_text
from judges.files.yaml import compose_yaml


def build_checks(suite: PromptSuite) -> tuple[Check, ...]:
    """Return the deterministic checks of a suite, in its order. Files of Python checks are run.

    Raises:
        ConfigError: rules or values cannot work; with the problems of all checks.
    """
    checks: list[Check] = []
    wrong: list[tuple[int, Problem]] = []
    for index, spec in enumerate(suite.meta.checks):
        if isinstance(spec, DeterministicCheck):
            try:
                checks.append(
                    build_check(spec, suite.test_root, suite.root, allow_outside=suite.allow_outside)
                )
            except ConfigError as error:
                wrong += ((index, problem) for problem in error.problems)
    if wrong:
        raise_any(_place(suite, wrong))
    return tuple(checks)


def check_files(suite: PromptSuite) -> Iterator[Path]:
    """Yield the files of a suite's Python checks."""
    for spec in suite.meta.checks:
        if isinstance(spec, DeterministicCheck) and (named := split_rule(spec.rule or "")):
            yield suite.test_root / named[0]


def _place(suite: PromptSuite, wrong: list[tuple[int, Problem]]) -> list[Problem]:
    """Return the problems at their places: the file is read again for these alone."""
    document = compose_yaml(read_text(suite.path), display_path(suite.path))
    return [
        document.problem(("checks", index, each.key or "name"), each.message, each.hint)
        for index, each in wrong
    ]
