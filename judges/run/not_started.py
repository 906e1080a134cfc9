"""The report of a run in which nothing is started: every suite is SKIP, and there is no run directory."""

from collections.abc import Sequence
from datetime import datetime

from judges.core.report import NOWHERE, CaseReport, Report, SuiteReport
from judges.core.row import Notice
from judges.core.verdict import ExitCode, Verdict
from judges.run.connections import Connections
from judges.run.plan import Plan
from judges.run.procedures import procedure_of
from judges.run.tally import SuiteTally


def report_not_started(plans: Sequence[Plan], why: str, now: datetime) -> Report:
    """Return the report of plans that have no trial, or are idle; `why` is told as a notice.

    The cases of an idle suite are skipped as they are beside suites that are run.
    """
    return Report(
        verdict=Verdict.SKIP,
        exit_code=ExitCode.NOTHING_RUN,
        run_dir=NOWHERE,
        suites=tuple(_report_suite(plan, now) for plan in plans),
        notices=(Notice(f"nothing was run: {why}"),),
    )


def _report_suite(plan: Plan, now: datetime) -> SuiteReport:
    cases = _skip_cases(plan, now) if plan.trial_count else []
    tally = SuiteTally(plan.model_names)
    for place, case in enumerate(cases):
        tally.add(case, place)
    decision = procedure_of(plan.kind).decide(plan, tally.totals, cases)
    return SuiteReport(
        name=plan.suite.name,
        kind=plan.kind,
        path=plan.suite.path,
        verdict=decision.verdict,
        run_dir=NOWHERE,
        cases=cases,
        totals=tally.totals,
        models=tally.models,
        summary=decision.summary,
        notices=plan.suite.notices,
        judge=plan.standing,
    )


def _skip_cases(plan: Plan, now: datetime) -> list[CaseReport]:
    procedure = procedure_of(plan.kind)
    nothing = Connections(environ={})  # the bench of an idle plan does not connect
    bench = procedure.build_bench(plan, nothing, now)
    cases = [bench(trial).case for trial in plan.trials()]
    return cases if procedure.merge is None else list(procedure.merge(plan, cases))
