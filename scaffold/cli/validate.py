"""`scaffold validate`: check suite files and report every mistake at once."""

from importlib import import_module
from pathlib import Path
from typing import Protocol

import click

from judges.core.errors import Problem
from judges.core.report import SuiteKind
from judges.core.verdict import ExitCode
from judges.files.problems import gather, raise_any
from judges.files.project import find_root, suite_kind
from scaffold import run_flags
from scaffold.suites import NO_SUITE, locate_suites
from scaffold.validate.checked import Checked

CHECKS = {
    SuiteKind.PROMPT: "scaffold.validate.prompt",
    SuiteKind.FIXTURE: "scaffold.validate.fixture",
    SuiteKind.GRID: "scaffold.validate.grid",
}
"""The module of each kind of suite that can be checked; it is imported where there is such a suite."""


class Check(Protocol):
    """The `check` of such a module: it raises ConfigError where the suite has mistakes."""

    def __call__(self, path: Path, *, allow_outside: bool) -> Checked:
        """Check the suite in a file."""


@click.command(short_help="Check suite files and report every mistake at once.")
@click.argument("suites", nargs=-1, metavar="[SUITE]...")
@click.option("--strict", is_flag=True, help="Take every remark for a mistake.")
@click.option("--allow-empty", is_flag=True, help="Exit 0, and say so, where the project has no suite yet.")
@run_flags.ALLOW_OUTSIDE
def command(suites: tuple[str, ...], strict: bool, allow_empty: bool, allow_outside: bool) -> ExitCode | None:
    """Check suite files and report every mistake at once.

    SUITE is the name of a suite, a fixture or a grid, its file, or a folder that is searched; without any,
    all of the project are checked, and with a grid the fixtures among its arms. So are the project's
    settings. No model is asked; files of Python checks are loaded, and a runner is started where only it can
    read the cases.

    Remarks on what often goes wrong are printed as notices; with --strict they are mistakes.
    """
    from scaffold.validate.models import check_settings

    paths = locate_suites(suites, CHECKS)
    problems: list[Problem] = []
    with gather(problems):
        check_settings(find_root(Path.cwd()))
    for path in paths:
        with gather(problems):
            _check(path, strict=strict, allow_outside=allow_outside)
    raise_any(problems)
    if not paths:
        click.echo(NO_SUITE, err=True)
        return ExitCode.PASSED if allow_empty else ExitCode.NOTHING_RUN
    return None


def _check(path: Path, *, strict: bool, allow_outside: bool) -> None:
    """Print one line on a good suite, and its notices.

    Raises:
        ConfigError: the suite has mistakes, or, if strict, remarks.
    """
    check: Check = import_module(CHECKS[suite_kind(path)]).check
    checked = check(path, allow_outside=allow_outside)
    if strict:
        raise_any(checked.remarks)
    click.echo(checked.summary)
    for remark in (*checked.remarks, *checked.notices):
        click.echo(f"Notice: {remark}", err=True)
