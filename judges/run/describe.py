"""plan.json and run.json: what it takes to tell later what was run, how, and with what result."""

import platform
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import judges
from judges.ask.wording import version
from judges.core.encode import encode_notices, encode_totals, encode_usage, encode_value
from judges.core.report import Report
from judges.run.plan import Plan
from judges.run.procedures import procedure_of


def describe_plans(
    plans: Sequence[Plan], folders: Sequence[str], started: datetime, arguments: Mapping[str, Any]
) -> dict[str, Any]:
    """Return plan.json. `folders` are those of the suites, relative to that of the run."""
    return {
        "schema": 1,
        "started": started.isoformat(),
        "versions": {
            "scaffold": judges.__version__,
            "python": platform.python_version(),
            "wording": version(),
        },
        "arguments": encode_value(arguments),
        "suites": [_describe_plan(plan, folder) for plan, folder in zip(plans, folders, strict=True)],
    }


def describe_report(report: Report, plan: Mapping[str, Any], finished: datetime) -> dict[str, Any]:
    """Return run.json: the plan and what came of it. `suites` are folders, relative to that of the run."""
    return {
        **plan,
        "finished": finished.isoformat(),
        "suites": [str(suite.run_dir.relative_to(report.run_dir)) for suite in report.suites],
        "parameters": plan["suites"],
        "verdict": report.verdict.value,
        "exit_code": int(report.exit_code),
        "totals": encode_totals(report.totals),
        "usage": encode_usage(report.usage),
        "notices": encode_notices(report.notices),
    }


def _describe_plan(plan: Plan, folder: str) -> dict[str, Any]:
    procedure = procedure_of(plan.kind)
    return {
        "folder": folder,
        "path": str(plan.suite.path.absolute()),
        "kind": plan.kind.value,
        "plan_sha256": procedure.sha256(plan),
        "trials": plan.trial_count,
        **procedure.describe(plan),
    }
