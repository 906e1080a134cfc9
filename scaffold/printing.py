"""JSON on standard output: as programs read it, and no part of it is a command to a CI runner."""

from typing import Any

import click

from judges.core.encode import render_line
from judges.core.report import Report
from judges.out.github import shield_json
from judges.out.json_report import render_json


def print_json(value: Any) -> None:
    """Print a value that JSON can hold, on one line."""
    click.echo(shield_json(render_line(value)))


def print_report(report: Report) -> None:
    """Print the JSON report, part by part."""
    for chunk in render_json(report):
        click.echo(shield_json(chunk), nl=False)
