"""What is done with a request to run suites: ask for consent, run, show, save."""

import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import click

from judges.core.report import CaseReport, Report
from judges.core.usage import Usage
from judges.core.verdict import ExitCode
from judges.files.project import find_root
from judges.out.masked import mask_report
from judges.out.printable import printable, shield
from judges.out.summary import render_count, render_usage
from judges.out.table import render_table
from judges.run.connections import Connections
from judges.run.execute import Watch, execute, resume
from judges.run.outcome import Outcome
from judges.run.plan import Plan
from judges.run.procedures import estimate
from judges.run.undisturbed import undisturbed
from scaffold.caching import open_store
from scaffold.ci_outputs import build_run_mask, check_files, save_report, tell_github, write_outputs
from scaffold.copies import write_copies
from scaffold.not_started import refuse_files, tell_not_started
from scaffold.printing import print_report
from scaffold.progress import Progress, open_progress
from scaffold.recording import Recording, open_recording
from scaffold.request import RunRequest, build_terms, complete, plan_request
from scaffold.terminal import terminal_style, terminal_width

ASK_ABOVE_USD = Decimal(1)


def perform(paths: Sequence[Path], request: RunRequest, *, dry_run: bool) -> ExitCode:
    """Run the suites at these paths; or say what that would cost, with `dry_run` or where none is enabled.

    Of recorded suites a report says that they are none.

    Raises:
        UsageError: a file is to be written, with `dry_run`.
        ConfigError: a suite or a setting is wrong; nothing was called.
        OSError: a file cannot be written.
    """
    if dry_run:
        refuse_files(request.flags)
    if not paths:
        why = "there is no suite here. Write one with: scaffold add-prompt NAME"
        return tell_not_started((), request, why)
    request = complete(request, paths[0])
    plans = plan_request(paths, request)
    if not any(plan.trial_count for plan in plans):
        return tell_not_started(plans, request, _why_none(request.flags))
    idle = [plan.why_idle for plan in plans if plan.trial_count]
    if dry_run or (all(idle) and not request.flags["recorded"]):
        show_estimate(plans, request.environ, err=request.flags["json_file"] == "-")
        return ExitCode.PASSED if dry_run else tell_not_started(plans, request, str(idle[0]))
    return run_request(plans, request).exit_code


def _why_none(flags: Mapping[str, Any]) -> str:
    if flags["failed"] is not None:
        return "no case did not pass last time"
    options = {"-k": "keywords", "--category": "categories", "--tag": "tags", "--arm": "arms"}
    chosen = " ".join(f"{option} {value}" for option, name in options.items() for value in flags[name])
    return f"no case is selected by {chosen}" if chosen else "there is no case"


def show_estimate(plans: Sequence[Plan], environ: Mapping[str, str], *, err: bool = False) -> None:
    """Print what a run would call and cost, on standard error with `err`."""
    total = Usage()
    for plan in plans:
        used = estimate(plan, environ)
        total += used
        trials = render_count(plan.trial_count, "trial") + (f" ({plan.formula})" if plan.formula else "")
        judge = f", judge {plan.judge}" if plan.judge else ""
        own = f", without {plan.unpriced}" if plan.unpriced else ""
        line = f"{plan.suite.name}: {trials}{judge}: about {render_usage(used)}{own}"
        click.echo(shield(printable(line)), err=err)
    if len(plans) > 1:
        click.echo(f"total: about {render_usage(total)}", err=err)
    click.echo("Nothing was called.", err=err)


def run_request(plans: Sequence[Plan], request: RunRequest) -> Report:
    """Run the plans, or go on with an earlier run of them, and show the result.

    Raises:
        ConfigError: an endpoint cannot be used as it is set up; nothing was called.
        OSError: a file cannot be written.
    """
    flags = request.flags
    check_files(flags)
    mask = build_run_mask(plans, request.environ)
    store = None if flags["no_cache"] else open_store(_root(plans))
    stop = threading.Event()
    connections = Connections(environ=request.environ, terms=build_terms(flags, stop), store=store)
    _confirm(plans, request)
    with ExitStack() as ending, open_recording(plans, flags) as recording:
        try:
            report = _run_watched(plans, request, connections, recording, ending)
        finally:
            stop.set()
        whole = report.exit_code is not ExitCode.INTERRUPTED
        not_copied = write_copies([plan.suite for plan in plans], report) if whole else []
        shown = mask_report(report, mask)
        _show(report if flags["json_file"] == "-" else shown, as_json=flags["json_file"] == "-")
        for sentence in not_copied:
            click.echo(shield(printable(f"Notice: {sentence}")), err=True)
        tell_github(shown, flags, request.environ, plans)
        save_report(report, flags)
        if whole:
            recording.save()
        write_outputs(shown, flags)
    return report


def _run_watched(
    plans: Sequence[Plan],
    request: RunRequest,
    connections: Connections,
    recording: Recording,
    ending: ExitStack,
) -> Report:
    """Run the plans. From an interrupt on, a further one does not keep the result from being shown."""
    options = replace(plans[0].options, run_dir=request.run_dir)
    total = sum(plan.trial_count for plan in plans)
    with open_progress(total, quiet=request.flags["quiet"]) as progress:
        watch = _Watch(progress, recording)
        if request.resumed is None:
            report = execute(plans, options, connections, root=_root(plans), watch=watch)
        else:
            report = resume(request.resumed, plans, options, connections, watch=watch)
        if report.exit_code is ExitCode.INTERRUPTED:
            ending.enter_context(undisturbed())
    return report


def _root(plans: Sequence[Plan]) -> Path:
    """Where the run directory and the cache go: the project around here, else that of the first suite."""
    return find_root(Path.cwd()) or plans[0].suite.root


class _Watch(Watch):
    def __init__(self, progress: Progress, recording: Recording) -> None:
        self._progress = progress
        self._recording = recording

    def case(self, case: CaseReport) -> None:
        self._progress.advance(case)

    def outcome(self, number: int, outcome: Outcome) -> None:
        self._recording.add(number, outcome)


def _confirm(plans: Sequence[Plan], request: RunRequest) -> None:
    """Ask a person before more than a trifle is spent; nobody is asked in CI."""
    if request.flags["yes"] or not sys.stdin.isatty():
        return
    total = sum((estimate(plan, request.environ) for plan in plans), Usage())
    if total.cost_usd is not None and total.cost_usd > ASK_ABOVE_USD:
        click.confirm(f"This takes about {render_usage(total)}. Go on?", abort=True, err=True)


def _show(report: Report, *, as_json: bool) -> None:
    if as_json:
        print_report(report)
    else:
        click.echo(render_table(report, width=terminal_width(), style=terminal_style()), nl=False)
