"""The `yaml` filter of the templates: any value as YAML that reads back as the same value."""

import math
import re
from typing import Any

import yaml
from jinja2 import Environment, Undefined
from jinja2.ext import Extension

_AMBIGUOUS = re.compile("^[-+.0-9]|[\n\r\x85\u2028\u2029]")  # to YAML 1.1 or 1.2, or over several lines


class _Dumper(yaml.SafeDumper):
    def ignore_aliases(self, _: Any) -> bool:
        return True


def _represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar(
        "tag:yaml.org,2002:str", text, style='"' if _AMBIGUOUS.search(text) else None
    )


_Dumper.add_representer(str, _represent_text)


def render_yaml(value: Any) -> str:
    """Return the value on one line, its texts quoted only where they must be.

    Raises:
        UndefinedError: it is a variable that the template was not given.
    """
    if isinstance(value, Undefined):
        str(value)  # says which
    text = yaml.dump(
        value, Dumper=_Dumper, allow_unicode=True, default_flow_style=True, sort_keys=False, width=math.inf
    )
    return text.removesuffix("\n").removesuffix("\n...")


class YamlFilter(Extension):
    """Adds `yaml` to a template's filters."""

    def __init__(self, environment: Environment) -> None:
        super().__init__(environment)
        environment.filters["yaml"] = render_yaml
