"""Checks a fixture: the file, all that it names, its patterns, and what often goes wrong."""

from collections.abc import Iterator
from pathlib import Path

from judges.core.errors import Problem
from judges.files.document import Document, Loc
from judges.files.fixture import FixtureSuite, compose_front_matter, load_fixture
from judges.files.fixture_lint import lint_fixture
from judges.files.model import FileModel
from judges.files.pass_conditions import asks_nothing
from judges.out.summary import render_count
from judges.run.fixture_checks import check_patterns
from scaffold.validate.checked import Checked
from scaffold.validate.models import check_models


def check(path: Path, *, allow_outside: bool) -> Checked:
    """Check a fixture. No session is started.

    Raises:
        ConfigError: the fixture has mistakes.
    """
    fixture = load_fixture(path, allow_outside=allow_outside)
    check_patterns(fixture)
    document = compose_front_matter(path)
    check_models(_judges(fixture), document)
    return Checked(
        summary=_summary(fixture),
        remarks=tuple(_remarks(fixture, document)),
        notices=tuple(Problem(notice.text, document.file) for notice in fixture.notices),
    )


def _judges(fixture: FixtureSuite) -> Iterator[tuple[Loc, str]]:
    """Yield who judges. The model of the session is the client's to understand."""
    for index, row in enumerate(fixture.meta.pass_conditions.semantic):
        loc = ("pass_conditions", "semantic", index)
        if row.judge_model is not None:
            yield (*loc, "judge_model"), row.judge_model
        for number, name in enumerate(row.judges):
            yield (*loc, "judges", number), name


def _remarks(fixture: FixtureSuite, document: Document) -> Iterator[Problem]:
    """Yield what lint finds, each at its place in the file."""
    for finding in lint_fixture(fixture):
        if finding.line:
            yield Problem(finding.text, document.file, finding.line)
        else:
            yield document.problem(finding.loc, finding.text)


def _summary(fixture: FixtureSuite) -> str:
    meta = fixture.meta
    families = (key for key, section in meta.pass_conditions if not _is_empty(section))
    judges = sum(len(each.asked) for each in meta.pass_conditions.semantic)
    runs = f"{render_count(meta.runs, 'run')}, quorum {meta.quorum}"
    calls = render_count(meta.runs * (1 + judges), "call")
    return f"{fixture.name}: {runs}; conditions: {', '.join(families)}; {calls}"


def _is_empty(section: FileModel | tuple[FileModel, ...]) -> bool:
    return asks_nothing(section) if isinstance(section, FileModel) else not section
