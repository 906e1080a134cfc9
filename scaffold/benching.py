"""What `scaffold bench` and `scaffold bench-one` do: places for runs, and a single session."""

import shlex
import threading
from collections.abc import Sequence
from pathlib import Path

import click

from judges.check.completed import why_incomplete
from judges.core.errors import ConfigError, Problem
from judges.core.verdict import ExitCode
from judges.files.fixture import load_fixture
from judges.files.grid_arms import find_arms
from judges.files.project import suite_name
from judges.files.text import display_path
from judges.out.printable import printable
from judges.out.summary import render_cost
from judges.run.connections import Connections
from judges.run.fixture.past import usual_cost
from judges.run.fixture.plan import NOT_LIVE, FixturePlan, plan_fixture
from judges.run.fixture.replica import STREAM, Replica
from judges.run.fixture.session import connect_sessions
from judges.run.options import RunOptions
from scaffold.config import build_environ, load_config


def check_empty(folder: Path) -> Path:
    """Return the absolute path of a folder that something new can be written to.

    Raises:
        ConfigError: it is not empty.
    """
    if folder.is_dir() and any(folder.iterdir()):
        hint = "name a folder that is new or empty"
        raise ConfigError([Problem("is not empty", display_path(folder), hint=hint)])
    return folder.absolute()


def why_no_fixture(suites: Sequence[Path]) -> str:
    """Return why none of a project's fixtures is run where none is named, and what to do."""
    arm = next((each for each in find_arms(suites) if each.is_file()), None)
    if arm is None:
        return "there is no fixture here. Write one with: scaffold add-fixture NAME"
    known = {path.resolve(): suite_name(path) for path in suites}
    name = shlex.quote(printable(known.get(arm) or display_path(arm)))
    return f"each fixture here is an arm of a grid: scaffold run runs both. Alone: scaffold bench {name}"


def plan_session(path: Path, model: str | None, *, allow_outside: bool) -> FixturePlan:
    """Return the plan of a fixture with one model.

    Raises:
        ConfigError: the fixture is wrong, or cannot be run with that model.
    """
    models = () if model is None else (model,)
    return plan_fixture(load_fixture(path, allow_outside=allow_outside), RunOptions(models=models, live=True))


def say_what_it_costs(plan: FixturePlan) -> None:
    """Print what a session would be, and why none is run."""
    usual = usual_cost(plan.suite)
    cost = "what it costs is not known yet" if usual is None else f"about {render_cost(usual)}"
    click.echo(f"{printable(plan.suite.name)}: 1 session, {_model(plan)}: {cost}")
    click.echo(f"Nothing was run: {NOT_LIVE}.", err=True)


def run_one(plan: FixturePlan, folder: Path, number: int | None) -> ExitCode:
    """Run a session into a folder, and say how it ended.

    Raises:
        ConfigError: the client cannot be used as it is set up.
        RunError: it cannot be started.
        OSError: the folder cannot be written.
    """
    connections = Connections(environ=build_environ(load_config(plan.suite.path)))
    sessions = connect_sessions(plan.suite, connections, threading.Event())
    replica = sessions(plan.suite, plan.models[0], folder, number)
    why = why_incomplete(replica.session.run)
    click.echo(_describe(replica))
    click.echo(f"Next:    scaffold grade {shlex.quote(display_path(folder))}")
    if why is None:
        return ExitCode.PASSED
    click.echo(f"The session did not come to its end: {printable(why)}.", err=True)
    return ExitCode.UNMEASURED


def _describe(replica: Replica) -> str:
    run = replica.session.run
    took = "an unknown time" if run.end.elapsed_ms is None else f"{run.end.elapsed_ms / 1000:.1f} s"
    ended = run.end.signal or f"exit {run.end.exit}"
    return (
        f"Replica: r{replica.number}, {took}, {render_cost(run.cost_usd)}, {ended}\n"
        f"Stream:  {display_path(replica.folder / STREAM)}"
    )


def _model(plan: FixturePlan) -> str:
    return f"model {plan.models[0]}" if plan.models[0] else "the client's own model"
