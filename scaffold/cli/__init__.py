"""The command line: one module a command, imported only when that command runs.

`COMMANDS` is the table of contents; a test compares it with the commands themselves.
"""

import os
from importlib import import_module
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

COMMANDS = {
    "init": "Set a project up, with tests in CI.",
    "add-prompt": "Write a test suite for a prompt.",
    "add-fixture": "Write a fixture for a headless claude session.",
    "add-grid": "Write a grid that compares prompts on the same tasks.",
    "add-case": "Add cases to a suite from the lines of a log.",
    "validate": "Check suite files and report every mistake at once.",
    "run": "Judge suites and gate on the result.",
    "bench": "Run fixtures: their sessions, graded, by quorum.",
    "bench-one": "Run one replica of a fixture into a folder.",
    "grade": "Grade replicas that were run before.",
    "judge": "Try a rubric once, without a suite.",
    "qualify": "Measure a judge against people's ratings.",
    "calibrate": "Show how far the judge agrees with people.",
    "baseline": "Accept a run as what later runs are measured against.",
    "compare": "Compare two runs, case by case.",
    "project": "Write prompts from the blocks that they are projected from.",
    "gate": "Measure an edit of a gated block before it is applied.",
    "report": "Write runs as one HTML file to share.",
    "show": "Show one case of a run, or exactly what the judge saw.",
    "review": "Find what people should look at, and correct scores.",
    "doctor": "Say what is missing here, and how to get it.",
    "migrate": "Convert older suite files to the current shape.",
    "cache": "Show or shrink the cache of models' answers.",
    "model": "Install, list or remove models that run on this machine.",
    "schema": "Print the JSON Schema of a file format.",
    "completion": "Print what makes a shell complete commands and names.",
}

COMPLETE_VARIABLE = "_SCAFFOLD_COMPLETE"
"""Set by a shell that asks how a command line can go on, as click has it."""


class LazyGroup(click.Group):
    """A group that knows its commands' names and summaries without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  (click's signature)
        """Return the names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import and return the command, or None where there is none of that name."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"scaffold.cli.{cmd_name.replace('-', '_')}")
        command: click.Command = module.command
        if COMPLETE_VARIABLE in os.environ:
            from scaffold.completing import offer_names

            offer_names(command)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list["CompletionItem"]:
        """Return the commands, from the table, and the options that start so."""
        from click.shell_completion import CompletionItem

        named = [(name, words) for name, words in COMMANDS.items() if name.startswith(incomplete)]
        return [
            *(CompletionItem(name, help=words) for name, words in named),
            *click.Command.shell_complete(self, ctx, incomplete),
        ]

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Resolve the name; for an unknown one say which were close."""
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            from difflib import get_close_matches

            close = get_close_matches(args[0], COMMANDS, n=1)
            hint = f"Did you mean '{close[0]}'?" if close else "See 'scaffold --help' for the commands."
            raise click.UsageError(f"No such command '{args[0]}'. {hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the table of contents."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _show_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        from scaffold.version import render_version

        click.echo(render_version(os.environ), nl=False)
        context.exit()


@click.command(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and what a bug report needs, and exit.",
)
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
def cli(debug: bool) -> None:
    """Scaffold a test suite for a prompt, let a judge score it, and gate CI on the result."""
