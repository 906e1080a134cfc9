"""Converting a file: what would be written, and writing it, with the old file kept and none overwritten."""

import os
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from judges.core.errors import ConfigError, Problem
from judges.files.document import Document
from judges.files.foreign import OLDER, refuse_foreign
from judges.files.load import load_suite
from judges.files.problems import found, gather, raise_any
from judges.files.project import SUITE_FILE, find_root
from judges.files.source import Source
from judges.files.text import display_path, read_text
from judges.files.yaml import compose_yaml
from scaffold.migrate.convert import convert
from scaffold.migrate.paths import Paths
from scaffold.migrate.sections import rewrite
from scaffold.migrate.umbrella import split
from scaffold.rewrite import create_text, free_name, replace_text
from scaffold.yaml_text import render_block


@dataclass(frozen=True, slots=True)
class Migration:
    """What converting a file takes: the texts of files by their paths, and what is to be said about them.

    Without any text the file has the current shape already. It is kept beside the new ones.
    """

    path: Path
    texts: dict[Path, str]
    remarks: tuple[str, ...] = ()


def plan_migration(path: Path) -> Migration:
    """Return what converting a suite file would write.

    Raises:
        ConfigError: it cannot be read, or belongs to another program; or the new files are there already.
    """
    document = compose_yaml(read_text(path), display_path(path))
    raise_any(document.problems)
    if not isinstance(document.value, dict):
        raise document.error((), f"expected a mapping, found {found(document.value)}")
    _refuse_others(document)
    root = find_root(path.parent) or path.parent.absolute()
    paths = Paths(root, path.parent.absolute())
    if isinstance(document.value.get("prompts"), list):
        return _split(document, path, paths)
    own = paths.below("", document.value.get("test_root"))
    draft = convert(document.value, path.parent.absolute().name, own.pattern)
    if draft.value == document.value:
        return Migration(path, {})
    text = rewrite(document, draft.value)
    lost = ("some comments are only in the old file",) if document.text.count("#") > text.count("#") else ()
    return Migration(path, {path: text}, (*draft.remarks, *lost))


def migrate(migration: Migration) -> Path:
    """Write the new files, and return where the old one is kept.

    Raises:
        OSError: a file cannot be written; all are as they were.
    """
    if migration.path in migration.texts:
        kept = replace_text(migration.path, migration.texts[migration.path], backup=True)
        assert kept
        return kept
    with ExitStack() as undo:
        for path, text in migration.texts.items():
            create_text(path, text)
            undo.callback(path.unlink)
        kept = migration.path.rename(free_name(migration.path))
        undo.pop_all()
    return kept


def find_problems(paths: Sequence[Path]) -> list[Problem]:
    """Return what is still wrong with suites, as far as it can be seen without starting their runners."""
    problems: list[Problem] = []
    for path in paths:
        with gather(problems):
            load_suite(path, read_cases=_no_cases)
    return problems


def _no_cases(_: Source, files: Sequence[Path]) -> list[Any]:
    return [[] for _ in files]


def _refuse_others(document: Document) -> None:
    try:
        refuse_foreign(document)
    except ConfigError as error:
        if not all(OLDER in problem.message for problem in error.problems):
            raise


def _split(document: Document, path: Path, paths: Paths) -> Migration:
    texts: dict[Path, str] = {}
    remarks: list[str] = []
    for folder, draft in split(document, paths):
        texts[path.parent / folder / SUITE_FILE] = render_block(draft.value)
        remarks += draft.remarks
    raise_any(
        Problem(
            "there is a file of that name already", display_path(each), hint="move it, or rename the suite"
        )
        for each in texts
        if os.path.lexists(each)
    )
    if not texts:
        raise document.error(("prompts",), "the list is empty", "remove the file")
    return Migration(path, texts, tuple(remarks))
