"""Outputs and values as they are shown in the sentences of a check: one line, nothing invisible."""

import json
from typing import Any

from judges.core.row import excerpt

_SHOWN = 80


def printable(text: str) -> str:
    """Return the text with control, invisible and unpaired characters written as escapes."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def quoted(value: Any) -> str:
    """Return the start of a value as it is written in JSON."""
    if isinstance(value, str):
        return printable(json.dumps(excerpt(value, _SHOWN), ensure_ascii=False))
    return printable(excerpt(json.dumps(value, ensure_ascii=False, default=str), _SHOWN))


def describe(output: str) -> str:
    """Return what an output is, as a clause: its length in characters and its start."""
    if not output:
        return "the output is empty"
    return f"the output ({characters(len(output))}) is {quoted(output)}"


def characters(count: int) -> str:
    """Return a number of characters in words."""
    return f"{count:,} character{'' if count == 1 else 's'}"
