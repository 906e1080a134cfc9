"""What is known about the terminal: how wide it is, and whether it wants colour."""

import os
import shutil

import click

from judges.core.verdict import Verdict
from judges.out.style import Style, plain

_COLOURS = {
    Verdict.PASS: "green",
    Verdict.WARN: "yellow",
    Verdict.FAIL: "red",
    Verdict.ERROR: "magenta",
    Verdict.INCONCLUSIVE: "yellow",
    Verdict.SKIP: "bright_black",
}


def terminal_width() -> int:
    """Return the width of the terminal in columns; 100 where there is none."""
    return shutil.get_terminal_size((100, 24)).columns


def terminal_style() -> Style:
    """Return how verdicts are coloured: not at all under NO_COLOR. Pipes get no colour from click."""
    return plain if os.environ.get("NO_COLOR") else _coloured


def _coloured(text: str, verdict: Verdict) -> str:
    return click.style(text, fg=_COLOURS[verdict])
