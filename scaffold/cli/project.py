"""`scaffold project`: prompts under test that are projected from blocks of other files."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from judges.core.verdict import ExitCode

if TYPE_CHECKING:
    from judges.files.gated import GatedBlock, Registry


@click.command(short_help="Write prompts from the blocks that they are projected from.")
@click.argument("target", required=False)
@click.option("--all", "everything", is_flag=True, help="All targets of the registry, as without TARGET.")
@click.option("--check", is_flag=True, help="Write nothing; fail where something is not as it should be.")
@click.option("--stdout", is_flag=True, help="Print the prompt of TARGET; write nothing.")
@click.option(
    "--registry",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The registry, YAML or JSON.  [default: .omniscitus/gated.yaml]",
)
def command(
    target: str | None, everything: bool, check: bool, stdout: bool, registry: Path | None
) -> ExitCode | None:
    """Write prompts from the blocks that they are projected from.

    A gated block stands in its source file between two markers, each once:

        <!-- eval-gate:block:ID:start -->

        <!-- eval-gate:block:ID:end -->

    The registry lists source file, block id, target (the name for TARGET) and the prompt to write. An entry
    may name a template, a text in which {{block}} is replaced by the block and nothing else is; without one
    the prompt is the block alone. A prompt is written with LF line ends, and only where it changes.

    With --check the exit code is 1 where a prompt is not byte for byte what would be written, where a marker
    is missing, doubled or out of order, where a file that git tracks (any file, outside git) marks a block
    that the registry does not have, where an arm of a grid is "projected_from" another block or has not its
    prompt, and where the registry is empty. A marker in quotes or backticks is a
    mention and marks nothing.
    """
    from scaffold.projection.registry import load_registry

    if target and everything:
        raise click.UsageError("Give TARGET or --all, not both.")
    if check and stdout:
        raise click.UsageError("Give --check or --stdout, not both.")
    if stdout and not target:
        raise click.UsageError("--stdout prints one prompt: name its TARGET.")
    loaded = load_registry(registry)
    blocks = (loaded.block(target),) if target else loaded.blocks
    if check:
        return _check(loaded, blocks, whole=target is None)
    if stdout:
        _print(blocks[0])
        return None
    return _write(loaded, blocks)


def _check(registry: "Registry", blocks: "tuple[GatedBlock, ...]", *, whole: bool) -> ExitCode | None:
    from judges.out.printable import printable_lines, shield
    from scaffold.projection.check import check_projections, check_registry

    problems = check_registry(registry) if whole else check_projections(registry, blocks)
    for problem in problems:
        click.echo(shield(printable_lines(f"Error: {problem}")), err=True)
    if problems:
        return ExitCode.FAILED
    current = "projection is current" if len(blocks) == 1 else "projections are current"
    click.echo(f"{len(blocks)} {current}." if whole else f"{blocks[0].target}: the {current}.")
    return None


def _print(block: "GatedBlock") -> None:
    from scaffold.projection.render import project

    click.echo(project(block).encode("utf-8"), nl=False)


def _write(registry: "Registry", blocks: "tuple[GatedBlock, ...]") -> ExitCode | None:
    from judges.core.errors import Problem
    from judges.files.problems import gather, raise_any
    from judges.files.text import display_path
    from scaffold.projection.render import project, write_projection

    if not blocks:
        click.echo(
            f"The registry {display_path(registry.path)} is empty: there is nothing to write.", err=True
        )
        return ExitCode.NOTHING_RUN
    problems: list[Problem] = []
    prompts = []
    for block in blocks:
        with gather(problems):
            prompts.append((block, project(block)))
    raise_any(problems)
    for block, prompt in prompts:
        place = display_path(block.projected_prompt_path)
        changed = write_projection(block, prompt)
        click.echo(f"{block.target}: wrote {place}" if changed else f"{block.target}: {place} is current")
    return None
