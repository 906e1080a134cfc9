"""`scaffold gate`: whether an edit of a gated block may be applied."""

from pathlib import Path
from typing import Any

import click

REGISTRY = click.option(
    "--registry",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The registry, YAML or JSON.  [default: .omniscitus/gated.yaml]",
)


@click.group(short_help="Measure an edit of a gated block before it is applied.")
def command() -> None:
    """Measure an edit of a gated block before it is applied.

    A prompt that is projected from a block of another file (scaffold project) is measured by a grid, of which
    one arm is that prompt. All subcommands print JSON.
    """


@command.command(short_help="Say whether a file is gated.")
@click.argument("file", type=click.Path(path_type=Path))
@REGISTRY
def check(file: Path, registry: Path | None) -> None:
    """Say whether a file is gated: whether the registry has a block of it.

    Printed is {"gated", "target", "block_id"}; where the file has several blocks, the others are under
    "more". The exit code is 0 either way, so that whoever proposes an edit can ask first.
    """
    from scaffold.gate.lookup import describe_file
    from scaffold.projection.registry import find_registry

    _print(describe_file(find_registry(registry), file))


@command.command(short_help="Say what gating an edit will take; spend nothing.")
@click.option("--target", required=True, metavar="TARGET", help="The target in the registry.")
@click.option(
    "--repeat",
    type=click.IntRange(1, 99),
    metavar="N",
    help="How often each task is given.  [default: the grid's]",
)
@click.option("--null-control", is_flag=True, help="Measure the current prompt against itself as well.")
@REGISTRY
def plan(target: str, repeat: int | None, null_control: bool, registry: Path | None) -> None:
    """Say what gating an edit will take; spend nothing.

    The calls are 2 (current and candidate) x models x (tasks + 1) x repeat; with --null-control 3 in place
    of 2. The grid is the one with an arm that says "projected_from" with the block's id, or that has the
    projected prompt; of several, the one that is called like the target.
    """
    from scaffold.config import build_environ, load_config
    from scaffold.gate.plan import describe_plan, estimate_gate, plan_gate
    from scaffold.projection.registry import load_registry

    planned = plan_gate(load_registry(registry), target, repeat=repeat, null_control=null_control)
    usage = estimate_gate(planned, build_environ(load_config()))
    _print(describe_plan(planned, usage))


def _print(value: Any) -> None:
    from judges.core.encode import render_line

    click.echo(render_line(value))
