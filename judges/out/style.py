"""How a verdict may be coloured. Colour is the caller's: the engine's text has none of its own."""

from collections.abc import Callable
from typing import TypeAlias

from judges.core.verdict import Verdict

Style: TypeAlias = Callable[[str, Verdict], str]


def plain(text: str, verdict: Verdict) -> str:  # noqa: ARG001  (one of the style functions)
    """Return the text as it is."""
    return text
