"""What a command line asks of a run: its flags, completed by the project's settings, and its plans."""

import os
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import click

from judges.core.case import Category
from judges.core.errors import ConfigError, Problem
from judges.core.report import SuiteKind
from judges.core.verdict import ExitCode, Verdict
from judges.files.any_suite import load_any
from judges.files.outputs import read_outputs
from judges.files.problems import build_all
from judges.files.project import find_root
from judges.files.text import display_path
from judges.out.summary import render_count
from judges.providers.budget import Budget
from judges.providers.gate import SystemClock
from judges.providers.limit import Terms
from judges.providers.process.slots import Slots, count_cores
from judges.run.given_outputs import refuse_strangers
from judges.run.options import RunOptions, Selection
from judges.run.plan import Plan
from judges.run.procedures import plan_suite
from judges.run.records import PLAN, RunDirectory, read_json
from judges.run.resume import trials_left
from judges.run.review import list_suites, read_results
from judges.run.runner.cases import case_reader
from judges.run.stored import describe_newer, find_run, is_finished, list_runs
from scaffold.config import build_environ, load_config
from scaffold.suites import locate_suites

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
    plan = read_json(path / PLAN)
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
        ConfigError: a suite is wrong, or cannot be run so; with the problems of all suites. Or an output that
            was brought along is of none of their cases: a model would be asked for another one in its place.
    """
    options = build_options(request.flags)
    read_cases = case_reader(request.environ)

    def plan(path: Path) -> Plan:
        suite = load_any(path, allow_outside=request.flags["allow_outside"], read_cases=read_cases)
        return plan_suite(suite, options)

    plans = build_all(plan, paths)
    if given := request.flags["outputs"]:
        refuse_strangers(options.outputs, plans, display_path(Path(given)))
    return plans


def build_options(flags: Mapping[str, Any]) -> RunOptions:
    """Return the engine's options for these flags.

    Raises:
        ConfigError: the file of outputs cannot be read, or holds none.
    """
    failed = flags["failed"]
    return RunOptions(
        judge=from_here(flags["judge"]),
        models=tuple(flags["models"]),
        outputs=_read_given(Path(flags["outputs"])) if flags["outputs"] else {},
        select=Selection(
            keywords=tuple(flags["keywords"]),
            categories=frozenset(map(Category, flags["categories"])),
            tags=frozenset(flags["tags"]),
            refs=None if failed is None else {path: frozenset(refs) for path, refs in failed.items()},
        ),
        concurrency=_workers(flags),
        judge_all=flags["judge_all"],
        arms=tuple(flags["arms"]),
        repeat=flags["repeat"],
        recorded=flags["recorded"],
        live=flags["live"] and not flags["recorded"],
        stop_early=flags["stop_early"],
        allow_warn=flags["allow_warn"],
        allow_inconclusive=flags["allow_inconclusive"],
        arguments=flags,
    )


def _read_given(path: Path) -> Mapping[str, str]:
    outputs = read_outputs(path)
    if not outputs:
        raise ConfigError([Problem("holds no output", display_path(path))])
    return outputs


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


def request_failed(suites: Sequence[str], flags: Mapping[str, Any]) -> RunRequest:
    """Return the request for what did not pass in the latest run of a command line.

    Without `suites` it is about all of that run; of one that was not run then nothing is asked for.

    Raises:
        ConfigError: there is no run yet, or it is damaged; or a name fits no suite. Or that run was
            interrupted, and what it was to run cannot be run any more.
    """
    last = _failed_refs(flags)
    found = locate_suites(suites or tuple(last), tuple(SuiteKind))
    failed = {path: last.get(path, []) for path in (str(path.absolute()) for path in found)}
    return RunRequest(suites=tuple(failed), flags={**flags, "failed": failed})


def _failed_refs(flags: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return what did not pass in the latest run of a command line, by the absolute paths of its suites.

    The runs of a program, or of a gate, are about something else. What passed and is gone is left out. What
    an interrupted run did not come to has not passed, either.
    """
    root = find_root(Path.cwd())
    finished = (RunDirectory(path) for path in reversed(list_runs(root)) if is_finished(path)) if root else ()
    run = next((run for run in finished if run.info.get("arguments")), None)
    run = run or RunDirectory(find_run(None, root))
    if newer := describe_newer(run.path, root):
        click.echo(newer, err=True)
    interrupted = run.info.get("exit_code") == ExitCode.INTERRUPTED
    left = _refs_left(run, flags) if interrupted and run.info.get("arguments") else {}
    failed = {}
    for suite in list_suites(run):
        cases = (result.case for result in read_results(suite))
        refs = [case.ref for case in cases if case.verdict not in (Verdict.PASS, Verdict.SKIP)]
        refs = list(dict.fromkeys((*refs, *left.get(str(suite.path), ()))))
        if refs or suite.path.exists():
            failed[str(suite.path)] = refs
    return failed


def _refs_left(run: RunDirectory, flags: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the cases of which an interrupted run has not run every trial, by the paths of their suites."""
    request = recall(str(run.path), flags)
    plans = plan_request(map(Path, request.suites), request)
    folders = [run.path / suite for suite in run.suites]
    left = {
        str(plan.suite.path): list(dict.fromkeys(trial.case.ref for trial in trials_left(plan, folder)))
        for plan, folder in zip(plans, folders, strict=True)
    }
    count = render_count(sum(map(len, left.values())), "case")
    message = f"Run {run.path.name} was interrupted; what it did not run counts as not passed: {count}."
    click.echo(message, err=True)
    return left


def build_terms(flags: Mapping[str, Any], stop: threading.Event) -> Terms:
    """Return how the endpoints may be used. Waits for a retry end at once when `stop` is set."""
    most = flags["max_cost_usd"]
    budget = None if most is None else Budget(Decimal(str(most)))
    return Terms(
        concurrency=flags["concurrency"],
        http_retries=flags["http_retries"],
        budget=budget,
        clock=SystemClock(stop),
        slots=Slots(flags["jobs"]),
    )
