"""What `scaffold run` does with its arguments: load, plan, ask for consent, run, show."""

import os
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import click

from judges.core.case import Category
from judges.core.errors import ConfigError, Problem
from judges.core.report import CaseReport, Report
from judges.core.usage import Usage
from judges.core.verdict import ExitCode, Verdict
from judges.files.any_suite import load_any
from judges.files.outputs import read_outputs
from judges.files.problems import gather, raise_any
from judges.files.project import find_root
from judges.files.whole import write_whole
from judges.out.github import shield_json
from judges.out.json_report import render_json
from judges.out.masked import mask_report
from judges.out.printable import printable, shield
from judges.out.summary import render_count, render_usage
from judges.out.table import render_table
from judges.providers.budget import Budget
from judges.providers.gate import SystemClock
from judges.providers.limit import Terms
from judges.providers.process.slots import Slots, count_cores
from judges.run.connections import Connections
from judges.run.execute import Watch, execute, resume
from judges.run.options import RunOptions, Selection
from judges.run.outcome import Outcome
from judges.run.plan import Plan
from judges.run.procedures import estimate, plan_suite
from judges.run.recorder import Recorder
from judges.run.records import RunDirectory, read_json
from judges.run.runner.cases import case_reader
from judges.run.stored import find_run
from scaffold.caching import open_store
from scaffold.ci_outputs import build_run_mask, check_files, tell_github, write_outputs
from scaffold.config import build_environ, load_config
from scaffold.copies import write_copies
from scaffold.progress import Progress, open_progress
from scaffold.terminal import terminal_style, terminal_width

