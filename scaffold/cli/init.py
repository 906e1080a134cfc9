"""`scaffold init`: set a project up, with tests in CI."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from scaffold.init.change import Change
    from scaffold.init.wanted import Parts

CI = ("github", "gitlab")
_REQUIREMENT = re.compile(r"[\w.\-+:/@%&#=<>!~,\[\]]+(?: @ [\w.\-+:/@%&#=]+)?")
"""What stands between double quotes in a shell, in YAML, as it is."""


def _requirement(_: click.Context, __: click.Parameter, text: str | None) -> str | None:
    if text is not None and not _REQUIREMENT.fullmatch(text):
        wanted = "prompt-scaffold==1.2.3, or 'prompt-scaffold @ git+https://…'"
        raise click.BadParameter(f"expected what pip installs, such as {wanted}; found '{text}'")
    return text


@click.command(short_help="Set a project up, with tests in CI.")
@click.option(
    "--ci",
    type=click.Choice(CI),
    help="Where tests run.  [default: gitlab where there is a .gitlab-ci.yml, else github]",
)
@click.option("--no-ci", is_flag=True, help="Write no workflow.")
@click.option("--no-pre-commit", is_flag=True, help="Add no hook to .pre-commit-config.yaml.")
@click.option("--no-editor", is_flag=True, help="Add no schemas to .vscode/settings.json.")
@click.option(
    "--claude-code", is_flag=True, help="Write the commands /test-add:prompt and /test-prompt-harness."
)
@click.option(
    "--requirement",
    callback=_requirement,
    metavar="TEXT",
    help="What CI and the hook install with pip.  [default: this version of prompt-scaffold]",
)
@click.option("--dry-run", is_flag=True, help="Print what would change, and what differs, as a diff.")
def command(*, ci: str | None, no_ci: bool, dry_run: bool, requirement: str | None, **flags: bool) -> None:
    """Set a project up, with tests in CI.

    Writes .omniscitus/ with settings and the schemas of all files, a workflow that tests on every push
    without a key and with real judges each week or on a label, a pre-commit hook, and what editors need to
    complete and check suite files.

    CI and the hook install the version of scaffold that wrote them, once that is published where pip looks;
    until then say with --requirement where they get it from: a repository, or the address of a wheel.

    No file is overwritten. Lists of hooks, settings and ignored files get what they lack; what cannot be
    added safely is printed. A second run changes nothing.
    """
    from scaffold.generate.place import find_project
    from scaffold.init.change import plan_changes, render_diff, write_changes
    from scaffold.init.surroundings import find_repository
    from scaffold.init.wanted import list_wanted

    if ci and no_ci:
        raise click.UsageError("--ci and --no-ci exclude each other.")
    root = find_project(Path.cwd())
    repository = find_repository(root) or root
    parts = _choose(root, repository, ci, flags | {"no_ci": no_ci})
    if requirement is not None:
        parts = replace(parts, requirement=requirement)
    changes = plan_changes(root, list_wanted(parts))
    if dry_run:
        click.echo("".join(map(render_diff, changes)), nl=False)
        by_hand = [f"{each.path.as_posix()}: {each.why}" for each in changes if each.why]
        click.echo("\n".join([*by_hand, "Nothing was written."]), err=True)
        return
    write_changes(root, changes)
    click.echo("\n".join(_report(root, repository, changes)))


def _choose(root: Path, repository: Path, ci: str | None, flags: Mapping[str, bool]) -> "Parts":
    """Return what is wanted; workflows and hooks are read at the top of a repository only."""
    from scaffold.init.surroundings import detect_ci
    from scaffold.init.wanted import Ci, Parts

    at_top = root == repository
    platform = Ci(ci) if ci else detect_ci(root)
    return Parts(
        ci=platform if at_top and not flags["no_ci"] else None,
        pre_commit=at_top and not flags["no_pre_commit"],
        editor=not flags["no_editor"],
        claude_code=flags["claude_code"],
    )


def _report(root: Path, repository: Path, changes: Sequence["Change"]) -> Iterator[str]:
    """What became of each file, one a line, and the next command."""
    from judges.files.project import find_suites

    yield f"Project     {root}"
    yield from _files(changes)
    if any(each.state == "differs" for each in changes):
        yield ""
        yield "What differs stays as it is: --dry-run shows how. Remove a file to have it written anew."
    if root != repository:
        yield ""
        yield f"Note: CI and pre-commit read their files at the top of the repository, {repository};"
        yield "no workflow and no hook was written."
    yield ""
    yield "Next:" if any(each.writes for each in changes) else "Nothing changed. Next:"
    yield "  scaffold validate --strict" if find_suites(root) else "  scaffold add-prompt NAME"


def _files(changes: Sequence["Change"]) -> Iterator[str]:
    """A line a file, but for schemas that share their state; below it what a person has to add."""
    from scaffold.init.wanted import SCHEMA_FOLDER

    def place(change: "Change") -> tuple[str, Path]:
        schema = change.path.parent == SCHEMA_FOLDER
        return change.state, SCHEMA_FOLDER if schema else change.path

    for (state, path), group in groupby(changes, place):
        first, *others = group
        name = f"{path.as_posix()}/ ({len(others) + 1} files)" if others else first.path.as_posix()
        yield f"{state:<11} {name}{f': {first.why}. Add to it:' if first.why else ''}"
        if first.why:
            yield indent(first.new.rstrip(), " " * 12)
