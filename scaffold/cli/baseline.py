"""`scaffold baseline`: accept a run as the one that later runs are measured against, or show it."""

import os
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING

import click

from judges.core.errors import ConfigError, Problem
from judges.core.verdict import ExitCode
from judges.out.printable import printable

if TYPE_CHECKING:
    from judges.core.baseline import Baseline
    from judges.files.suite import PromptSuite
    from judges.run.accept import RunOfSuite

OUTSIDE = click.option("--allow-outside", is_flag=True, help="Let suites name files outside the project.")


@click.group(short_help="Accept a run as what later runs are measured against.")
def command() -> None:
    """Accept a run as what later runs are measured against.

    A suite of type regression compares its outputs with those of an accepted run. They are kept with their
    scores in baseline.json beside the suite file: commit it.
    """


@command.command(short_help="Make a run the baseline of its suites.")
@click.argument("run", required=False)
@click.option("--suite", metavar="NAME", help="Only this suite of the run.")
@click.option("--force", is_flag=True, help="Accept also a run that is not whole: what it lacks is left out.")
@OUTSIDE
def accept(run: str | None, suite: str | None, force: bool, allow_outside: bool) -> None:
    """Make a run the baseline of its suites.

    RUN is the id or the path of a run; without it, the latest finished one. A run that does not have all
    cases of a suite, or could not measure some, is refused; nothing is written then.
    """
    from judges.files.baseline import render_baseline
    from judges.files.problems import gather, raise_any
    from judges.files.project import BASELINE_FILE, find_root
    from judges.files.text import display_path
    from judges.files.whole import write_whole
    from judges.run.accept import build_baseline
    from judges.run.stored import find_run

    path = find_run(run, find_root(Path.cwd()))
    made = []
    problems: list[Problem] = []
    for each in _chosen(path, suite):
        with gather(problems):
            loaded = _load(each.path, allow_outside=allow_outside)
            made.append((loaded, build_baseline(loaded, each, force=force)))
    raise_any(problems)
    for loaded, baseline in made:
        place = loaded.path.parent / BASELINE_FILE
        with write_whole(place) as file:
            file.write(render_baseline(baseline))
        click.echo(f"{loaded.name}: {_describe(baseline)}")
        click.echo(f"Written to {display_path(place)}; commit it.")


@command.command(short_help="Show what suites are measured against.")
@click.argument("suites", nargs=-1, metavar="[SUITE]...")
@OUTSIDE
def show(suites: tuple[str, ...], allow_outside: bool) -> ExitCode | None:
    """Show what suites are measured against: the accepted run, its judge, and the score of each case.

    SUITE is the name of a suite, its file, or a folder that is searched; without any, all suites of the
    project that have type regression.
    """
    from judges.files.evaluation_meta import EvaluationType
    from judges.run.baseline import describe_baseline
    from scaffold.suites import locate_suites

    loaded = [_load(path, allow_outside=allow_outside) for path in locate_suites(suites)]
    measured = [suite for suite in loaded if suite.evaluation is EvaluationType.REGRESSION]
    for suite in measured:
        if suite.baseline is None:
            click.echo(f"{suite.name}: no baseline yet. Run the suite, then: scaffold baseline accept")
            continue
        click.echo(f"{suite.name}: {_describe(suite.baseline)}")
        click.echo("\n".join(_scores(suite.baseline)))
        judge = suite.meta.judge
        for notice in describe_baseline(suite, ", ".join(judge.panel or (judge.model,))):
            click.echo(f"Notice: {notice.text}", err=True)
    if not measured:
        click.echo("There is no suite of type regression here.", err=True)
    return None if any(suite.baseline for suite in measured) else ExitCode.NOTHING_RUN


def _chosen(run: Path, name: str | None) -> "list[RunOfSuite]":
    """Return the suites of a run that are meant."""
    from judges.run.accept import suites_of_run
    from scaffold.named import Names, pick_named, read_own_name

    suites = suites_of_run(run)
    chosen = pick_named(
        name, suites, lambda each: Names(each.path, read_own_name(each.path) or "", each.folder.name)
    )
    if not suites:
        hint = "only a suite with evaluation: {type: regression} has a baseline"
        raise ConfigError([Problem(f"run {run.name} has no suite of type regression", hint=hint)])
    if not chosen:
        known = ", ".join(each.path.parent.name for each in suites)
        raise ConfigError([Problem(f"run {run.name} has no suite '{name}'", hint=f"it has: {known}")])
    return chosen


def _load(path: Path, *, allow_outside: bool) -> "PromptSuite":
    from judges.files.config import apply_config, read_config
    from judges.files.load import load_suite
    from judges.run.runner.cases import case_reader

    suite = load_suite(path, allow_outside=allow_outside, read_cases=case_reader(os.environ))
    return apply_config(suite, read_config(suite.root))


def _describe(baseline: "Baseline") -> str:
    scores = [case.score for case in baseline.cases if case.score is not None]
    mean = f", mean score {fmean(scores):.1f}" if scores else ""
    cases = f"{len(baseline.cases)} case{'' if len(baseline.cases) == 1 else 's'}"
    return f"{cases}{mean}, judged by {baseline.judge} in run {baseline.run}"


def _scores(baseline: "Baseline") -> Iterator[str]:
    for case in baseline.cases:
        score = "none" if case.score is None else f"{case.score:g}"
        model = f" [{case.model}]" if case.model else ""
        yield f"  {score:>7}  {printable(case.ref + model)}"
