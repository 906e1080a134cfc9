"""`scaffold run`: judge suites and gate on the result."""

import os
import sys
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import click
from judges.files.load import load_suite

from judges.core.case import Category
from judges.core.errors import ConfigError, Problem
from judges.core.report import Report
from judges.core.usage import Usage
from judges.core.verdict import ExitCode
from judges.files.outputs import read_outputs
from judges.files.problems import gather, raise_any
from judges.files.project import find_root
from judges.out.json_report import render_json
from judges.out.summary import render_count, render_usage
from judges.out.table import render_table
from judges.providers.budget import Budget
from judges.providers.limit import Terms
from judges.run.connections import Connections
from judges.run.estimate import estimate
from judges.run.execute import execute
from judges.run.options import RunOptions, Selection
from judges.run.plan import SuitePlan, plan_suite
from judges.run.recorder import Recorder
from judges.run.trial import Outcome
from scaffold.progress import open_progress
from scaffold.suites import locate_suites
from scaffold.terminal import terminal_style, terminal_width

ASK_ABOVE_USD = Decimal(1)


@click.command(short_help="Judge suites and gate on the result.")
@click.argument("suites", nargs=-1, metavar="[SUITE]...")
@click.option("-k", "keyword", default="", metavar="TEXT", help="Only cases whose ref or title holds TEXT.")
@click.option(
    "--category",
    "categories",
    multiple=True,
    type=click.Choice([category.value for category in Category]),
    help="Only cases of this category. May be repeated.",
)
@click.option("--tag", "tags", multiple=True, help="Only cases with this tag. May be repeated.")
@click.option("--judge", metavar="MODEL", help="Judge with this model instead of the suite's.")
@click.option(
    "--model",
    "models",
    multiple=True,
    metavar="MODEL",
    help="Send the prompt to this model, recorded outputs or not. May be repeated.",
)
@click.option(
    "--outputs",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help='Judge these outputs: JSON lines {"ref", "output"}.',
)
@click.option("--judge-all", is_flag=True, help="Ask the judge even where a deterministic check failed.")
@click.option(
    "--concurrency", type=click.IntRange(1, 1000), default=8, show_default=True, help="Calls at once."
)
@click.option("--max-cost-usd", type=click.FloatRange(min=0), help="Stop calling before this much is spent.")
@click.option(
    "--dry-run", is_flag=True, help="Say what would be called and what it would cost; spend nothing."
)
@click.option("--allow-warn", is_flag=True, help="Exit 0 when the worst verdict is WARN.")
@click.option("--allow-inconclusive", is_flag=True, help="Exit 0 when the worst verdict is INCONCLUSIVE.")
@click.option(
    "--json",
    "json_file",
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    metavar="FILE",
    help="Write the report as JSON; - is standard output, instead of the table.",
)
@click.option(
    "--record",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write the judge's answers as a file for --judge replay:FILE.",
)
@click.option("--allow-outside", is_flag=True, help="Let suites name files outside the project.")
@click.option("-y", "--yes", is_flag=True, help="Do not ask before spending.")
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
def command(suites: tuple[str, ...], dry_run: bool, **flags: Any) -> ExitCode:
    """Judge suites and gate on the result.

    SUITE is a suite's name, its file, or a folder; without one all suites of the project are run. The exit
    code is 0 when all passed, 1 when something failed, 3 when something could not be measured, and 4 when
    nothing was run.
    """
    paths = locate_suites(suites)
    if not paths:
        click.echo(
            "Nothing was run: there is no suite here. Write one with: scaffold add-prompt NAME", err=True
        )
        return ExitCode.NOTHING_RUN
    options = _options(flags)
    plans = _plan(paths, options, allow_outside=flags["allow_outside"])
    if not any(plan.trial_count for plan in plans):
        click.echo("Nothing was run: no case is selected.", err=True)
        return ExitCode.NOTHING_RUN
    if dry_run:
        return _dry_run(plans)
    return _run(plans, options, flags)


