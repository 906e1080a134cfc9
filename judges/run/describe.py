"""plan.json and run.json: what it takes to tell later what was run, how, and with what result."""

import platform
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import judges
from judges.ask.wording import version
from judges.core.encode import encode_notices, encode_totals, encode_usage, encode_value
from judges.core.report import Report
from judges.run.plan import SuitePlan
from judges.run.resume import plan_digest


def describe_plans(
    plans: Sequence[SuitePlan], folders: Sequence[str], started: datetime, arguments: Mapping[str, Any]
) -> dict[str, Any]:
    """Return plan.json. `folders` are the names of the suites' folders."""
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
    """Return run.json: the plan and what came of it. `suites` are the names of the suites' folders."""
    return {
        **plan,
        "finished": finished.isoformat(),
        "suites": [suite.run_dir.name for suite in report.suites],
        "parameters": plan["suites"],
        "verdict": report.verdict.value,
        "exit_code": int(report.exit_code),
        "totals": encode_totals(report.totals),
        "usage": encode_usage(report.usage),
        "notices": encode_notices(report.notices),
    }


def _describe_plan(plan: SuitePlan, folder: str) -> dict[str, Any]:
    spec = plan.suite.meta.judge
    return {
        "folder": folder,
        "path": str(plan.suite.path.absolute()),
        "plan_sha256": plan_digest(plan),
        "type": plan.suite.evaluation.value,
        "rubrics": {each.name: each.rubric_sha256 for each in plan.suite.criteria},
        "judge": plan.judge,
        "meta": plan.meta,
        "replicas": plan.replication.most,
        "temperature": encode_value(spec.temperature),
        "max_retries": spec.max_retries,
        "models": [model.name for model in plan.models],
        "trials": plan.trial_count,
    }
