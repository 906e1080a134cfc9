"""Words in a rubric, or in the author's context for the judge, that spoil its answers."""

import re
from collections.abc import Iterator, Sequence
from typing import TypeGuard

_PATTERNS = {
    "names a threshold: the judge should not know what is at stake": (
        r"\bthresholds?\b",
        r"\b(?:pass(?:ing)?|minimum|required|cut-?off) (?:score|mark|grade)\b",
        r"\bscores? (?:of )?(?:at least|below|above|under|over|less than|more than|[<>]=?) ?\d",
        r"\bto pass\b(?=.{0,20}\b(?:score|level|needs?|must)\b)",
    ),
    "leads the judge: it should say what the levels mean, not how to be disposed": (
        r"\bbe (?:very |extremely |more )?(?:strict|lenient|generous|harsh|tough|kind)\b",
        r"\bbenefit of the doubt\b",
        r"\b(?:when|if) in doubt,? (?:give|choose|pick|score|rate|prefer)\b",
        r"\b(?:should|must|will) (?:usually |always )?(?:get|receive|score|be (?:given|scored|rated)) "
        r"(?:an? )?(?:high|low|\d)",
        r"\bmost (?:outputs|answers|replies|responses) (?:are|deserve|should)\b",
    ),
    "asks for a total: the scores are added up outside": (
        r"\b(?:total|overall|final|average|weighted|combined) (?:score|grade|rating|mark)\b",
        r"\b(?:sum|add|average) (?:up )?(?:the|all|these) (?:scores|points|criteria|levels)\b",
    ),
    "asks for a format: the reply's format is settled elsewhere": (
        r"(?:^|[.!:;]\s+)(?:please )?(?:output|respond|reply|answer|return|print)\s+"
        r"(?:only |just |strictly )?(?:with |in |as |using )?(?:an? |the )?(?:single |valid |strict )*"
        r"(?:json|yaml|xml|number|digit|integer|yes\b|no\b|true\b|false\b|pass\b|fail\b)",
        r"\bin (?:the following|this) (?:json )?format\b",
    ),
}
_COMPILED = {
    words: re.compile("|".join(patterns), re.IGNORECASE | re.MULTILINE)
    for words, patterns in _PATTERNS.items()
}
_PLACEHOLDER = re.compile(r"\s*\{[^{}\"\n]+\}\s*")


def find_words(text: str) -> Iterator[str]:
    """Yield what is wrong with a text for the judge, each with the words that show it."""
    for words, pattern in _COMPILED.items():
        match = pattern.search(text)
        if match:
            yield f"{words} ('{match[0].strip('.!:; ' + chr(10))}')"


def is_placeholder(value: object) -> TypeGuard[str]:
    """Tell whether a value is nothing but a placeholder of a template, such as `{descriptive name}`."""
    return isinstance(value, str) and bool(_PLACEHOLDER.fullmatch(value))


def name_levels(levels: Sequence[str]) -> str:
    """Return levels in words: `level 4`, or `levels 2, 3 and 4`."""
    *most, last = levels
    return f"levels {', '.join(most)} and {last}" if most else f"level {last}"
