"""`scaffold migrate`: older suite files to the current shape."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from judges.core.errors import Problem
    from scaffold.migrate.files import Migration


@click.command(short_help="Convert older suite files to the current shape.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--dry-run", is_flag=True, help="Print what would be written; write nothing.")
def command(files: tuple[str, ...], dry_run: bool) -> None:
    """Convert older suite files to the current shape.

    FILE is a prompt-meta.yaml, the name of a suite, or a folder that is searched. Converted are: sections
    that were a single word ("evaluation: multi_criteria", "cases: external" with "pattern" beside it, "logs:
    logs/"), criteria inside "evaluation" or as one-key maps, scores on 0..1, and files with several suites
    ("prompts: [...]"), of which each gets a folder and a file of its own.

    The old file is kept beside, as NAME.bak; no file is overwritten. Sections that stay keep their comments;
    keys that mean nothing now are kept as "x-KEY". What cannot be known, such as the rubric of a criterion
    that had none, is an example and said. The exit code is 0 when the suites are right now, 2 when something
    is left to mend by hand.
    """
    from judges.core.errors import Problem
    from judges.files.problems import gather, raise_any
    from scaffold.migrate.files import plan_migration
    from scaffold.suites import locate_suites

    problems: list[Problem] = []
    for path in locate_suites(files):
        with gather(problems):
            problems += _migrate(plan_migration(path), dry_run=dry_run)
    raise_any(problems)


def _migrate(migration: "Migration", *, dry_run: bool) -> Sequence["Problem"]:
    """Convert one file, and return what is left to mend."""
    from judges.files.text import display_path
    from scaffold.migrate.files import find_problems, migrate

    place = display_path(migration.path)
    if not migration.texts:
        click.echo(f"{place} has the current shape already.")
        return ()
    for remark in migration.remarks:
        click.echo(f"Notice: {remark}", err=True)
    if dry_run:
        _show(migration)
        return ()
    kept = migrate(migration)
    click.echo(f"Converted {place}; the old file is kept as {display_path(kept)}")
    for path in migration.texts:
        if path != migration.path:
            click.echo(f"  {display_path(path)}")
    left = find_problems(list(migration.texts))
    if left:
        click.echo("Some of it is left to mend by hand:", err=True)
    return left


def _show(migration: "Migration") -> None:
    from judges.files.text import display_path
    from judges.out.printable import printable_lines

    for path, text in migration.texts.items():
        if len(migration.texts) > 1:
            click.echo(f"# {display_path(path)}")
        click.echo(printable_lines(text), nl=False)
