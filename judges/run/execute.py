"""Running plans: all trials of all suites through one pool, every finished one written at once."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TypeAlias

from judges.core.case import Trial
from judges.core.errors import ConfigError, Problem
from judges.core.report import CaseReport, Report
from judges.core.row import Notice
from judges.core.usage import Usage
from judges.core.verdict import ExitCode, exit_code, worst
from judges.files.problems import gather, raise_any
from judges.run.closed import ClosedBench, skip_case
from judges.run.connections import Connections
from judges.run.describe import describe_plans, describe_report
from judges.run.options import RunOptions
from judges.run.outcome import Outcome
from judges.run.plan import Bench, Plan
from judges.run.pool import run_batches, run_pool
from judges.run.procedures import procedure_of
from judges.run.progress import SuiteProgress
from judges.run.records import (
    PLAN,
    RUN,
    create_run_dir,
    create_suite_dir,
    how_to_resume,
    read_json,
    write_json,
)
from judges.run.undisturbed import undisturbed

Finished: TypeAlias = tuple[int, int, Outcome]
"""The number of the suite, that of the trial in it, and what it led to."""
Clock: TypeAlias = Callable[[], datetime]


def utc_now() -> datetime:
    """Return the time, in UTC."""
    return datetime.now(UTC)


class Watch:
    """Is told of what finishes, in the caller's thread. This one does nothing with it."""

    def case(self, case: CaseReport) -> None:
        """Take note of a finished case, also of one from an earlier part of the run."""

    def outcome(self, number: int, outcome: Outcome) -> None:
        """Take note of a trial that was run now; `number` is the place of its suite, from 0."""


def execute(
    plans: Sequence[Plan],
    options: RunOptions,
    connections: Connections,
    *,
    root: Path,
    watch: Watch | None = None,
    clock: Clock = utc_now,
) -> Report:
    """Run the planned suites in a new run directory below `root` and return the report.

    An interrupt ends the run early and is reported.

    Raises:
        ConfigError: an endpoint cannot be used as it is set up; nothing was called.
        OSError: the run directory cannot be written.
    """
    started = clock()
    benches = _build_benches(plans, connections, started)
    alone = options.run_dir is not None and len(plans) == 1
    run_dir = create_run_dir(root, started, options.run_dir)
    folders = [run_dir if alone else create_suite_dir(run_dir, plan.suite.name) for plan in plans]
    places = [str(folder.relative_to(run_dir)) for folder in folders]
    described = describe_plans(plans, places, started, options.arguments)
    write_json(run_dir / PLAN, described)
    running = [SuiteProgress(plan, folder) for plan, folder in zip(plans, folders, strict=True)]
    report = _run(run_dir, benches, running, options, watch or Watch())
    return _finish(report, connections, clock)


def resume(
    run_dir: Path,
    plans: Sequence[Plan],
    options: RunOptions,
    connections: Connections,
    *,
    watch: Watch | None = None,
    clock: Clock = utc_now,
) -> Report:
    """Run what is missing of an earlier run of the same plans, and return the report of the whole.

    Raises:
        ConfigError: the run directory is damaged, or the suites are not what they were.
    """
    described = read_json(run_dir / PLAN)
    started = datetime.fromisoformat(described["started"])
    now = describe_plans(plans, [suite["folder"] for suite in described["suites"]], started, {})
    if now["suites"] != described["suites"]:
        message = "a suite has changed since this run was started, so it cannot be resumed"
        raise ConfigError([Problem(message, file=str(run_dir), hint="start a new run")])
    benches = _build_benches(plans, connections, started)
    watch = watch or Watch()
    running = []
    for plan, suite in zip(plans, described["suites"], strict=True):
        progress = SuiteProgress(plan, run_dir / suite["folder"])
        progress.take_up(watch.case)
        running.append(progress)
    report = _run(run_dir, benches, running, options, watch)
    return _finish(report, connections, clock)


def _run(
    run_dir: Path,
    benches: Sequence[Bench],
    running: Sequence[SuiteProgress],
    options: RunOptions,
    watch: Watch,
) -> Report:
    try:
        in_flight = _run_all(benches, running, options.concurrency, watch)
        with undisturbed():
            suites = tuple(each.finish() for each in running)
    except OSError as error:
        error.add_note(f"What is finished is kept{_how_to_go_on(run_dir, options)}.")
        raise
    verdicts = [suite.verdict for suite in suites]
    code = exit_code(verdicts, allow_warn=options.allow_warn, allow_inconclusive=options.allow_inconclusive)
    interrupted = in_flight is not None
    return Report(
        verdict=worst(verdicts),
        exit_code=ExitCode.INTERRUPTED if interrupted else code,
        run_dir=run_dir,
        suites=suites,
        notices=() if in_flight is None else tuple(_describe_interrupt(in_flight, run_dir, options)),
        resumable=interrupted and bool(options.arguments),
    )


