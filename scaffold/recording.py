"""What a run records: the judge's answers in a file, or all that a run without calls takes, beside suites."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import click

from judges.core.errors import ConfigError, Problem
from judges.files.outputs import Outputs
from judges.files.text import display_path
from judges.out.printable import printable, shield
from judges.run.outcome import Outcome
from judges.run.plan import Plan
from judges.run.prompt_plan import PromptPlan
from judges.run.recorded import find_recording
from judges.run.recorder import Recorder
from scaffold.ci_outputs import check_writable

SELECTING = ("keywords", "categories", "tags", "failed", "arms")
"""The flags that choose a part of a suite."""


class Recording:
    """The recorders of a run, one for each suite; none where nothing is to be recorded."""

    def __init__(self, recorders: Sequence[Recorder], flags: Mapping[str, Any]) -> None:
        self._recorders = recorders
        self._flags = flags

    def add(self, number: int, outcome: Outcome) -> None:
        """Take note of a trial of a suite, from 0."""
        if self._recorders:
            self._recorders[number].add(outcome)

    def save(self) -> None:
        """Write the files, and tell of those beside suites.

        Raises:
            OSError: a file cannot be written; an earlier one is as it was.
        """
        for recorder in self._recorders:
            if self._flags["record"] is not None:
                recorder.save_answers(Path(self._flags["record"]))
            if self._flags["record_all"] and (done := recorder.save_beside()):
                click.echo(shield(printable(done)), err=True)


@contextmanager
def open_recording(plans: Sequence[Plan], flags: Mapping[str, Any]) -> Iterator[Recording]:
    """Begin to record what is wanted of these plans.

    Raises:
        ConfigError: it cannot be recorded.
    """
    wanted = flags["record_all"] or flags["record"] is not None
    if wanted:
        _check(plans, flags)
    with ExitStack() as stack:
        recorders = [stack.enter_context(closing(Recorder(plan))) for plan in plans if wanted]
        yield Recording(recorders, flags)


def _check(plans: Sequence[Plan], flags: Mapping[str, Any]) -> None:
    if flags["record"] is not None and len(plans) > 1:
        raise _problem("--record takes the answers of one suite", "name the suite to run")
    if flags["record_all"] and any(flags[name] not in (None, (), "") for name in SELECTING):
        raise _problem(
            "--record-all records whole suites", "name no cases: what was asked before costs nothing"
        )
    if any(plan.standing is not None and plan.standing.qualified is False for plan in plans):
        message = "the answers of a smoke judge are not recorded, as a replay of them would decide"
        raise _problem(message, "name another judge")
    for plan in plans if flags["record_all"] else ():
        _check_outputs(plan, find_recording(plan.suite.path).outputs)


def _check_outputs(plan: Plan, path: Path) -> None:
    """An arm's own file of outputs is the author's: it is not written over."""
    name = display_path(path)
    check_writable(name)
    arms = plan.suite.arms if isinstance(plan, PromptPlan) else ()
    own = [arm.outputs.path.resolve() for arm in arms if isinstance(arm.outputs, Outputs)]
    if path.resolve() in own:
        message = "--record-all would write over the outputs of an arm"
        raise ConfigError([Problem(message, file=name, hint="give the arm's file another name")])


def _problem(message: str, hint: str) -> ConfigError:
    return ConfigError([Problem(message, hint=hint)])
