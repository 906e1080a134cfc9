"""The process around the command line: every outcome becomes an exit code and one clear sentence."""

import os
import sys
import traceback
from collections.abc import Callable
from typing import Any

import click

from judges.core.errors import ConfigError, ScaffoldError
from judges.core.verdict import ExitCode
from scaffold.cli import cli

OUTPUT = "standard output"


def run(args: list[str]) -> int:
    """Run the command line and return the exit code. Only KeyboardInterrupt is raised."""
    debug = "--debug" in args or bool(os.environ.get("SCAFFOLD_DEBUG"))
    try:
        code = cli.main(args, prog_name="scaffold", standalone_mode=False) or ExitCode.PASSED
    except SystemExit as end:  # click's answer to a shell that completes, or, with another code than 0, when
        # the reader of our output has gone: then the verdict is not known
        code = ExitCode.PASSED if end.code == 0 else ExitCode.UNMEASURED
    except Exception as error:  # noqa: BLE001  (the one place that turns any error into an exit code)
        code = _explain(error, debug=debug)
    failure = _flush()
    told = code != ExitCode.PASSED or isinstance(failure, BrokenPipeError)
    return code if failure is None or told else _explain(failure, debug=debug)


def _flush() -> OSError | None:
    """Write what is left of the output; return what came in the way."""
    try:
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python tries again, and complains
        error.filename = OUTPUT
        return error
    return None


def _explain(error: Exception, *, debug: bool) -> int:
    if debug:
        traceback.print_exception(error)
    if isinstance(error, click.ClickException):
        error.show()
        return ExitCode.USAGE
    from judges.out.printable import printable_lines, shield

    code, words = next(outcome for kind, outcome in _OUTCOMES.items() if isinstance(error, kind))
    click.echo(shield(printable_lines(words(error))), err=True)
    return code


def _config_words(error: Any) -> str:
    return "\n".join(f"Error: {problem}" for problem in error.problems)


def _system_words(error: Any) -> str:
    name = error.filename or (OUTPUT if _is_of_echo(error) else None)
    place = f"{name}: " if name else ""
    return "\n".join([f"Error: {place}{error.strerror or error}", *getattr(error, "__notes__", ())])


def _is_of_echo(error: BaseException) -> bool:
    """Whether an error came up where output is printed: it does not say so itself."""
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    return place is not None and place.tb_frame.f_code is click.echo.__code__


def _internal_words(error: Exception) -> str:
    return (
        f"Internal error: {type(error).__name__}: {error}\n"
        "This is a defect of scaffold, not of your files. Run the command again as 'scaffold --debug …' "
        "and report what it prints."
    )


_OUTCOMES: dict[type[Exception], tuple[ExitCode, Callable[[Any], str]]] = {
    click.Abort: (ExitCode.INTERRUPTED, lambda _: "Interrupted."),
    ConfigError: (ExitCode.USAGE, _config_words),
    ScaffoldError: (ExitCode.UNMEASURED, lambda error: f"Error: {error}"),
    OSError: (ExitCode.UNMEASURED, _system_words),
    Exception: (ExitCode.INTERNAL, _internal_words),
}
"""What becomes of each kind of error; the first that fits counts."""
