"""`scaffold cache`: show or shrink the cache of models' answers."""

import re
from datetime import timedelta
from pathlib import Path

import click

from judges.core.errors import ConfigError, Problem
from judges.files.project import find_root
from judges.providers.store import Store
from scaffold.caching import open_store

_UNITS = {"kB": 10**3, "MB": 10**6, "GB": 10**9}
_SIZE = re.compile(r"(\d+)\s*(kB|MB|GB)")


class Size(click.ParamType[int]):
    """A number of bytes, written as `500 MB`."""

    name = "size"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the bytes, or fail with how to write them."""
        found = _SIZE.fullmatch(value.strip())
        if found is None:
            self.fail(f"'{value}' is not a size; write it like 500MB (kB, MB or GB)", param, ctx)
        return int(found[1]) * _UNITS[found[2]]


@click.group(short_help="Show or shrink the cache of models' answers.")
def command() -> None:
    """Show or shrink the cache of models' answers.

    A call that was made before with the very same request is answered from the project's cache, for free.
    Thresholds, weights and ranges are no part of a request, so changing them calls nothing.
    """


@command.command()
def stats() -> None:
    """Show how much is kept, and since when."""
    store = _store()
    kept = store.stats()
    click.echo(f"{store.path}: {kept.entries:,} answers, {kept.bytes / 10**6:,.1f} MB")
    if kept.oldest and kept.newest:
        click.echo(f"kept from {kept.oldest:%Y-%m-%d %H:%M} to {kept.newest:%Y-%m-%d %H:%M} UTC")


@command.command()
@click.option(
    "--older-than", type=click.IntRange(min=0), metavar="DAYS", help="Remove what is older than DAYS."
)
@click.option("--max-size", type=Size(), metavar="SIZE", help="Remove the oldest until SIZE is left: 500MB.")
def prune(older_than: int | None, max_size: int | None) -> None:
    """Remove old answers. They would be asked for, and paid for, again."""
    if older_than is None and max_size is None:
        raise click.UsageError("Say what to remove: --older-than DAYS, --max-size SIZE, or both.")
    age = None if older_than is None else timedelta(days=older_than)
    pruned = _store().prune(older_than=age, max_bytes=max_size)
    click.echo(f"{pruned.entries:,} answers removed")
    if pruned.in_use:
        click.echo("Another program reads the cache: its file shrinks when that program has ended.", err=True)


def _store() -> Store:
    root = find_root(Path.cwd())
    if root is None:
        raise ConfigError([Problem("there is no project here", hint="a project's folder holds .omniscitus/")])
    return open_store(root)
