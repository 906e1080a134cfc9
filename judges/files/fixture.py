"""A `*.fixture.md`, and every file that it names, to a fixture: the literal prompt of a headless session.

The front matter is YAML between two lines `---`. The body is all after the first heading `# Prompt body`, but
for one blank line right after it; it is sent as it stands, with LF for CRLF, so that a fixture means the same
on every system. Patterns are compiled elsewhere: `judges.run.fixture_checks`.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from judges.core.case import digest
from judges.core.errors import ConfigError, Problem
from judges.core.row import Notice
from judges.files.document import Document, Loc
from judges.files.fixture_meta import FixtureMeta
from judges.files.problems import gather, raise_any
from judges.files.project import find_root, resolve, suite_name
from judges.files.shape import parse_model
from judges.files.text import display_path, line_and_column, read_text
from judges.files.yaml import compose_yaml

PATHS = ("append_system_prompt_file", "workspace", "plugin_dirs")
SOUND = {"isolation": "project", "pass_conditions": {"run": {"must_succeed": True}}}
"""What stands for all other keys where some are wrong, so that the paths can be followed."""

MOVED = {
    "pass_conditions.thread": (
        "is no longer read: the views have names now",
        "move its patterns to pass_conditions.views.NAME, such as assistant_text or everything",
    ),
    "pass_conditions.run.serial": ("is no condition", "write it at the top of the file: run: {serial: true}"),
    "run.max_cost_usd": ("is a condition", "write it in pass_conditions: run: {max_cost_usd: …}"),
}
"""Keys that belong elsewhere: why, and what to do."""

_FENCE = re.compile(r"^---[ \t]*\r?(?:\n|\Z)", re.MULTILINE)
_HEADING = re.compile(r"^# Prompt body[ \t]*\r?(?:\n(?:[ \t]*\r?\n)?|\Z)", re.MULTILINE)
_UNFILLED = re.compile(r"<<<|<PLACEHOLDER>")

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class FixtureSuite:
    """Everything that one `*.fixture.md` says, with the files it names resolved.

    `root` is the project root. `body` is the prompt, word for word; it starts on `body_line` of the file.
    `append_system_prompt` is that text wherever it stands, "" for none. `workspace` and `plugin_dirs` are
    folders that exist. `text_sha256` is the digest of all that is said, but not of what the folders hold.
    """

    name: str
    path: Path
    root: Path
    meta: FixtureMeta
    body: str
    body_line: int
    append_system_prompt: str
    workspace: Path | None
    plugin_dirs: tuple[Path, ...]
    text_sha256: str
    notices: tuple[Notice, ...] = ()


def load_fixture(path: Path, *, root: Path | None = None, allow_outside: bool = False) -> FixtureSuite:
    """Read a fixture. `root` is the project root: without it the nearest folder upwards with `.omniscitus/`.

    A fixture outside any project has its own folder as the root. Paths that leave the root are refused,
    unless they are allowed.

    Raises:
        ConfigError: anything is wrong, in this file or in one that it names; with all problems.
    """
    return parse_fixture(read_text(path), path, root=root, allow_outside=allow_outside)


def parse_fixture(
    text: str, path: Path, *, root: Path | None = None, allow_outside: bool = False
) -> FixtureSuite:
    """Return the fixture that the file at `path` is with this text, whether it holds it already or not.

    Raises:
        ConfigError: as `load_fixture`.
    """
    text, file, problems = text.removeprefix("\ufeff"), display_path(path), list[Problem]()
    front, rest = _split(text, file)
    body = _read_body(text, rest, file, problems)
    document = _compose(front, file, problems)
    meta = _read_meta(document, problems)
    paths = _Paths(document, root or find_root(path.parent) or path.parent, allow_outside, problems)
    prompt = paths.text(meta.append_system_prompt_file, ("append_system_prompt_file",))
    workspace = paths.folder(meta.workspace, ("workspace",))
    plugins = [paths.folder(name, ("plugin_dirs", index)) for index, name in enumerate(meta.plugin_dirs)]
    raise_any(problems)
    prompt = prompt or meta.append_system_prompt
    return FixtureSuite(
        name=meta.name or suite_name(path),
        path=path,
        root=paths.root,
        meta=meta,
        body=body.text,
        body_line=body.line,
        append_system_prompt=prompt,
        workspace=workspace,
        plugin_dirs=tuple(filter(None, plugins)),
        text_sha256=digest(repr((meta, body.text, prompt))),
        notices=tuple(_notice_ignored(body)),
    )


def compose_front_matter(path: Path) -> Document:
    """Read the front matter of a fixture for the places of its values; mistakes in it are left in it.

    Raises:
        ConfigError: there is none, or it cannot be read at all.
    """
    file = display_path(path)
    front, _ = _split(read_text(path), file)
    return compose_yaml(front, file)


def _split(text: str, file: str) -> tuple[str, int]:
    """Return the front matter, with its opening line so that positions hold, and where it ends."""
    opening = _FENCE.match(text)
    if opening is None:
        hint = "start the file with a line '---', and end the front matter with another one"
        raise ConfigError([Problem("there is no front matter", file, 1, 1, hint=hint)])
    closing = _FENCE.search(text, opening.end())
    if closing is None:
        hint = "write a line '---' after its last key"
        raise ConfigError([Problem("the front matter does not end", file, 1, 1, hint=hint)])
    return text[: closing.start()], closing.end()


@dataclass(frozen=True, slots=True)
class _Body:
    """The prompt, the line that it starts on, and what stands before its heading."""

    text: str
    line: int
    before: str


def _read_body(text: str, start: int, file: str, problems: list[Problem]) -> _Body:
    heading = _HEADING.search(text, start)
    if heading is None:
        hint = "write the line '# Prompt body' below the front matter, and the prompt below it"
        place = line_and_column(text, len(text))
        problems.append(Problem("there is no heading '# Prompt body'", file, *place, hint=hint))
        return _Body("", 1, "")
    if not text[heading.end() :].strip():
        place = line_and_column(text, heading.start())
        hint = "write it below the heading"
        problems.append(Problem("the prompt is empty", file, *place, hint=hint))
    problems += _find_unfilled(text, heading.end(), file)
    line, _ = line_and_column(text, heading.end())
    return _Body(_unix(text[heading.end() :]), line, text[start : heading.start()].strip())


def _find_unfilled(text: str, start: int, file: str) -> Iterator[Problem]:
    hint = "write out what belongs there: a fixture is sent as it stands"
    for match in _UNFILLED.finditer(text, start):
        message = f"the prompt holds '{match[0]}', the mark of a text that was never filled in"
        yield Problem(message, file, *line_and_column(text, match.start()), hint=hint)


def _unix(text: str) -> str:
    return text.replace("\r\n", "\n")


def _notice_ignored(body: _Body) -> Iterator[Notice]:
    if body.before:
        yield Notice("what stands between the front matter and '# Prompt body' is not sent")


def _compose(front: str, file: str, problems: list[Problem]) -> Document:
    try:
        document = compose_yaml(front, file)
    except ConfigError as error:
        problems += error.problems
        raise_any(problems)
        raise
    problems += document.problems
    return document


def _read_meta(document: Document, problems: list[Problem]) -> FixtureMeta:
    """Return the model; where it is wrong, note what is, and return one of nothing but the sound paths."""
    try:
        return parse_model(FixtureMeta, document)
    except ConfigError as error:
        problems += map(_explain, error.problems)
    if not isinstance(document.value, dict):
        raise_any(problems)
    unsound = {re.split(r"[.\[]", problem.key or "")[0] for problem in problems}
    sound = {key: value for key, value in document.value.items() if key in PATHS and key not in unsound}
    return parse_model(FixtureMeta, replace(document, value={**SOUND, **sound}))


def _explain(problem: Problem) -> Problem:
    if problem.key not in MOVED:
        return problem
    message, hint = MOVED[problem.key]
    return replace(problem, message=message, hint=hint)


@dataclass(frozen=True, slots=True)
class _Paths:
    """Follows the paths that a fixture names, and notes those that lead nowhere."""

    document: Document
    root: Path
    allow_outside: bool
    problems: list[Problem]

    def text(self, name: str | None, loc: Loc) -> str | None:
        return self._follow(name, loc, lambda path: _unix(read_text(path)))

    def folder(self, name: str | None, loc: Loc) -> Path | None:
        return self._follow(name, loc, _check_folder)

    def _follow(self, name: str | None, loc: Loc, read: Callable[[Path], T]) -> T | None:
        if name is None:
            return None
        with gather(self.problems):
            try:
                return read(resolve(name, self.root, self.root, allow_outside=self.allow_outside))
            except ConfigError as error:
                raise self.document.blame(loc, error) from None
        return None


def _check_folder(path: Path) -> Path:
    if not path.is_dir():
        raise ConfigError([Problem("is not a folder", display_path(path), hint="check the path")])
    return path
