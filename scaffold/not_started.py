"""What is said where nothing is started: why, and a report of it in every output that was asked for."""

from collections.abc import Mapping, Sequence
from typing import Any

import click

from judges.core.verdict import ExitCode
from judges.out.masked import mask_report
from judges.out.printable import printable, shield
from judges.run.execute import utc_now
from judges.run.not_started import report_not_started
from judges.run.plan import Plan
from scaffold.ci_outputs import FILES, build_run_mask, check_files, save_report, tell_github, write_outputs
from scaffold.printing import print_report
from scaffold.request import RunRequest


def tell_not_started(plans: Sequence[Plan], request: RunRequest, why: str) -> ExitCode:
    """Say why nothing is run, report the plans as skipped, and return the exit code.

    Raises:
        ConfigError: a file cannot be written as it is named, or a `.env` file cannot be used.
        OSError: a file cannot be written.
    """
    flags = request.flags
    check_files(flags)
    report = report_not_started(plans, why, utc_now())
    shown = mask_report(report, build_run_mask(plans, request.environ))
    if flags["json_file"] == "-":
        print_report(report)
    click.echo(shield(printable(f"Nothing was run: {why}.")), err=True)
    tell_github(shown, flags, request.environ, plans)
    save_report(report, flags)
    write_outputs(shown, flags)
    return report.exit_code


def refuse_files(flags: Mapping[str, Any]) -> None:
    """Refuse to write files of a dry run, which has no result: an older file would be taken for it.

    Raises:
        UsageError: one was asked for.
    """
    if given := [f"--{name.removesuffix('_file')}" for name in FILES if flags.get(name) is not None]:
        raise click.UsageError(f"--dry-run has no result to write: leave out {', '.join(given)}.")
