"""What a shell offers for the names on a command line: suites, runs and cases.

It is asked at every press of the key, so only names of files are read, and of runs the refs; no file format
is loaded. What is wrong with a project is none of its business: then there is nothing to offer.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import TypeAlias

import click
from click.shell_completion import CompletionItem

from judges.core.report import SuiteKind
from judges.files.project import MARKER, find_root, find_suites, find_suites_below, suite_kind, suite_name

Names: TypeAlias = Callable[[click.Context], Iterable[str]]

MOST_BYTES = 20_000_000
"""How much of a run's files is read for refs: some 0.1 seconds."""

_PLAIN = re.compile(r"[\w./@+=][\w./@+=-]*")  # what no shell takes for anything but a word
_REF = re.compile(rb'"ref": ?("(?:[^"\\]|\\.)*")')


class Offered(click.ParamType[str]):
    """The type of a parameter that names something of the project; a path may stand there as well."""

    name = "text"

    def __init__(self, names: Names, *, paths: bool) -> None:
        self._names = names
        self._paths = paths

    def shell_complete(
        self,
        ctx: click.Context,
        param: click.Parameter,  # noqa: ARG002  (click's signature)
        incomplete: str,
    ) -> list[CompletionItem]:
        """Return the names that start so."""
        if self._paths and ("/" in incomplete or incomplete.startswith(".")):
            return [CompletionItem(incomplete, type="file")]
        names = dict.fromkeys(name for name in self._names(ctx) if name.startswith(incomplete))
        return [CompletionItem(name) for name in names if _PLAIN.fullmatch(name)]


def offer_names(command: click.Command) -> None:
    """Let the parameters of a command, and of those below it, be completed by their names in `OFFERED`."""
    for parameter in command.params:
        offered = OFFERED.get(parameter.name or "")
        if offered and isinstance(parameter.type, click.types.StringParamType):
            parameter.type = offered
    if isinstance(command, click.Group):
        for each in command.commands.values():
            offer_names(each)


def _suites(_: click.Context) -> Iterator[str]:
    return map(suite_name, _find_suites())


def _fixtures(_: click.Context) -> Iterator[str]:
    return (suite_name(path) for path in _find_suites() if suite_kind(path) is SuiteKind.FIXTURE)


def _runs(_: click.Context) -> Iterator[str]:
    return (path.name for path in _find_runs())


def _cases(context: click.Context) -> Iterator[str]:
    """Yield the refs of the run that is named, else of the latest."""
    named = context.params.get("run")
    runs = _find_runs()
    run = next((path for path in runs if path.name == named), runs[0] if runs else None)
    return iter(()) if run is None else _refs(run)


def _runs_or_cases(context: click.Context) -> Iterator[str]:
    """`scaffold show CASE` is about the latest run."""
    lonely = context.command_path.endswith(" show") and "review" not in context.command_path
    return chain(_cases(context), _runs(context)) if lonely else _runs(context)


def _find_suites() -> list[Path]:
    root = find_root(Path.cwd())
    return [*find_suites(root), *_extra_suites(root)] if root else []


def _extra_suites(root: Path) -> Iterator[Path]:
    """Yield the suites of the places that the project's settings name."""
    config = root / MARKER / "config.yaml"
    if not config.is_file() or b"\nsuites:" not in b"\n" + config.read_bytes():
        return
    import yaml

    try:
        names = yaml.safe_load(config.read_bytes())["suites"]
    except (yaml.YAMLError, KeyError, TypeError):
        return
    for name in names if isinstance(names, list) else ():
        place = root / str(name)
        yield from [place] if place.is_file() else find_suites_below(place)


def _find_runs() -> list[Path]:
    """Return the run directories, the latest first."""
    root = find_root(Path.cwd())
    return sorted((root / MARKER / "runs").glob("*-*"), reverse=True) if root else []


def _refs(run: Path) -> Iterator[str]:
    left = MOST_BYTES
    for rows in sorted(run.glob("*/rows.jsonl")):
        merged = rows.with_name("cases.jsonl")  # there where a case is made of several trials
        with (merged if merged.exists() else rows).open("rb") as file:
            for line in file:
                left -= len(line)
                if found := _REF.search(line):
                    yield json.loads(found[1])
                if left < 0:
                    return


OFFERED = {
    **dict.fromkeys(("suite", "suites"), Offered(_suites, paths=True)),
    **dict.fromkeys(("fixture", "fixtures"), Offered(_fixtures, paths=True)),
    **dict.fromkeys(("runs", "first", "second", "resumed"), Offered(_runs, paths=True)),
    "run": Offered(_runs_or_cases, paths=True),
    **dict.fromkeys(("case", "ref", "keywords"), Offered(_cases, paths=False)),
}
"""What is offered for a parameter, by its name in all commands."""
