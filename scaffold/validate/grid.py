"""Checks a grid: the file, all that it names, and what often goes wrong."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from judges.core.errors import Problem
from judges.files.document import Document, Loc
from judges.files.fixture import FixtureSuite, load_fixture
from judges.files.grid import load_grid
from judges.files.grid_lint import lint_grid
from judges.files.grid_suite import GridSuite
from judges.files.problems import gather, raise_any
from judges.files.text import display_path, read_text
from judges.files.yaml import compose_yaml
from judges.out.summary import render_count
from judges.run.fixture_checks import check_patterns
from scaffold.validate.checked import Checked
from scaffold.validate.models import check_models, named_by_judge


def check(path: Path, *, allow_outside: bool) -> Checked:
    """Check a grid, and the fixtures among its arms. No model is asked, and no session is started.

    Raises:
        ConfigError: the grid or a fixture has mistakes.
    """
    grid = load_grid(path, allow_outside=allow_outside)
    fixtures = _check_fixtures(grid)
    document = compose_yaml(read_text(path), display_path(path))  # again, for the places of what follows
    check_models(_models(grid), document)
    return Checked(
        summary=_summary(grid),
        remarks=tuple(_remarks(grid, fixtures, document)),
        notices=tuple(Problem(notice.text, document.file) for notice in grid.notices),
    )


def _models(grid: GridSuite) -> Iterator[tuple[Loc, str]]:
    yield from ((("models",), model.name) for model in grid.models)
    yield from named_by_judge(grid.meta.judge)


def _check_fixtures(grid: GridSuite) -> Mapping[str, FixtureSuite]:
    """Return those of the arms; what lint says of a fixture is about one that is a suite of its own."""
    fixtures: dict[str, FixtureSuite] = {}
    problems: list[Problem] = []
    for arm in grid.arms:
        if arm.fixture is not None:
            with gather(problems):
                fixture = load_fixture(arm.fixture, root=grid.root, allow_outside=grid.allow_outside)
                check_patterns(fixture)
                fixtures[arm.name] = fixture
    raise_any(problems)
    return fixtures


def _remarks(grid: GridSuite, fixtures: Mapping[str, FixtureSuite], document: Document) -> Iterator[Problem]:
    """Yield what lint finds, each at its place in a file."""
    for finding in lint_grid(grid, fixtures):
        if finding.file:
            yield Problem(finding.text, display_path(finding.file), finding.line, hint=finding.hint)
        elif finding.case:
            yield Problem(finding.text, finding.case.file, finding.case.line)
        else:
            yield document.problem(finding.loc, finding.text)


def _summary(grid: GridSuite) -> str:
    arms = (f"{arm.name} (control)" if arm.control else arm.name for arm in grid.arms)
    counts = f"{render_count(len(grid.models), 'model')}, {render_count(len(grid.tasks), 'task')}"
    calls = render_count(grid.calls, "output")
    return f"{grid.name}: arms: {', '.join(arms)}; {counts}, repeat {grid.repeat}; {calls}"
