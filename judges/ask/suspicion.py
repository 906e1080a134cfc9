"""What in the evidence looks as if it were aimed at the judge. It gives notices, never a verdict."""

import re
import unicodedata
from collections.abc import Mapping

from judges.core.question import Answer, Evidence, Unanswered

_LOOK_ALIKES = (
    (re.compile(r"</?field-[0-9a-f]{4,}", re.IGNORECASE), "a mark like the ones around evidence"),
    (re.compile(r'"answer"\s*:|"verdict"\s*:|"reasoning"\s*:', re.IGNORECASE), "text like a judge's reply"),
)
_UNUSUAL = re.compile(r"[^\t\n\r\x20-\x7e\u00a1-\u00ac\u00ae-\u024f\u200d]")
"""All but plain and Latin letters, and the joiner of emoji, which on its own is no way to hide text."""


def suspicions(evidence: Evidence) -> tuple[str, ...]:
    """Return a sentence for each kind of suspicious text, in the order of the fields."""
    return tuple(
        f"the field {name} holds {what}" for name, text in evidence.fields.items() for what in _found(text)
    )


def unfounded_quotes(answers: Mapping[str, Answer | Unanswered], *outputs: str) -> tuple[str, ...]:
    """Return a sentence for each answer that quotes what no output holds, white space aside."""
    quoting = {
        name: answer.quotes
        for name, answer in answers.items()
        if isinstance(answer, Answer) and answer.quotes
    }
    plain = [" ".join(output.split()) for output in outputs if quoting]
    return tuple(
        f"{name}: the judge quoted text that is not in the output"
        for name, quotes in quoting.items()
        if any(all(" ".join(quote.split()) not in each for each in plain) for quote in quotes)
    )


def _unusual(text: str) -> set[str]:
    """Return the letters that are not usual. Most texts are quickly told to have none."""
    if text.isascii() and text.replace("\n", "").replace("\t", "").replace("\r", "").isprintable():
        return set()
    return set(_UNUSUAL.findall(text))


def _found(text: str) -> list[str]:
    found = []
    hidden = {unicodedata.category(char) for char in _unusual(text)}
    if "Cf" in hidden:
        found.append("invisible characters")
    if hidden & {"Cc", "Cs", "Co"}:
        found.append("control characters")
    return found + [what for pattern, what in _LOOK_ALIKES if pattern.search(text)]
