"""Checks a grid: the file, all that it names, and what often goes wrong."""

from collections.abc import Iterator
from pathlib import Path

from judges.core.errors import Problem
from judges.files.document import Document
from judges.files.grid import load_grid
from judges.files.grid_lint import lint_grid
from judges.files.grid_suite import GridSuite
from judges.files.text import display_path, read_text
from judges.files.yaml import compose_yaml
from judges.out.summary import render_count
from scaffold.validate.checked import Checked


def check(path: Path, *, allow_outside: bool) -> Checked:
    """Check a grid. No model is asked.

    Raises:
        ConfigError: the grid has mistakes.
    """
    grid = load_grid(path, allow_outside=allow_outside)
    document = compose_yaml(read_text(path), display_path(path))  # again, for the places of what follows
    return Checked(
        summary=_summary(grid),
        remarks=tuple(_remarks(grid, document)),
        notices=tuple(Problem(notice.text, document.file) for notice in grid.notices),
    )


def _remarks(grid: GridSuite, document: Document) -> Iterator[Problem]:
    """Yield what lint finds, each at its place in a file."""
    for finding in lint_grid(grid):
        if finding.case:
            yield Problem(finding.text, finding.case.file, finding.case.line)
        else:
            yield document.problem(finding.loc, finding.text)


def _summary(grid: GridSuite) -> str:
    arms = (f"{arm.name} (control)" if arm.control else arm.name for arm in grid.arms)
    counts = f"{render_count(len(grid.models), 'model')}, {render_count(len(grid.tasks), 'task')}"
    calls = render_count(grid.calls, "output")
    return f"{grid.name}: arms: {', '.join(arms)}; {counts}, repeat {grid.repeat}; {calls}"
