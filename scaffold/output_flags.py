"""The options that say where else a result goes: one list for every command that has a result."""

from collections.abc import Callable
from functools import reduce
from typing import Any, TypeAlias

import click

FILE = click.Path(dir_okay=False)

Decorator: TypeAlias = Callable[[Callable[..., Any]], Callable[..., Any]]

OUTPUT_OPTIONS: tuple[Decorator, ...] = (
    click.option(
        "--junit", "junit_file", type=FILE, metavar="FILE", help="Write JUnit XML, a testcase for each row."
    ),
    click.option(
        "--csv", "csv_file", type=FILE, metavar="FILE", help="Write a line for each case as CSV, worst first."
    ),
    click.option(
        "--markdown", "markdown_file", type=FILE, metavar="FILE", help="Write the summary as Markdown."
    ),
    click.option(
        "--github/--no-github",
        default=None,
        help="Annotate cases and add to the job summary.  [default: where GITHUB_ACTIONS is true]",
    ),
)


def output_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command all of them, in this order."""
    return reduce(lambda decorated, option: option(decorated), reversed(OUTPUT_OPTIONS), command)
