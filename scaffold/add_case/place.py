"""Where new cases go: into the suite's own file, or into a new file that its pattern finds."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

from slugify import slugify

from judges.core.encode import render_line
from judges.core.errors import ConfigError, Problem
from judges.files.load import parse_suite
from judges.files.patterns import find_matches, fixed_folder
from judges.files.source import CaseReader
from judges.files.suite import PromptSuite
from judges.files.text import display_path, read_text
from scaffold.add_case.insert import insert_cases
from scaffold.rewrite import create_text, replace_text
from scaffold.yaml_text import render_block

Cases: TypeAlias = Sequence[dict[str, Any]]

FORMS: Mapping[str, Callable[[Cases], str]] = {
    ".jsonl": lambda cases: "".join(f"{render_line(case)}\n" for case in cases),
    ".yaml": lambda cases: render_block(list(cases)),
    ".yml": lambda cases: render_block(list(cases)),
    ".json": lambda cases: "[\n" + ",\n".join(render_line(case) for case in cases) + "\n]\n",
}
"""How a file of cases is written, by its ending; the first that the pattern finds is taken."""


@dataclass(frozen=True, slots=True)
class Addition:
    """A file and the text it will have. `new` says whether it is to be made."""

    path: Path
    text: str
    new: bool


def plan_addition(suite: PromptSuite, cases: Cases, name: str, reader: CaseReader) -> Addition:
    """Return what adding the cases would write. `name` is for a file of their own.

    Raises:
        ConfigError: they cannot be added, or the suite would be wrong with them.
    """
    if suite.meta.cases.source == "external":
        path = _new_file(suite, slugify(name) or "cases")
        return Addition(path, FORMS[path.suffix](cases), new=True)
    text = insert_cases(read_text(suite.path), display_path(suite.path), cases)
    _check(text, suite, reader)
    return Addition(suite.path, text, new=False)


def add(addition: Addition, suite: PromptSuite, reader: CaseReader, *, backup: bool) -> Path | None:
    """Write the file; return where its old content is kept, if it is.

    Raises:
        ConfigError: the suite would be wrong with a new file; it was removed again.
        OSError: the file cannot be written; nothing has changed.
    """
    if not addition.new:
        return replace_text(addition.path, addition.text, backup=backup)
    create_text(addition.path, addition.text)
    try:
        _check(read_text(suite.path), suite, reader)
    except ConfigError:
        addition.path.unlink()
        raise
    return None


def _check(text: str, suite: PromptSuite, reader: CaseReader) -> None:
    try:
        parse_suite(text, suite.path, allow_outside=suite.allow_outside, read_cases=reader)
    except ConfigError as error:
        raise ConfigError(
            replace(each, message=f"nothing was added, since with the new cases: {each.message}")
            for each in error.problems
        ) from None


def _new_file(suite: PromptSuite, stem: str) -> Path:
    pattern = suite.meta.cases.pattern or ""
    folder = fixed_folder(pattern)
    for ending in FORMS:
        if _finds(pattern, folder / f"{stem}{ending}"):
            return _free(suite.test_root / folder, stem, ending)
    message = f"a new file in {folder} would not be found by the pattern '{pattern}'"
    hint = f"make one yourself, with the cases that --dry-run shows, in a {', '.join(FORMS)} file"
    raise ConfigError([Problem(message, display_path(suite.path), key="cases.pattern", hint=hint)])


def _finds(pattern: str, name: PurePosixPath) -> bool:
    """Tell whether a pattern finds a file of that name, by trying it in an empty folder."""
    with TemporaryDirectory() as place:
        root = Path(place, *["x"] * len(name.parts))  # deep enough for names that start with ..
        file = root / name
        root.mkdir(parents=True)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
        return name in find_matches(pattern, root)


def _free(folder: Path, stem: str, ending: str) -> Path:
    number = 1
    while any((folder / f"{_numbered(stem, number)}{each}").exists() for each in (*FORMS, ".csv")):
        number += 1
    return folder / f"{_numbered(stem, number)}{ending}"


def _numbered(stem: str, number: int) -> str:
    return stem if number == 1 else f"{stem}-{number}"