def _describe_interrupt(in_flight: int, run_dir: Path, options: RunOptions) -> Iterator[Notice]:
    yield Notice(f"the run was interrupted{_how_to_go_on(run_dir, options)}")
    if in_flight:
        trials = "1 trial was" if in_flight == 1 else f"{in_flight:,} trials were"
        yield Notice(f"{trials} in flight: what that cost is not counted")


def _how_to_go_on(run_dir: Path, options: RunOptions) -> str:
    """A run that a command line started can be taken up by one."""
    return f": {how_to_resume(run_dir)} goes on with it" if options.arguments else ""


@undisturbed()
def _finish(report: Report, connections: Connections, clock: Clock) -> Report:
    report = replace(report, notices=(*report.notices, *connections.notices()))
    described = describe_report(report, read_json(report.run_dir / PLAN), clock())
    write_json(report.run_dir / RUN, described)
    return report


def _run_all(
    benches: Sequence[Bench], running: Sequence[SuiteProgress], concurrency: int, watch: Watch
) -> int | None:
    """Run all trials that are left; return how many were in flight where the run was interrupted."""
    flight = _Flight(running)
    try:
        benches = _prepare(benches, running, concurrency)
        with ExitStack() as opened:
            for bench, each in zip(benches, running, strict=True):
                opened.enter_context(bench.opened(each.folder))
            run_one = partial(_run_one, benches)
            for batch in run_batches(flight.begin(), run_one, concurrency=concurrency):
                flight.end(batch, watch)
    except KeyboardInterrupt:
        return flight.count
    return None


class _Flight:
    """The trials of some suites on their way: from where they are begun to where they are kept."""

    def __init__(self, running: Sequence[SuiteProgress]) -> None:
        self._running = running
        self._begun = 0
        self._kept = 0

    @property
    def count(self) -> int:
        """How many there are."""
        return self._begun - self._kept

    def begin(self) -> Iterator[tuple[int, int, Trial]]:
        """Yield all trials that are left; one thread at a time takes them."""
        for number, each in enumerate(self._running):
            for index, trial in each.remaining():
                self._begun += 1
                yield number, index, trial

    def end(self, batch: Iterable[Finished], watch: Watch) -> None:
        """Write what has finished, suite by suite, and tell of it."""
        by_suite: dict[int, list[tuple[int, Outcome]]] = {}
        for number, index, outcome in batch:
            by_suite.setdefault(number, []).append((index, outcome))
        for number, finished in by_suite.items():
            self._running[number].add(finished)
            self._kept += len(finished)
            for _, outcome in finished:
                watch.case(outcome.case)
                watch.outcome(number, outcome)


def _prepare(benches: Sequence[Bench], running: Sequence[SuiteProgress], concurrency: int) -> list[Bench]:
    ready = list(benches)

    def prepare(number: int) -> tuple[int, Bench, Usage]:
        return number, *benches[number].prepare(running[number].folder)

    for number, bench, used in run_pool(range(len(ready)), prepare, concurrency=concurrency):
        ready[number] = bench
        running[number].spend(used)
    return ready


def _run_one(benches: Sequence[Bench], item: tuple[int, int, Trial]) -> Finished:
    number, index, trial = item
    return number, index, benches[number](trial)


def _build_benches(plans: Sequence[Plan], connections: Connections, now: datetime) -> list[Bench]:
    """Connect to everything first, so that missing keys stop the run before any call.

    All are told at once; several models that lack the same key have the same hint, and are told of by one.
    """
    problems: list[Problem] = []
    benches: list[Bench] = []
    for plan in plans:
        with gather(problems):
            build = procedure_of(plan.kind).build_bench
            benches.append(build(plan, connections, now) if plan.trial_count else ClosedBench(skip_case))
    by_hint: dict[object, Problem] = {}
    for problem in problems:
        by_hint.setdefault(problem.hint or problem, problem)
    raise_any(by_hint.values())
    return benches
