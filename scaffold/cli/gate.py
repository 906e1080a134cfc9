"""`scaffold gate`: whether an edit of a gated block may be applied."""

from pathlib import Path
from typing import Any

import click

from judges.core.verdict import ExitCode
from scaffold import run_flags

TARGET = click.option("--target", required=True, metavar="TARGET", help="The target in the registry.")
REPEAT = click.option(
    "--repeat",
    type=click.IntRange(1, 99),
    metavar="N",
    help="How often each task is given.  [default: the grid's]",
)
NULL_CONTROL = click.option(
    "--null-control", is_flag=True, help="Measure the current prompt against itself as well."
)
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
    "more". The exit code is 0 either way, so that whoever proposes an edit can ask first. Of a file that is
    not there, standard error says so.
    """
    from judges.out.printable import printable, shield
    from scaffold.gate.lookup import describe_file, is_missing
    from scaffold.printing import print_json
    from scaffold.projection.registry import find_registry

    known = find_registry(registry)
    described = describe_file(known, file)
    print_json(described)
    if not described["gated"] and is_missing(known, file):
        click.echo(shield(printable(f"note: there is no file {file}")), err=True)


@command.command(short_help="Say what gating an edit will take; spend nothing.")
@TARGET
@REPEAT
@NULL_CONTROL
@REGISTRY
def plan(target: str, repeat: int | None, null_control: bool, registry: Path | None) -> None:
    """Say what gating an edit will take; spend nothing.

    The calls are 2 (current and candidate) x models x (tasks + 1) x repeat; with --null-control 3 in place
    of 2. The grid is the one with an arm that says "projected_from" with the block's id, or that has the
    projected prompt; of several, the one that is called like the target. "power" says how likely so many
    tasks are to tell a loss, if the current prompt has 90 % right; standard error has that in a sentence.
    """
    from scaffold.config import build_environ, load_config
    from scaffold.gate.plan import describe_plan, estimate_gate, plan_gate
    from scaffold.printing import print_json
    from scaffold.projection.registry import load_registry

    planned = plan_gate(load_registry(registry), target, repeat=repeat, null_control=null_control)
    usage = estimate_gate(planned, build_environ(load_config()))
    described = describe_plan(planned, usage)
    print_json(described)
    click.echo(described["power"]["words"], err=True)


@command.command(short_help="Decide whether an edit may be applied.")
@TARGET
@click.option(
    "--candidate-file",
    required=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The source file as the edit has it, in another place.",
)
@click.option(
    "--target-task",
    metavar="JSON|FILE",
    help="The task that the edit is to make pass: a line of the grid's tasks, or a file that holds one.",
)
@REPEAT
@click.option(
    "--append-on-accept", is_flag=True, help="Append the target task to the grid's tasks on an accept."
)
@NULL_CONTROL
@click.option(
    "--rule",
    type=click.Choice(["epsilon", "paired"]),
    default="epsilon",
    show_default=True,
    help="How it is told whether the corpus has regressed.",
)
@click.option(
    "--margin",
    type=click.FloatRange(0, 1),
    help="For --rule paired: the loss that is allowed, as a share.  [default: one task]",
)
@click.option(
    "--no-trust-floor",
    "trust_floor",
    flag_value=False,
    default=True,
    help="Decide also where the current prompt has less than half right.",
)
@run_flags.MAX_COST
@run_flags.NO_CACHE
@REGISTRY
@run_flags.YES
@run_flags.QUIET
def run(**flags: Any) -> ExitCode:
    """Decide whether an edit may be applied.

    The block of the source file and that of FILE are projected into prompts, and the grid's models are given
    all tasks and the target task with both. The edit is accepted where the corpus has not regressed and the
    target task passes in at least half of its samples, unless the current prompt has less than half of the
    corpus right. Nothing but the block is measured: where it does not change, the edit is accepted.

    The corpus has regressed, by --rule epsilon, where the candidate has fewer right by more than one task;
    by --rule paired where the 95 % interval of the difference, paired by task, lies below -MARGIN. Where it
    spans -MARGIN the edit is not accepted, as "inconclusive". With --null-control the current prompt is
    measured once more, and an edit whose gain is no larger than what that differs by is not accepted.

    The verdict is printed as JSON, and the run is kept for scaffold show. The exit code is 0 for an accept
    and 1 for anything less; rejections are logged in rejections.jsonl beside the registry. Whatever goes
    wrong gives {"accept": false, "error"} and 3 (130 if interrupted), never an accept.
    """
    from scaffold.gate.command import gate

    if flags["margin"] is not None and flags["rule"] != "paired":
        raise click.UsageError("--margin belongs to --rule paired.")
    return gate(flags)
