"""`scaffold run`: judge suites and gate on the result."""

from collections.abc import Collection, Iterator
from typing import Any

import click
from click.core import ParameterSource

from judges.core.case import Category
from judges.core.report import SuiteKind
from judges.core.verdict import ExitCode
from scaffold import run_flags
from scaffold.output_flags import output_options
from scaffold.suites import locate_suites

CATEGORIES = click.Choice([category.value for category in Category])


@click.command(short_help="Judge suites and gate on the result.")
@click.argument("suites", nargs=-1, metavar="[SUITE]...")
@click.option(
    "-k", "keywords", multiple=True, metavar="TEXT", help="Only cases whose ref or title holds TEXT."
)
@click.option("--category", "categories", multiple=True, type=CATEGORIES, help="Only cases of this category.")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="Only cases with this tag.")
@click.option("--failed", is_flag=True, help="Only cases that did not pass in the latest run.")
@run_flags.JUDGE
@click.option(
    "--model", "models", multiple=True, metavar="MODEL", help="Send the prompt to this model, in every case."
)
@click.option(
    "--outputs",
    type=run_flags.FILE,
    metavar="FILE",
    help='Judge these outputs: JSON lines {"ref", "output"}.',
)
@click.option("--judge-all", is_flag=True, help="Ask the judge even where a deterministic check failed.")
@click.option("--arm", "arms", multiple=True, metavar="ARM", help="Only this arm of grids.")
@click.option("--repeat", type=click.IntRange(1, 99), help="How often grids give each task to each model.")
@run_flags.LIVE
@run_flags.STOP_EARLY
@run_flags.JOBS
@click.option("--concurrency", type=click.IntRange(1, 1000), help="Calls at once.  [default: 8]")
@click.option(
    "--http-retries",
    type=click.IntRange(0, 20),
    help="How often a call is sent again when the endpoint fails.  [default: 5]",
)
@run_flags.MAX_COST
@run_flags.NO_CACHE
@run_flags.DRY_RUN
@click.option("--resume", "resumed", metavar="RUN", help="Go on with a run that was interrupted.")
@run_flags.ALLOW_WARN
@run_flags.ALLOW_INCONCLUSIVE
@run_flags.JSON
@output_options
@run_flags.RECORD
@run_flags.RECORD_ALL
@run_flags.RECORDED
@run_flags.ALLOW_OUTSIDE
@run_flags.YES
@run_flags.QUIET
def command(
    suites: tuple[str, ...],
    failed: bool,
    dry_run: bool,
    resumed: str | None,
    **flags: Any,
) -> ExitCode:
    """Judge suites and gate on the result.

    SUITE is the name of a suite, its file, or a folder that is searched; without any, all suites of the
    project are run. The sessions of fixtures are run with --live or RUN_LLM_BENCH=1 alone; a fixture that is
    an arm of a grid is run with its grid, by itself only where it is named. Options that select cases may be
    repeated and combined. An option goes before the suite, the suite before the defaults in
    .omniscitus/config.yaml.

    With --recorded nothing is called and no key is needed: outputs.jsonl and replay.jsonl beside each suite
    stand for all calls. A suite without them is skipped, and what does not fit them any more is an error.

    The exit code is 0 when all passed, 1 when something failed, 2 when a file or an option is wrong, 3 when
    something could not be measured, 4 when nothing was run.
    """
    from scaffold.request import FREE, RunRequest, recall, request_failed
    from scaffold.running import perform

    if flags["recorded"] and (flags["record"] or flags["record_all"]):
        raise click.UsageError("--recorded calls nothing, so there is nothing to record.")
    if flags["record_all"] and resumed is not None:
        raise click.UsageError(
            "--record-all records whole runs: start anew; what was asked before costs nothing."
        )
    if resumed is not None:
        fixed = ("suites", "failed", *(name for name in flags if name not in FREE))
        if given := list(_given(fixed)):
            message = f"--resume runs what its run was started with: leave out {', '.join(given)}."
            raise click.UsageError(message)
        request = recall(resumed, flags)
    elif failed:
        request = request_failed(suites, flags)
    else:
        request = RunRequest(suites=suites, flags={**flags, "failed": None})
    paths = locate_suites(request.suites, tuple(SuiteKind))
    return perform(paths, request, dry_run=dry_run)


def _given(names: Collection[str]) -> Iterator[str]:
    """Yield how those of these parameters are written that stand on the command line."""
    context = click.get_current_context()
    for parameter in context.command.params:
        source = context.get_parameter_source(parameter.name or "")
        if parameter.name in names and source is ParameterSource.COMMANDLINE:
            yield parameter.opts[-1] if isinstance(parameter, click.Option) else str(parameter.metavar)
