"""Secrets out of texts: what a runner says of itself is kept and shown, the keys it was given are not."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from judges.core.secret import secret_forms

Mask: TypeAlias = Callable[[str], str]

_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSW|CREDENTIAL", re.IGNORECASE)
_SHORTEST_OF_FILE = 4
_SHORTEST_OF_ENVIRONMENT = 8
_SHORTEST_CUT = 8  # of less, the start of a secret is no secret


def build_mask(config: Mapping[str, str], environ: Mapping[str, str]) -> Mask:
    """Return what puts `[NAME]` for each value of the `.env` file, and of variables named as secrets.

    Values too short to be secrets stay, or every `1` and `on` would go. Of a value with several lines each
    line counts. Where a text is cut within a secret, with an ellipsis, what is left of it goes, too.
    """
    names = {
        **dict(_secrets(environ, _SECRET_NAME, _SHORTEST_OF_ENVIRONMENT)),
        **dict(_secrets(config, re.compile(""), _SHORTEST_OF_FILE)),
    }
    if not names:
        return str
    longest_first = sorted(names, key=len, reverse=True)
    pattern = re.compile("|".join([*map(re.escape, longest_first), *map(_cut_form, longest_first)]))
    starts = {form[:_SHORTEST_CUT]: names[form] for form in longest_first}

    def name(found: re.Match[str]) -> str:
        return f"[{names.get(found[0]) or starts[found[0][:_SHORTEST_CUT]]}]"

    return lambda text: pattern.sub(name, text)


def _cut_form(form: str) -> str:
    """Return what matches the start of a secret in a text that was cut within it."""
    rest = max(len(form) - _SHORTEST_CUT, 0)
    return f"{re.escape(form[:_SHORTEST_CUT])}[^…]{{0,{rest}}}(?=…)"


def _secrets(
    variables: Mapping[str, str], names: re.Pattern[str], shortest: int
) -> Iterator[tuple[str, str]]:
    for name, value in variables.items():
        if names.search(name):
            lines = (line.strip() for line in value.splitlines())
            yield from (
                (form, name) for line in lines if len(line) >= shortest for form in secret_forms(line)
            )
