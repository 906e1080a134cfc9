"""`scaffold compare`: two runs, case by case."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from judges.core.errors import ConfigError, Problem

if TYPE_CHECKING:
    from judges.core.report import Report, SuiteReport


@click.command(short_help="Compare two runs, case by case.")
@click.argument("first", metavar="RUN")
@click.argument("second", metavar="RUN")
@click.option("--suite", metavar="NAME", help="Only this suite.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, with all cases.")
def command(first: str, second: str, suite: str | None, as_json: bool) -> None:
    """Compare two runs, case by case.

    RUN is the id or the path of a run. Suites are paired by their names, cases by their refs and models. The
    differences are those from the first run to the second: for the total and each criterion the mean with
    its 95 % interval, and how many cases rose, fell, or stayed; for a grid the same for each arm over its
    tasks. Then follow the verdicts that changed, and the cases that only one of the runs has. It says what is
    different, not whether that is good: the exit code is 0.
    """
    from judges.out.changes_text import render_changes
    from judges.reduce.changes import encode_changes
    from judges.reduce.grid_changes import compare_suites
    from scaffold.printing import print_json
    from scaffold.terminal import terminal_style, terminal_width

    before, after = (_read(name) for name in (first, second))
    pairs = _pairs(before, after, suite)
    found = [(name, compare_suites(one, other)) for name, one, other in pairs]
    if as_json:
        runs = [before.name, after.name]
        suites = [{"name": name, **encode_changes(changes)} for name, changes in found]
        print_json({"schema": 1, "runs": runs, "suites": suites})
        return
    texts = (
        render_changes(name, changes, width=terminal_width(), style=terminal_style())
        for name, changes in found
    )
    click.echo("\n".join(texts), nl=False)


def _read(name: str) -> "Report":
    from judges.files.project import find_root
    from judges.run.records import RunDirectory
    from judges.run.stored import find_run, read_report

    return read_report(RunDirectory(find_run(name, find_root(Path.cwd()))))


def _pairs(
    before: "Report", after: "Report", only: str | None
) -> "list[tuple[str, SuiteReport, SuiteReport]]":
    """Return the suites that both runs have; of equal names each run tells them apart by their folders."""
    from scaffold.named import Names, pick_named

    one, other = ({_folder(suite, report): suite for suite in report.suites} for report in (before, after))
    both = [key for key in one if key in other]
    common = pick_named(only, both, lambda key: Names(one[key].path, one[key].name, key))
    if not common:
        wanted = "no suite" if only is None else f"no suite '{only}'"
        sides = "; ".join(
            f"{report.name} has {', '.join(suite.name for suite in report.suites)}"
            for report in (before, after)
        )
        raise ConfigError([Problem(f"the two runs have {wanted} in common", hint=sides)])
    return [(one[key].name, one[key], other[key]) for key in common]


def _folder(suite: "SuiteReport", report: "Report") -> str:
    """A suite that shares its run's folder goes by the name that a folder of its own would have."""
    from judges.run.records import suite_folder_name

    return suite_folder_name(suite.name) if suite.run_dir == report.run_dir else suite.run_dir.name
