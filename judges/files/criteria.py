"""The criteria of a suite, with their rubrics read from the suite file or from files of their own."""

from collections.abc import Iterator
from pathlib import Path

from judges.core.errors import ConfigError, Problem
from judges.files.document import Loc, key_path
from judges.files.problems import gather, raise_any
from judges.files.prompt_meta import CriterionSpec
from judges.files.rubric import Rubric, parse_rubric
from judges.files.source import Source
from judges.files.suite import Criterion
from judges.files.text import display_path, read_text

RUBRIC_SUFFIXES = (".md", ".txt")
MAX_NAME = 1000  # longer than any path that an author writes


def read_criteria(source: Source) -> tuple[Criterion, ...]:
    """Return the criteria of a suite.

    Raises:
        ConfigError: a rubric cannot be read or describes levels wrongly; with the problems of all criteria.
    """
    problems: list[Problem] = []
    criteria: list[Criterion] = []
    for index, spec in enumerate(source.meta.criteria):
        with gather(problems):
            criteria.append(_read(source, spec, ("criteria", index, "rubric")))
    raise_any(problems)
    return tuple(criteria)


def _read(source: Source, spec: CriterionSpec, loc: Loc) -> Criterion:
    path = _rubric_path(source, spec.rubric, loc)
    try:
        text = read_text(path) if path else spec.rubric
    except ConfigError as error:
        raise source.document.blame(loc, error) from None
    if not text.strip():
        raise source.document.error(loc, "the rubric is empty", "say what the levels mean")
    rubric = parse_rubric(text, spec.scale)
    scores = source.meta.evaluation.type.scores
    if scores:
        raise_any(_problems(source, rubric, path, loc))
    return Criterion(
        name=spec.name,
        weight=spec.weight,
        instructions=rubric.instructions if scores else text.strip(),
        levels=rubric.levels if scores else (),
        rubric_sha256=rubric.sha256,
        minimum=source.meta.thresholds.per_criterion.get(spec.name),
    )


def _rubric_path(source: Source, rubric: str, loc: Loc) -> Path | None:
    """Return the path that a rubric is, or None where it is text."""
    name = rubric.strip()
    if "\n" in name or len(name) > MAX_NAME:
        return None
    if name.endswith(RUBRIC_SUFFIXES) and " " not in name:
        return source.resolve(name, loc)
    try:
        return source.resolve(name, loc) if (source.test_root / name).is_file() else None
    except (OSError, ValueError):  # no path at all, such as a sentence longer than a file name may be
        return None


def _problems(source: Source, rubric: Rubric, path: Path | None, loc: Loc) -> Iterator[Problem]:
    document = source.document
    for mistake in rubric.mistakes:
        if path:
            yield Problem(mistake.message, display_path(path), mistake.line + 1, 1)
        else:
            place = document.line_position(loc, mistake.line)
            yield Problem(mistake.message, document.file, *place, key=key_path(loc))
