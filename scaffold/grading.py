"""What `scaffold grade` does with its arguments: find the replicas and their fixture, grade, show."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import click

from judges.core.report import Report
from judges.core.verdict import ExitCode
from judges.files.fixture import load_fixture
from judges.files.project import find_root
from judges.out.fixture_text import ReplicaView, render_fixture
from judges.out.masked import mask_report
from judges.out.table import render_table
from judges.providers.budget import Budget
from judges.providers.limit import Terms
from judges.run.connections import Connections
from judges.run.execute import utc_now
from judges.run.fixture.found import find_fixture, find_graded, siblings
from judges.run.fixture.plan import FixturePlan, plan_fixture
from judges.run.fixture.regrade import regrade, regrade_one
from judges.run.fixture.replica import holds_replica, replica_number
from judges.run.options import RunOptions
from judges.run.stored import find_run
from scaffold.caching import open_store
from scaffold.ci_outputs import build_run_mask, check_files, save_report, tell_github, write_outputs
from scaffold.config import build_environ, load_config
from scaffold.printing import print_report
from scaffold.request import from_here
from scaffold.terminal import terminal_style, terminal_width


@dataclass(frozen=True, slots=True, kw_only=True)
class GradeRequest:
    """What a command line asks for. `place` is the folder of a replica or of a run, or the id of a run."""

    place: str
    fixture: Path | None
    flags: Mapping[str, Any]


def grade(request: GradeRequest) -> ExitCode:
    """Grade what is there, show the result, and return the exit code that it stands for.

    Raises:
        ConfigError: there are no replicas or no fixture, or the fixture or a judge is wrong.
        OSError: a file cannot be written.
    """
    check_files(request.flags)
    place = Path(request.place)
    if not place.is_dir():
        place = find_run(request.place, find_root(Path.cwd()))
    if holds_replica(place):
        plan = _plan(request, siblings(place))
        connections = _connect(request, plan)
        render, report = _render_one, regrade_one(place.resolve(), plan, connections)
    else:
        found = find_graded(place)
        plan = _plan(request, found.replicas)
        connections = _connect(request, plan)
        render, report = _render_all, regrade(found, plan, connections, utc_now())
    shown = mask_report(report, build_run_mask([plan], connections.environ))
    if request.flags["json_file"] == "-":
        print_report(report)
    else:
        click.echo(render(shown), nl=False)
    tell_github(shown, request.flags, connections.environ)
    save_report(report, request.flags)
    write_outputs(shown, request.flags)
    return report.exit_code


def _plan(request: GradeRequest, replicas: list[Path]) -> FixturePlan:
    path = request.fixture or find_fixture(replicas)
    suite = load_fixture(path, allow_outside=request.flags["allow_outside"])
    return plan_fixture(suite, RunOptions(judge=from_here(request.flags["judge"]), live=True))


def _connect(request: GradeRequest, plan: FixturePlan) -> Connections:
    root = find_root(Path.cwd()) or plan.suite.root
    most = request.flags["max_cost_usd"]
    return Connections(
        environ=build_environ(load_config(plan.suite.path)),
        terms=Terms(budget=None if most is None else Budget(Decimal(str(most)))),
        store=None if request.flags["no_cache"] else open_store(root),
    )


def _render_all(report: Report) -> str:
    return render_table(report, width=terminal_width(), style=terminal_style())


def _render_one(report: Report) -> str:
    (suite,) = report.suites
    (case,) = suite.cases
    view = ReplicaView(replica_number(report.run_dir), report.run_dir, case)
    return render_fixture(
        case, [view], notices=suite.notices, run=None, width=terminal_width(), style=terminal_style()
    )
