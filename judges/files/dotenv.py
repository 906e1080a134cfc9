"""A `.env` file: variables for the programs and endpoints of one suite. Its values are secrets."""

import io
from collections.abc import Mapping
from pathlib import Path

from judges.core.errors import ConfigError, Problem
from judges.files.text import display_path, read_text


def read_env(path: Path, environ: Mapping[str, str]) -> dict[str, str]:
    """Return the variables of a file; `${NAME}` stands for an earlier one of them, or one of the environment.

    Raises:
        ConfigError: the file cannot be read, or has lines that set nothing; no message shows a line's text.
    """
    from dotenv.parser import parse_stream
    from dotenv.variables import parse_variables

    bindings = list(parse_stream(io.StringIO(read_text(path))))
    if wrong := [binding.original for binding in bindings if binding.error]:
        hint = "write NAME=value, and close every quote"
        file = display_path(path)
        lines = (each.line + _blank_lines(each.string) for each in wrong)
        raise ConfigError(Problem("the line sets no variable", file, line, 1, hint=hint) for line in lines)
    values: dict[str, str] = {}
    for binding in bindings:
        if binding.key is not None and binding.value is not None:
            known = {**environ, **values}
            values[binding.key] = "".join(atom.resolve(known) for atom in parse_variables(binding.value))
    return values


def read_config(path: Path | None, environ: Mapping[str, str]) -> dict[str, str]:
    """Return the variables of a suite's `config:`; none where there is no such file.

    Raises:
        ConfigError: the file cannot be used.
    """
    return {} if path is None or not path.exists() else read_env(path, environ)


def merge_env(environ: Mapping[str, str], config: Mapping[str, str]) -> dict[str, str]:
    """Return the environment, and from the file what is not set there, or set to nothing.

    CI sets a secret that it does not have to nothing.
    """
    return {**environ, **{name: value for name, value in config.items() if not environ.get(name)}}


def _blank_lines(text: str) -> int:
    return text[: len(text) - len(text.lstrip())].count("\n")
