"""Fills a cookiecutter template. Hooks never run, and no settings of the user are read or written."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from judges.core.errors import ConfigError, Problem, ScaffoldError

_FILTERS = "scaffold.generate.filters.YamlFilter"


def find_template(name: str) -> Path:
    """Return the folder of a built-in template: beside the package when installed, else in the repository.

    Raises:
        ScaffoldError: it is in neither place.
    """
    package = Path(__file__).parents[1]
    places = (package / "templates" / name, package.parent / "templates" / name)
    found = next((place for place in places if place.is_dir()), None)
    if found is None:
        raise ScaffoldError(
            f"the template '{name}' is missing from this installation; install the package again"
        )
    return found


def render_template(template: Path, values: Mapping[str, Any], into: Path) -> Path:
    """Fill the template with these values (`cookiecutter.KEY`) and return the folder it made below `into`.

    Further variables take their defaults from the template's own `cookiecutter.json`; these may use
    `cookiecutter.prompt_name`. Values are never rendered as templates themselves.

    Raises:
        ConfigError: the template is broken.
        OSError: the files cannot be written.
    """
    from cookiecutter.exceptions import CookiecutterException
    from cookiecutter.generate import generate_files
    from cookiecutter.prompt import prompt_for_config
    from jinja2 import TemplateError

    defaults = _read_defaults(template)
    name = {"prompt_name": values["prompt_name"]}  # comes first: later defaults may be made of it
    try:
        extensions = [_FILTERS, *defaults.get("_extensions", [])]
        asked = {**name, **defaults, **name, "_extensions": extensions}
        own = prompt_for_config({"cookiecutter": asked}, no_input=True)
        folder = generate_files(template, {"cookiecutter": {**own, **values}}, into, accept_hooks=False)
    except (
        CookiecutterException,
        TemplateError,
        ArithmeticError,
        LookupError,
        TypeError,
        ValueError,
    ) as error:
        raise ConfigError([Problem(_explain(error), file=str(template), hint="mend the template")]) from error
    return Path(folder)


def _read_defaults(template: Path) -> dict[str, Any]:
    file = template / "cookiecutter.json"
    try:
        defaults = json.loads(file.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        problem = Problem(
            "not found", file=str(file), hint="--template wants the folder of a cookiecutter template"
        )
        raise ConfigError([problem]) from None
    except ValueError as error:
        raise ConfigError([Problem(f"is not JSON: {error}", file=str(file))]) from error
    if not isinstance(defaults, dict):
        raise ConfigError([Problem("must hold a JSON object of variables and defaults", file=str(file))])
    return defaults


def _explain(error: Exception) -> str:
    """Cookiecutter's own text of an undefined variable repeats every value; the two parts here say it all."""
    from cookiecutter.exceptions import NonTemplatedInputDirException, UndefinedVariableInTemplate
    from jinja2 import TemplateSyntaxError

    match error:
        case NonTemplatedInputDirException():
            return "has no folder named '{{ cookiecutter.prompt_name }}' with the files to generate"
        case UndefinedVariableInTemplate():
            return f"{error.message}: {error.error.message}"
        case TemplateSyntaxError():
            return f"{error.name or 'a file name'}, line {error.lineno}: {error.message}"
        case _:
            return f"{type(error).__name__}: {error}"
