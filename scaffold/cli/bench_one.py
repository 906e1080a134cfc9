"""`scaffold bench-one`: one replica of a fixture in a folder, not graded."""

from pathlib import Path

import click

from judges.core.report import SuiteKind
from judges.core.verdict import ExitCode
from scaffold import run_flags
from scaffold.suites import locate_suite


@click.command(short_help="Run one replica of a fixture into a folder.")
@click.argument("fixture", metavar="FIXTURE")
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--replica-id",
    type=click.IntRange(1),
    metavar="N",
    help="The number of the replica.  [default: that in the name of DIR, as in r2, else 1]",
)
@click.option("--model", metavar="MODEL", help="Run the session with this model instead of the fixture's.")
@click.option(
    "--live", is_flag=True, envvar="RUN_LLM_BENCH", help="Run the session; without it nothing is run."
)
@run_flags.ALLOW_OUTSIDE
def command(
    fixture: str, folder: Path, replica_id: int | None, model: str | None, live: bool, allow_outside: bool
) -> ExitCode:
    """Run one replica of a fixture into a folder.

    FIXTURE is the name of a fixture, or its file. DIR, which is new or empty, gets stream.jsonl, stderr.txt,
    run.meta.json, and the folder that the session worked in. Nothing is graded: `scaffold grade` does that.

    The exit code is 0 when the session ran to its end, well or not; 2 when a file or an option is wrong, 3
    when it did not come to its end, 4 without --live or RUN_LLM_BENCH=1.
    """
    from scaffold.benching import check_empty, plan_session, run_one, say_what_it_costs

    plan = plan_session(locate_suite(fixture, (SuiteKind.FIXTURE,)), model, allow_outside=allow_outside)
    place = check_empty(folder)
    if live:
        return run_one(plan, place, replica_id)
    say_what_it_costs(plan)
    return ExitCode.NOTHING_RUN
