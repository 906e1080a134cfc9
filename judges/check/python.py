"""Checks that are Python functions of the suite's author: `python:FILE:function`.

The function gets `output`, `input` and `json` (None where the output is not JSON) and returns True, False, or
a message that says what is wrong. It is trusted code: it runs in this process, without a sandbox or a time
limit, and in several threads at once. The file is run once for each check that names it.
"""

import inspect
import runpy
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

from judges.check.context import Assertion, CheckContext
from judges.check.wording import describe
from judges.core.errors import ConfigError, Problem, RunError
from judges.core.row import excerpt
from judges.files.project import resolve
from judges.files.text import display_path

PREFIX = "python:"


def load_check(rule: str, test_root: Path, root: Path, *, allow_outside: bool = False) -> Assertion:
    """Return the assertion of the function that `python:FILE:function` names; FILE starts at `test_root`.

    Raises:
        ConfigError: the file leaves the project root, cannot be run, or has no such function.
    """
    named = split_rule(rule)
    if named is None:
        raise ConfigError([Problem(f"found '{rule}', expected python:FILE:function")])
    name, function_name = named
    path = resolve(name, test_root, root, allow_outside=allow_outside)
    function = _load_function(path, function_name)

    def check(context: CheckContext) -> str | None:
        result = _call(function, context)
        if isinstance(result, bool):
            return None if result else f"{rule} returned False; {describe(context.output)}"
        if isinstance(result, str) and result.strip():
            return excerpt(" ".join(result.split()))
        raise RunError(f"{rule} must return True, False or a message; it returned {_kind(result)}")

    return check


def split_rule(rule: str) -> tuple[str, str] | None:
    """Return the file and the function that a rule names; None where it is not `python:FILE:function`."""
    prefix, _, rest = rule.strip().partition(":")
    name, _, function_name = rest.rpartition(":")
    usable = f"{prefix}:" == PREFIX and name and function_name.isidentifier()
    return (name, function_name) if usable else None


def _load_function(path: Path, name: str) -> Callable[..., Any]:
    if not path.is_file():
        raise ConfigError([Problem(f"{display_path(path)} does not exist", hint="check the path")])
    try:
        namespace = runpy.run_path(str(path), run_name="deterministic_check")
    except (Exception, SystemExit) as error:  # noqa: BLE001  (an author's file can raise anything)
        raise ConfigError([Problem(f"{display_path(path)} cannot be run: {_words(error)}")]) from None
    function: Callable[..., Any] | None = namespace.get(name)
    if not callable(function):
        functions = [key for key, value in namespace.items() if inspect.isfunction(value)]
        hint = f"it has {', '.join(functions)}" if functions else "it has no function at all"
        raise ConfigError([Problem(f"{display_path(path)} has no function '{name}'", hint=hint)])
    try:
        inspect.signature(function).bind("", {}, None)
    except TypeError:
        hint = f"write def {name}(output, input, json)"
        raise ConfigError([Problem(f"'{name}' does not take output, input, json", hint=hint)]) from None
    return function


def _call(function: Callable[..., Any], context: CheckContext) -> Any:
    try:
        parsed = context.json
    except ValueError:
        parsed = None
    try:
        return function(context.output, deepcopy(dict(context.input)), parsed)
    except (Exception, SystemExit) as error:  # noqa: BLE001  (and so can a function)
        raise RunError(f"{function.__name__} raised {_words(error)}") from None


def _kind(result: Any) -> str:
    if isinstance(result, str):
        return "an empty message"
    return "None" if result is None else f"a value of type {type(result).__name__}"


def _words(error: BaseException) -> str:
    return excerpt(f"{type(error).__name__}: {error}".removesuffix(": "))
