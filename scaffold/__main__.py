"""The process around the command line: every outcome becomes an exit code and one clear sentence."""

import os
import sys
import traceback

import click

from judges.core.errors import ConfigError, ScaffoldError
from judges.core.verdict import ExitCode
from scaffold.cli import cli


def main() -> None:
    """Run the command line and exit."""
    sys.exit(run(sys.argv[1:]))


def run(args: list[str]) -> int:
    """Run the command line with these arguments and return the exit code. Nothing is raised."""
    try:
        result = cli.main(args, prog_name="scaffold", standalone_mode=False)
        sys.stdout.flush()
        return int(result or ExitCode.PASSED)
    except Exception as error:  # noqa: BLE001  (the one place that turns any error into an exit code)
        return _explain(error, debug="--debug" in args or bool(os.environ.get("SCAFFOLD_DEBUG")))
    except KeyboardInterrupt:
        click.echo("\nInterrupted.", err=True)
        return ExitCode.INTERRUPTED


def _explain(error: Exception, *, debug: bool) -> int:
    if debug:
        traceback.print_exception(error)
    match error:
        case click.exceptions.Exit():
            return error.exit_code
        case click.Abort():
            click.echo("\nInterrupted.", err=True)
            return ExitCode.INTERRUPTED
        case click.ClickException():
            error.show()
            return ExitCode.USAGE
        case ConfigError():
            for problem in error.problems:
                click.echo(f"Error: {problem}", err=True)
            return ExitCode.USAGE
        case ScaffoldError():
            click.echo(f"Error: {error}", err=True)
            return ExitCode.UNMEASURED
        case BrokenPipeError():
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return ExitCode.PASSED
        case OSError():
            place = f"{error.filename}: " if error.filename else ""
            click.echo(f"Error: {place}{error.strerror or error}", err=True)
            return ExitCode.UNMEASURED
        case _:
            click.echo(
                f"Internal error: {type(error).__name__}: {error}\n"
                "This is a defect of scaffold, not of your files. Run the command again with --debug "
                "and report what it prints.",
                err=True,
            )
            return ExitCode.INTERNAL


if __name__ == "__main__":
    main()
