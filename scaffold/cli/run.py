"""`scaffold run`: judge suites and gate on the result."""

from typing import Any

import click

from judges.core.case import Category
from judges.core.report import SuiteKind
from judges.core.verdict import ExitCode
from scaffold.suites import locate_suites

CATEGORIES = click.Choice([category.value for category in Category])
FILE = click.Path(dir_okay=False)


@click.command(short_help="Judge suites and gate on the result.")
@click.argument("suites", nargs=-1, metavar="[SUITE]...")
@click.option("-k", "keyword", default="", metavar="TEXT", help="Only cases whose ref or title holds TEXT.")
@click.option("--category", "categories", multiple=True, type=CATEGORIES, help="Only cases of this category.")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="Only cases with this tag.")
@click.option("--failed", is_flag=True, help="Only cases that did not pass in the latest run.")
@click.option("--judge", metavar="MODEL", help="Judge with this model instead of the suite's.")
@click.option(
    "--model", "models", multiple=True, metavar="MODEL", help="Send the prompt to this model, in every case."
)
@click.option(
    "--outputs", type=FILE, metavar="FILE", help='Judge these outputs: JSON lines {"ref", "output"}.'
)
@click.option("--judge-all", is_flag=True, help="Ask the judge even where a deterministic check failed.")
@click.option("--arm", "arms", multiple=True, metavar="ARM", help="Only this arm of grids.")
@click.option("--repeat", type=click.IntRange(1, 99), help="How often grids give each task to each model.")
@click.option(
    "--live", is_flag=True, envvar="RUN_LLM_BENCH", help="Run the sessions of fixtures, too; they cost money."
)
@click.option("--stop-early", is_flag=True, help="Run no more replicas of a fixture once all is decided.")
@click.option("--jobs", type=click.IntRange(1, 1000), help="Sessions of fixtures at once.  [default: cores]")
@click.option("--concurrency", type=click.IntRange(1, 1000), help="Calls at once.  [default: 8]")
@click.option(
    "--http-retries",
    type=click.IntRange(0, 20),
    help="How often a call is sent again when the endpoint fails.  [default: 5]",
)
@click.option("--max-cost-usd", type=click.FloatRange(min=0), help="Make no call that could exceed this.")
@click.option("--no-cache", is_flag=True, help="Neither use nor keep earlier answers.")
@click.option(
    "--dry-run", is_flag=True, help="Say what would be called and what it would cost; call nothing."
)
@click.option("--resume", "resumed", metavar="RUN", help="Go on with a run that was interrupted.")
@click.option("--allow-warn", is_flag=True, help="Exit 0 when the worst verdict is WARN.")
@click.option("--allow-inconclusive", is_flag=True, help="Exit 0 when the worst verdict is INCONCLUSIVE.")
@click.option(
    "--json",
    "json_file",
    type=click.Path(dir_okay=False, allow_dash=True),
    metavar="FILE",
    help="Write the report as JSON; - prints it in place of the table.",
)
@click.option(
    "--record", type=FILE, metavar="FILE", help="Write the judge's answers for --judge replay:FILE."
)
@click.option("--allow-outside", is_flag=True, help="Let suites name files outside the project.")
@click.option("-y", "--yes", is_flag=True, help="Do not ask before spending.")
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
def command(
    suites: tuple[str, ...], failed: bool, dry_run: bool, resumed: str | None, **flags: Any
) -> ExitCode:
    """Judge suites and gate on the result.

    SUITE is the name of a suite, its file, or a folder that is searched; without any, all suites of the
    project are run. The sessions of fixtures are run with --live or RUN_LLM_BENCH=1 alone. Options that
    select cases may be repeated and combined. An option goes before the suite, the suite before the defaults
    in .omniscitus/config.yaml.

    The exit code is 0 when all passed, 1 when something failed, 2 when a file or an option is wrong, 3 when
    something could not be measured, 4 when nothing was run.
    """
    from scaffold.running import (
        RunRequest,
        complete,
        failed_refs,
        plan_request,
        recall,
        run_request,
        show_estimate,
    )

    if resumed is not None:
        if suites or failed:
            raise click.UsageError("--resume runs what its run was started with: name no suites or cases.")
        request = recall(resumed, flags)
    else:
        chosen = failed_refs() if failed else None
        request = RunRequest(suites=suites, flags={**flags, "failed": chosen})
    paths = locate_suites(request.suites, tuple(SuiteKind))
    if not paths:
        return _nothing("there is no suite here. Write one with: scaffold add-prompt NAME")
    request = complete(request, paths[0])
    plans = plan_request(paths, request)
    if not any(plan.trial_count for plan in plans):
        return _nothing("no case did not pass last time" if failed else "no case is selected")
    idle = [plan.why_idle for plan in plans if plan.trial_count]
    if dry_run or all(idle):
        show_estimate(plans, request.environ)
        return ExitCode.PASSED if dry_run else _nothing(str(idle[0]))
    return run_request(plans, request).exit_code


def _nothing(why: str) -> ExitCode:
    click.echo(f"Nothing was run: {why}.", err=True)
    return ExitCode.NOTHING_RUN
