"""What looks like personal data or a secret in the text of a log. It gives a remark, never an error."""

import re
from collections.abc import Iterator
from typing import Any

_PATTERNS = {
    "an e-mail address": r"[\w.+-]@(?!(?:[\w-]+\.)*(?:example|test|invalid)(?:\.(?:com|net|org))?\b)"
    r"[\w-]+(?:\.[\w-]+)+",
    "a social security number": r"\b\d{3}-\d{2}-\d{4}\b",
    "a card or account number": r"\b\d{4}(?:[ -]?\d{4}){2,}\b|(?<![\w.])\d{9,}(?![\w.])",
    "a phone number": r"(?<!\w)\+\d[\d ()/-]{6,}\d\b",
    "a key or password": r"\b(?:sk|pk|rk|ghp|gho|xox[abp])[-_][\w-]{12,}|\bAKIA[A-Z0-9]{12,}"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----",
}
_COMPILED = {what: re.compile(pattern) for what, pattern in _PATTERNS.items()}


def find_personal(value: Any) -> Iterator[str]:
    """Yield what kinds of personal data a value, or any text inside it, seems to hold. Each kind once."""
    texts = list(_texts(value))
    return (what for what, pattern in _COMPILED.items() if any(pattern.search(text) for text in texts))


def _texts(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for each in value.values():
                yield from _texts(each)
        case list():
            for each in value:
                yield from _texts(each)
        case int() if not isinstance(value, bool):
            yield str(value)
