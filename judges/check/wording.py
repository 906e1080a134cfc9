"""Texts as they are shown in the sentences of a check: short, and on one line."""

import json

from judges.core.row import excerpt

_SHOWN = 80


def quoted(text: str) -> str:
    """Return the start of a text, in quotes, with its line ends and controls as escapes."""
    return json.dumps(excerpt(text, _SHOWN), ensure_ascii=False)


def describe(output: str) -> str:
    """Return what an output is, as a clause: its length in characters and its start."""
    if not output:
        return "the output is empty"
    return f"the output ({characters(len(output))}) is {quoted(output)}"


def characters(count: int) -> str:
    """Return a number of characters in words."""
    return f"{count:,} character{'' if count == 1 else 's'}"
