"""`scaffold bench`: run fixtures, and nothing else."""

from pathlib import Path
from typing import Any

import click

from judges.core.report import SuiteKind
from judges.core.verdict import ExitCode
from scaffold import run_flags
from scaffold.output_flags import output_options
from scaffold.suites import load_project, locate_suites


@click.command(short_help="Run fixtures: their sessions, graded, by quorum.")
@click.argument("fixtures", nargs=-1, metavar="[FIXTURE]...")
@click.option(
    "--run-dir",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Keep the run in this folder, which is new or empty.  [default: .omniscitus/runs/ID]",
)
@click.option(
    "--model",
    "models",
    multiple=True,
    metavar="MODEL",
    help="Run the sessions with this model; may be repeated.",
)
@run_flags.JUDGE
@run_flags.LIVE
@run_flags.STOP_EARLY
@run_flags.JOBS
@run_flags.MAX_COST
@run_flags.NO_CACHE
@run_flags.DRY_RUN
@run_flags.ALLOW_WARN
@run_flags.ALLOW_INCONCLUSIVE
@run_flags.JSON
@output_options
@run_flags.RECORD
@run_flags.ALLOW_OUTSIDE
@run_flags.YES
@run_flags.QUIET
def command(fixtures: tuple[str, ...], run_dir: Path | None, dry_run: bool, **flags: Any) -> ExitCode:
    """Run fixtures: their sessions, graded, by quorum.

    FIXTURE is the name of a fixture, its file, or a folder that is searched; without any, all fixtures of the
    project are run that are no arm of a grid. It is `scaffold run` for fixtures alone. Without --live or
    RUN_LLM_BENCH=1 it says what would be run and what that costs. In the folder of --run-dir, a single
    fixture has its replicas r1/, r2/ … and grade.json right there, several have a folder each.

    The exit code is 0 when all passed, 1 when something failed, 2 when a file or an option is wrong, 3 when
    something could not be measured, 4 when nothing was run.
    """
    from scaffold.benching import check_empty, why_no_fixture
    from scaffold.not_started import tell_not_started
    from scaffold.request import RunRequest
    from scaffold.running import perform

    paths = locate_suites(fixtures, (SuiteKind.FIXTURE,))
    place = None if run_dir is None else check_empty(run_dir)
    request = RunRequest(suites=fixtures, flags={**run_flags.NOTHING_ASKED, **flags}, run_dir=place)
    if not paths:
        return tell_not_started((), request, why_no_fixture(load_project().suites))
    return perform(paths, request, dry_run=dry_run)