ASK_ABOVE_USD = Decimal(1)
FREE = (
    "jobs",
    "concurrency",
    "http_retries",
    "no_cache",
    "max_cost_usd",
    "allow_warn",
    "allow_inconclusive",
    "json_file",
    "junit_file",
    "csv_file",
    "markdown_file",
    "github",
    "record",
    "yes",
    "quiet",
)
"""The flags that a resumed run takes from now, not from then: they change nothing about the trials."""
LIMITS = ("concurrency", "http_retries", "max_cost_usd")
"""The flags that the project's settings stand in for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRequest:
    """What a command line asks for: suites, and options by their names; `plan.json` keeps the options.

    `resumed` is the run directory to go on with, if any; `run_dir` is where that of a new run is wanted.
    `environ` holds keys and addresses.
    """

    suites: tuple[str, ...]
    flags: Mapping[str, Any]
    resumed: Path | None = None
    run_dir: Path | None = None
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)


def recall(name: str, flags: Mapping[str, Any]) -> RunRequest:
    """Return the request that started a run, with those flags of now that do not change what is run.

    Raises:
        ConfigError: there is no such run, or it is damaged.
    """
    path = find_run(name, find_root(Path.cwd()))
    plan = read_json(path / "plan.json")
    try:
        paths = tuple(suite["path"] for suite in plan["suites"])
        kept = dict(plan["arguments"])
    except (KeyError, TypeError) as error:
        problem = Problem(f"the run is damaged: {error}", file=str(path), hint="start a new run")
        raise ConfigError([problem]) from error
    if not kept:
        message = "a program started this run, so how to go on is not known here"
        raise ConfigError([Problem(message, file=str(path), hint="run the program again")])
    now = {key: flags[key] for key in FREE}
    return RunRequest(suites=paths, flags={**flags, **kept, **now}, resumed=path)


def perform(paths: Sequence[Path], request: RunRequest, *, dry_run: bool) -> ExitCode:
    """Run the suites at these paths; or say what that would cost, with `dry_run` or where none is enabled.

    Raises:
        ConfigError: a suite or a setting is wrong; nothing was called.
        OSError: a file cannot be written.
    """
    if not paths:
        return _nothing("there is no suite here. Write one with: scaffold add-prompt NAME")
    request = complete(request, paths[0])
    plans = plan_request(paths, request)
    if not any(plan.trial_count for plan in plans):
        none = "no case is selected" if request.flags["failed"] is None else "no case did not pass last time"
        return _nothing(none)
    idle = [plan.why_idle for plan in plans if plan.trial_count]
    if dry_run or all(idle):
        show_estimate(plans, request.environ)
        return ExitCode.PASSED if dry_run else _nothing(str(idle[0]))
    return run_request(plans, request).exit_code


def _nothing(why: str) -> ExitCode:
    click.echo(f"Nothing was run: {why}.", err=True)
    return ExitCode.NOTHING_RUN


def complete(request: RunRequest, suite: Path) -> RunRequest:
    """Return the request with the project's settings where it says nothing.

    Outside any project they are those of the project around the suite.

    Raises:
        ConfigError: the settings are wrong.
    """
    config = load_config(suite)
    given = {name: request.flags[name] for name in LIMITS if request.flags[name] is not None}
    limits = {name: getattr(config, name) for name in LIMITS}
    return replace(request, flags={**request.flags, **limits, **given}, environ=build_environ(config))


def plan_request(paths: Iterable[Path], request: RunRequest) -> list[Plan]:
    """Load and plan every suite.

    Raises:
        ConfigError: a suite is wrong, or cannot be run so; with the problems of all suites.
    """
    options = build_options(request.flags)
    read_cases = case_reader(request.environ)
    plans: list[Plan] = []
    problems: list[Problem] = []
    for path in paths:
        with gather(problems):
            suite = load_any(path, allow_outside=request.flags["allow_outside"], read_cases=read_cases)
            plans.append(plan_suite(suite, options))
    raise_any(problems)
    return plans


def build_options(flags: Mapping[str, Any]) -> RunOptions:
    """Return the engine's options for these flags.

    Raises:
        ConfigError: the file of outputs cannot be read.
    """
    failed = flags["failed"]
    return RunOptions(
        judge=from_here(flags["judge"]),
        models=tuple(flags["models"]),
        outputs=read_outputs(Path(flags["outputs"])) if flags["outputs"] else {},
        select=Selection(
            keyword=flags["keyword"],
            categories=frozenset(map(Category, flags["categories"])),
            tags=frozenset(flags["tags"]),
            refs=None if failed is None else {path: frozenset(refs) for path, refs in failed.items()},
        ),
        concurrency=_workers(flags),
        judge_all=flags["judge_all"],
        arms=tuple(flags["arms"]),
        repeat=flags["repeat"],
        live=flags["live"],
        stop_early=flags["stop_early"],
        allow_warn=flags["allow_warn"],
        allow_inconclusive=flags["allow_inconclusive"],
        arguments=flags,
    )


def _workers(flags: Mapping[str, Any]) -> int:
    """How many trials are run at once: sessions have places of their own, however few calls may be made."""
    concurrency: int = flags["concurrency"]
    return max(concurrency, flags["jobs"] or count_cores()) if flags["live"] else concurrency


def from_here(judge: str | None) -> str | None:
    """Return a judge as it is meant here: a replay file is looked for here first, then beside the suite."""
    if judge is not None and judge.startswith("replay:"):
        path = Path(judge.removeprefix("replay:"))
        return f"replay:{path.absolute()}" if path.exists() else judge
    return judge


def failed_refs() -> dict[str, list[str]]:
    """Return what did not pass in the latest run, by the paths of the suites.

    Raises:
        ConfigError: there is no run yet, or it is damaged.
    """
    run = RunDirectory(find_run(None, find_root(Path.cwd())))
    failed = {}
    for suite in run.suites:
        refs = [case.ref for case in run.cases(suite) if case.verdict not in (Verdict.PASS, Verdict.SKIP)]
        failed[run.grade(suite)["path"]] = refs
    return failed


def show_estimate(plans: Sequence[Plan], environ: Mapping[str, str]) -> None:
    """Print what a run would call and cost."""
    total = Usage()
    for plan in plans:
        used = estimate(plan, environ)
        total += used
        trials = render_count(plan.trial_count, "trial") + (f" ({plan.formula})" if plan.formula else "")
        judge = f", judge {plan.judge}" if plan.judge else ""
        own = f", without {plan.unpriced}" if plan.unpriced else ""
        line = f"{plan.suite.name}: {trials}{judge}: about {render_usage(used)}{own}"
        click.echo(shield(printable(line)))
    if len(plans) > 1:
        click.echo(f"total: about {render_usage(total)}")
    click.echo("Nothing was called.")


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
    connections = Connections(environ=request.environ, terms=_terms(flags, stop), store=store)
    _confirm(plans, request)
    with _recorder(flags["record"], plans) as recorder:
        try:
            report = _run_watched(plans, request, connections, recorder)
        finally:
            stop.set()
        whole = report.exit_code is not ExitCode.INTERRUPTED
        not_copied = write_copies([plan.suite for plan in plans], report) if whole else []
        shown = mask_report(report, mask)
        _show(report if flags["json_file"] == "-" else shown, as_json=flags["json_file"] == "-")
        for sentence in not_copied:
            click.echo(shield(printable(f"Notice: {sentence}")), err=True)
        tell_github(shown, flags, request.environ, plans)
        _save(report, flags, recorder if whole else None)
        write_outputs(shown, flags)
    return report


def _run_watched(
    plans: Sequence[Plan], request: RunRequest, connections: Connections, recorder: Recorder | None
) -> Report:
    options = replace(plans[0].options, run_dir=request.run_dir)
    total = sum(plan.trial_count for plan in plans)
    with open_progress(total, quiet=request.flags["quiet"]) as progress:
        watch = _Watch(progress, recorder)
        if request.resumed is not None:
            return resume(request.resumed, plans, options, connections, watch=watch)
        return execute(plans, options, connections, root=_root(plans), watch=watch)


def _root(plans: Sequence[Plan]) -> Path:
    """Where the run directory and the cache go: the project around here, else that of the first suite."""
    return find_root(Path.cwd()) or plans[0].suite.root


class _Watch(Watch):
    def __init__(self, progress: Progress, recorder: Recorder | None) -> None:
        self._progress = progress
        self._recorder = recorder

    def case(self, case: CaseReport) -> None:
        self._progress.advance(case)

    def outcome(self, outcome: Outcome) -> None:
        if self._recorder is not None:
            self._recorder.add(outcome)


def _terms(flags: Mapping[str, Any], stop: threading.Event) -> Terms:
    """Waits for a retry end at once when `stop` is set."""
    most = flags["max_cost_usd"]
    budget = None if most is None else Budget(Decimal(str(most)))
    return Terms(
        concurrency=flags["concurrency"],
        http_retries=flags["http_retries"],
        budget=budget,
        clock=SystemClock(stop),
        slots=Slots(flags["jobs"]),
    )


def _confirm(plans: Sequence[Plan], request: RunRequest) -> None:
    """Ask a person before more than a trifle is spent; nobody is asked in CI."""
    if request.flags["yes"] or not sys.stdin.isatty():
        return
    total = sum((estimate(plan, request.environ) for plan in plans), Usage())
    if total.cost_usd is not None and total.cost_usd > ASK_ABOVE_USD:
        click.confirm(f"This takes about {render_usage(total)}. Go on?", abort=True, err=True)


@contextmanager
def _recorder(path: str | None, plans: Sequence[Plan]) -> Iterator[Recorder | None]:
    if path is None:
        yield None
        return
    if len(plans) > 1:
        raise ConfigError([Problem("--record takes the answers of one suite", hint="name the suite to run")])
    standing = plans[0].standing
    if standing is not None and standing.qualified is False:
        message = "the answers of a smoke judge are not recorded, as a replay of them would decide"
        raise ConfigError([Problem(message, hint="name another judge")])
    with closing(Recorder(source=plans[0].judge)) as recorder:
        yield recorder


def _show(report: Report, *, as_json: bool) -> None:
    if as_json:
        for chunk in render_json(report):
            click.echo(shield_json(chunk), nl=False)
    else:
        click.echo(render_table(report, width=terminal_width(), style=terminal_style()), nl=False)


def _save(report: Report, flags: Mapping[str, Any], recorder: Recorder | None) -> None:
    """Write the files that were asked for; the result was shown before, whatever becomes of them."""
    if flags["json_file"] not in (None, "-"):
        with write_whole(Path(flags["json_file"])) as file:
            file.writelines(render_json(report))
    if recorder is not None:
        recorder.save(Path(flags["record"]))
