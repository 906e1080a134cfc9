"""`scaffold grade`: grade what sessions left, without running any."""

from pathlib import Path
from typing import Any

import click

from judges.core.verdict import ExitCode
from scaffold import run_flags
from scaffold.output_flags import output_options


@click.command(short_help="Grade replicas that were run before.")
@click.argument("place", metavar="DIR")
@click.option(
    "--fixture",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Grade by this fixture.  [default: the one that was run, as it is now]",
)
@run_flags.JUDGE
@run_flags.MAX_COST
@run_flags.NO_CACHE
@run_flags.JSON
@output_options
@run_flags.ALLOW_OUTSIDE
def command(place: str, fixture: Path | None, **flags: Any) -> ExitCode:
    """Grade replicas that were run before.

    DIR is the folder of a replica, a folder with r1/, r2/ … in it, or a run, by its id or its folder. No
    session is run; judges are asked for semantic rows alone, and not again for what they have answered. The
    results take the place of the earlier ones: grade.json of each replica, and that of the fixture. The files
    for CI are those of scaffold bench.

    The exit code is 0 when all passed, 1 when something failed, 2 when a file or an option is wrong, 3 when
    something could not be measured.
    """
    from scaffold.grading import GradeRequest, grade

    return grade(GradeRequest(place=place, fixture=fixture, flags=flags))
