"""Parameters of a command that are asked for on a terminal where the command line leaves them out."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from judges.core.errors import ConfigError

F = TypeVar("F", bound=Callable[..., Any])


def template_options(command: F) -> F:
    """Give a command that fills a template the options `--template` and `--no-input`."""
    command = click.option(
        "--no-input", is_flag=True, is_eager=True, help="Ask nothing: what is missing takes its default."
    )(command)
    return click.option(
        "--template",
        type=click.Path(exists=True, file_okay=False, path_type=Path),
        help="A folder with your own cookiecutter template. Its hooks are not run.",
    )(command)


def asked(
    question: str, default: str | None, check: Callable[[str], Any], *, example: str = ""
) -> Callable[..., Any]:
    """Return the callback of a parameter that is asked for on a terminal, and else has its default.

    The command has an eager flag `--no-input`. `check` makes the value of a text, or raises ConfigError. What
    has no default must be given: `example` is a command line that does.
    """

    def attempt(answer: str) -> Any:
        try:
            return check(answer)
        except ConfigError as error:
            raise click.BadParameter(str(error)) from None

    def callback(context: click.Context, parameter: click.Parameter, value: Any) -> Any:
        if value not in (None, ()):
            return check(value if isinstance(value, str) else " ".join(value))
        if not context.params["no_input"] and sys.stdin.isatty():
            return click.prompt(question, default=default, value_proc=attempt, show_default=bool(default))
        if default is None:
            name = parameter.make_metavar(context).strip("[]")
            raise click.UsageError(f"Missing argument '{name}', such as: {example}", context)
        return check(default)

    return callback


def check_model(text: str) -> str:
    """Return the name of a model that is called by it, as `scaffold validate` and a run take it.

    Raises:
        ConfigError: it is empty, or says not whose model it is.
    """
    from judges.providers.connect import parse_model

    parse_model(check_own_name(text))
    return text.strip()


def check_own_name(text: str) -> str:
    """Return the name of a model that a program, or a client, is only told.

    Raises:
        ConfigError: it is empty.
    """
    if not text.strip():
        raise ConfigError("model: the name must not be empty; give one such as gpt-4o")
    return text.strip()


def check_number(name: str, low: int, high: int) -> Callable[[str], int]:
    """Return the check of a whole number in a range."""

    def check(text: str) -> int:
        if not (text.isascii() and text.isdecimal() and low <= int(text) <= high):
            raise ConfigError(f"{name}: expected a whole number from {low} to {high}, found {text!r}")
        return int(text)

    return check