def _options(flags: dict[str, Any]) -> RunOptions:
    return RunOptions(
        judge=flags["judge"],
        models=flags["models"],
        outputs=read_outputs(flags["outputs"]) if flags["outputs"] else {},
        select=Selection(
            keyword=flags["keyword"],
            categories=frozenset(map(Category, flags["categories"])),
            tags=frozenset(flags["tags"]),
        ),
        concurrency=flags["concurrency"],
        judge_all=flags["judge_all"],
        allow_warn=flags["allow_warn"],
        allow_inconclusive=flags["allow_inconclusive"],
    )


def _plan(paths: Sequence[Path], options: RunOptions, *, allow_outside: bool) -> list[SuitePlan]:
    """Load and plan every suite; the problems of all of them are raised together."""
    plans: list[SuitePlan] = []
    problems: list[Problem] = []
    for path in paths:
        with gather(problems):
            plans.append(plan_suite(load_suite(path, allow_outside=allow_outside), options))
    raise_any(problems)
    return plans


def _dry_run(plans: Sequence[SuitePlan]) -> ExitCode:
    total = Usage()
    for plan in plans:
        used = estimate(plan, os.environ)
        total += used
        click.echo(
            f"{plan.suite.name}: {render_count(plan.trial_count, 'trial')}, judge {plan.judge}: "
            f"about {render_usage(used)}"
        )
    if len(plans) > 1:
        click.echo(f"total: about {render_usage(total)}")
    click.echo("Nothing was called.")
    return ExitCode.PASSED


def _run(plans: Sequence[SuitePlan], options: RunOptions, flags: dict[str, Any]) -> ExitCode:
    terms = Terms(concurrency=options.concurrency, budget=_budget(flags["max_cost_usd"]))
    connections = Connections(environ=os.environ, terms=terms)
    _confirm(plans, yes=flags["yes"])
    recorder = _recorder(flags["record"], plans)
    with open_progress(sum(plan.trial_count for plan in plans), quiet=flags["quiet"]) as progress:

        def observe(outcome: Outcome) -> None:
            progress.advance(outcome.case)
            if recorder is not None:
                recorder.add(outcome)

        report = execute(plans, options, connections, root=_run_root(plans), observe=observe)
    if recorder is not None:
        path = recorder.close(complete=report.exit_code is not ExitCode.INTERRUPTED)
        click.echo(f"The judge's answers are in {path}", err=True)
    _show(report, flags["json_file"])
    return report.exit_code


def _confirm(plans: Sequence[SuitePlan], *, yes: bool) -> None:
    """Ask a person before more than a trifle is spent; nobody is asked in CI."""
    if yes or not sys.stdin.isatty():
        return
    total = sum((estimate(plan, os.environ) for plan in plans), Usage())
    if total.cost_usd is not None and total.cost_usd > ASK_ABOVE_USD:
        click.confirm(f"This takes about {render_usage(total)}. Go on?", abort=True, err=True)


def _recorder(path: Path | None, plans: Sequence[SuitePlan]) -> Recorder | None:
    if path is None:
        return None
    if len(plans) > 1:
        raise ConfigError([Problem("--record takes the answers of one suite", hint="name the suite to run")])
    return Recorder(path, source=plans[0].judge)


def _run_root(plans: Sequence[SuitePlan]) -> Path:
    """Where the run directory goes: the project around here, else that of the first suite."""
    return find_root(Path.cwd()) or plans[0].suite.root


def _budget(most: float | None) -> Budget | None:
    return None if most is None else Budget(Decimal(str(most)))


def _show(report: Report, json_file: Path | None) -> None:
    if json_file is not None and str(json_file) != "-":
        part = json_file.with_name(f"{json_file.name}.part")
        with part.open("w", encoding="utf-8") as file:
            file.writelines(render_json(report))
        part.replace(json_file)
    if json_file is not None and str(json_file) == "-":
        for chunk in render_json(report):
            click.echo(chunk, nl=False)
        return
    click.echo(render_table(report, width=terminal_width(), style=terminal_style()), nl=False)
