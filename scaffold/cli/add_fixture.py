"""`scaffold add-fixture`: a new fixture for a headless session, from a template."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from judges.out.summary import render_count
from scaffold.asked import asked, check_number, check_own_name, template_options
from scaffold.generate.names import check_name
from scaffold.written import describe_written

if TYPE_CHECKING:
    from scaffold.generate.fixture import CreatedFixture, NewFixture

EXAMPLE = "scaffold add-fixture smoke-echo"
DESCRIPTION = "Writes a file, and says so."
MODEL = "claude-haiku-4-5-20251001"
RUNS = "3"
MAX_RUNS = 1000


@click.command(short_help="Write a fixture for a headless claude session.")
@click.argument("name", required=False, callback=asked("Name", None, check_name, example=EXAMPLE))
@click.option(
    "--description",
    callback=asked("What it probes, in a sentence", DESCRIPTION, str),
    help=f"What the fixture probes, in a sentence.  [default: {DESCRIPTION}]",
)
@click.option(
    "--model",
    callback=asked("Model of the session", MODEL, check_own_name),
    help=f"The model of the session.  [default: {MODEL}]",
)
@click.option(
    "--runs",
    metavar="K",
    callback=asked("Number of replicas", RUNS, check_number("runs", 1, MAX_RUNS)),
    help=f"How many replicas of the session are run and graded.  [default: {RUNS}]",
)
@template_options
@click.option("--force", is_flag=True, help="Write even where the file exists; the old one stays beside it.")
def command(*, force: bool, **choices: Any) -> None:
    """Write a fixture to .omniscitus/tests/fixtures/NAME.fixture.md.

    It is an example of every kind of condition, and runs as it is: put your own prompt and conditions in its
    place. On a terminal it asks for what is missing. No file is ever overwritten.
    """
    from scaffold.generate.fixture import NewFixture, create_fixture
    from scaffold.generate.install import Taken
    from scaffold.generate.place import find_project

    del choices["no_input"]  # the callbacks have seen it
    new = NewFixture(root=find_project(Path.cwd()), **choices)
    created = create_fixture(new, Taken.KEEP_BESIDE if force else Taken.REFUSE)
    click.echo("\n".join(_report(new, created)))


def _report(new: "NewFixture", created: "CreatedFixture") -> Iterator[str]:
    """What was written, one thing a line, and the next command."""
    yield from describe_written("Fixture", new, created.files, first=created.first)
    yield f"Model       {new.model}"
    yield f"Runs        {new.runs}, quorum majority"
    yield ""
    yield "Next:"
    yield f"  scaffold validate {new.name}"
    yield f"  scaffold run {new.name}           (says what it would do and cost)"
    yield f"  scaffold run {new.name} --live    (starts {render_count(new.runs, 'session')} of claude)"
