"""`scaffold add-grid`: a new grid of arms, models and tasks, from a template."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from scaffold.asked import asked, check_model, check_number, template_options
from scaffold.generate.names import check_name
from scaffold.written import describe_written

if TYPE_CHECKING:
    from scaffold.generate.grid import CreatedGrid, NewGrid

EXAMPLE = "scaffold add-grid help-desk-routing"
MODELS = "gpt-4.1-mini"
REPEAT = "3"
MAX_REPEAT = 99


def _check_models(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(check_model(name) for name in text.replace(",", " ").split() or [text]))


@click.command(short_help="Write a grid that compares prompts on the same tasks.")
@click.argument("name", required=False, callback=asked("Name", None, check_name, example=EXAMPLE))
@click.option(
    "--model",
    "models",
    multiple=True,
    callback=asked("Models (of all grids of the project)", MODELS, _check_models),
    help="A model that the tasks are given to; repeat for more. They go to .omniscitus/models.yaml, which "
    f"all grids name: where it is there already it stays as it is.  [default: {MODELS}]",
)
@click.option(
    "--repeat",
    metavar="N",
    callback=asked("How often each task is given", REPEAT, check_number("repeat", 1, MAX_REPEAT)),
    help=f"How often each task is given to each arm and model.  [default: {REPEAT}]",
)
@template_options
@click.option(
    "--force", is_flag=True, help="Write even where files exist; the old ones stay beside, as NAME.bak-N."
)
def command(*, force: bool, **choices: Any) -> None:
    """Write a grid to .omniscitus/tests/grids/NAME/.

    It compares a prompt with rules to one without on four made-up tasks, and runs as it is: put your own
    prompts, labels and tasks in their place. On a terminal it asks for what is missing. No file is ever
    overwritten.
    """
    from scaffold.generate.grid import NewGrid, create_grid
    from scaffold.generate.install import Taken
    from scaffold.generate.place import find_project

    del choices["no_input"]  # the callbacks have seen it
    new = NewGrid(root=find_project(Path.cwd()), **choices)
    created = create_grid(new, Taken.KEEP_BESIDE if force else Taken.REFUSE)
    click.echo("\n".join(_report(new, created)))


def _report(new: "NewGrid", created: "CreatedGrid") -> Iterator[str]:
    """What was written, one thing a line, and the next command."""
    from scaffold.generate.grid import MODELS as MODELS_FILE
    from scaffold.generate.grid import SCHEMA

    yield from describe_written("Grid", new, created.files, first=created.first)
    if SCHEMA in created.shared.left:
        yield "  (.omniscitus/schemas/ is of another version; `scaffold schema grid` prints this one's)"
    if MODELS_FILE in created.shared.left:
        yield "Models      those of .omniscitus/models.yaml, which was there already"
    else:
        yield f"Models      {', '.join(new.models)} (.omniscitus/models.yaml)"
    yield f"Repeat      {new.repeat}"
    yield ""
    yield "Next:"
    yield f"  scaffold validate {new.name}"
    yield f"  scaffold run {new.name} --dry-run"
    yield f"  scaffold run {new.name}"
