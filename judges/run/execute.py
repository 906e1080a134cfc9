"""Running plans: all trials of all suites through one pool, every finished one written at once."""

import platform
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TypeAlias

import judges
from judges.ask.wording import version
from judges.core.case import RunRecord, Trial, digest
from judges.core.encode import encode_notices, encode_suite, encode_totals, encode_usage
from judges.core.report import Report, SuiteKind, SuiteReport, Totals
from judges.core.row import Notice
from judges.core.usage import Usage
from judges.core.verdict import ExitCode, Verdict, exit_code, worst
from judges.reduce.overrides import newest_overrides
from judges.reduce.suite import count, decide_suite
from judges.run.connections import Connections
from judges.run.judge import build_judge
from judges.run.options import RunOptions
from judges.run.plan import SuitePlan
from judges.run.pool import run_pool
from judges.run.produce import BuiltIn
from judges.run.records import StoredCases, SuiteWriter, create_run_dir, write_json
from judges.run.trial import Bench, Outcome

Observer: TypeAlias = Callable[[Outcome], None]
Clock: TypeAlias = Callable[[], datetime]


def utc_now() -> datetime:
    """Return the time, in UTC."""
    return datetime.now(UTC)


def execute(
    plans: Sequence[SuitePlan],
    options: RunOptions,
    connections: Connections,
    *,
    root: Path,
    observe: Observer | None = None,
    clock: Clock = utc_now,
) -> Report:
    """Run the planned suites and return the report. An interrupt ends the run early and is reported.

    Raises:
        ConfigError: an endpoint cannot be used as it is set up; nothing was called.
        OSError: the run directory cannot be written.
    """
    started = clock()
    benches = [_build_bench(plan, connections, started) for plan in plans]
    run_dir = create_run_dir(root, started)
    running = [_Running(plan, SuiteWriter(run_dir, plan.suite.name)) for plan in plans]
    interrupted = _run_all(benches, running, options.concurrency, observe)
    suites = tuple(each.finish() for each in running)
    report = _build_report(suites, run_dir, options, interrupted)
    write_json(run_dir / "run.json", _describe(report, plans, started, clock()))
    return report


@dataclass(slots=True)
class _Running:
    """A suite while it runs: what is finished so far."""

    plan: SuitePlan
    writer: SuiteWriter
    places: dict[int, tuple[int, int]] = field(default_factory=dict)
    totals: Totals = field(default_factory=Totals)
    usage: Usage = field(default_factory=Usage)
    notices: list[Notice] = field(default_factory=list)

    def add(self, index: int, outcome: Outcome) -> None:
        self.places[index] = self.writer.write(outcome)
        self.totals += count(outcome.case)
        self.usage += outcome.case.usage
        self.notices.extend(outcome.case.notices)

    def finish(self) -> SuiteReport:
        self.writer.close()
        suite = self.plan.suite
        missing = self.plan.trial_count - len(self.places)
        notices = [*suite.notices, *self.notices]
        verdict = decide_suite(self.totals, suite.meta.thresholds)
        if missing:
            notices.append(Notice(f"{missing} of {self.plan.trial_count} trials were not run"))
            verdict = Verdict.ERROR
        report = SuiteReport(
            name=suite.name,
            kind=SuiteKind.PROMPT,
            path=suite.path,
            verdict=verdict,
            run_dir=self.writer.path,
            cases=StoredCases(self.writer.path, [self.places[index] for index in sorted(self.places)]),
            totals=self.totals,
            usage=self.usage,
            notices=tuple(notices),
        )
        write_json(self.writer.path / "grade.json", encode_suite(report))
        return report


def _run_all(
    benches: Sequence[Bench], running: Sequence[_Running], concurrency: int, observe: Observer | None
) -> bool:
    """Run all trials; return whether the run was interrupted."""
    items = (
        (number, index, trial)
        for number, each in enumerate(running)
        for index, trial in enumerate(each.plan.trials())
    )
    try:
        for number, index, outcome in run_pool(items, partial(_run_one, benches), concurrency=concurrency):
            running[number].add(index, outcome)
            if observe is not None:
                observe(outcome)
    except KeyboardInterrupt:
        return True
    return False


def _run_one(benches: Sequence[Bench], item: tuple[int, int, Trial]) -> tuple[int, int, Outcome]:
    number, index, trial = item
    return number, index, benches[number](trial)


def _build_bench(plan: SuitePlan, connections: Connections, now: datetime) -> Bench:
    suite = plan.suite
    judge = connections.endpoint(plan.judge, suite.meta.judge.base_url, folder=suite.test_root)
    producers = {}
    for spec in plan.models if plan.template is not None else ():
        endpoint = connections.endpoint(spec.name, spec.base_url)
        producers[spec.name] = BuiltIn(
            provider=endpoint.provider, model=endpoint.model, spec=spec, template=plan.template
        )

    def produce(trial: Trial) -> RunRecord:
        if trial.model is not None:
            return producers[trial.model](trial)
        return RunRecord(output=plan.recorded_output(trial.case), source="recorded")

    return Bench(
        suite=suite,
        rules=plan.rules,
        checks=plan.checks,
        produce=produce,
        judge=build_judge(plan, judge.provider, judge.model),
        overrides=newest_overrides(suite.overrides),
        now=now,
        judge_all=plan.options.judge_all,
    )


def _build_report(
    suites: tuple[SuiteReport, ...], run_dir: Path, options: RunOptions, interrupted: bool
) -> Report:
    verdicts = [suite.verdict for suite in suites]
    code = exit_code(verdicts, allow_warn=options.allow_warn, allow_inconclusive=options.allow_inconclusive)
    return Report(
        verdict=worst(verdicts),
        exit_code=ExitCode.INTERRUPTED if interrupted else code,
        run_dir=run_dir,
        suites=suites,
        notices=(Notice("the run was interrupted; what had finished is kept"),) if interrupted else (),
    )


def _describe(
    report: Report, plans: Sequence[SuitePlan], started: datetime, finished: datetime
) -> dict[str, object]:
    """Return run.json: what it takes to tell later what was run, and how."""
    return {
        "schema": 1,
        "started": started.isoformat(),
        "finished": finished.isoformat(),
        "versions": {
            "scaffold": judges.__version__,
            "python": platform.python_version(),
            "wording": version(),
        },
        "suites": [suite.run_dir.name for suite in report.suites],
        "parameters": [_parameters(plan) for plan in plans],
        "verdict": report.verdict.value,
        "exit_code": int(report.exit_code),
        "totals": encode_totals(report.totals),
        "usage": encode_usage(report.usage),
        "notices": encode_notices(report.notices),
    }


def _parameters(plan: SuitePlan) -> dict[str, object]:
    spec = plan.suite.meta.judge
    return {
        "suite": str(plan.suite.path),
        "suite_sha256": digest(plan.suite.path.read_text(encoding="utf-8-sig")),
        "judge": plan.judge,
        "temperature": None if spec.temperature is None else float(spec.temperature),
        "max_retries": spec.max_retries,
        "models": [model.name for model in plan.models],
        "trials": plan.trial_count,
    }
