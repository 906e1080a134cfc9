"""Text of models and files made safe to print: it cannot move the cursor, colour or reorder a line."""

import re
import unicodedata

_UNSAFE = {
    "Cc",
    "Cf",
    "Cs",
    "Zl",
    "Zp",
}  # controls, invisible formats such as bidi marks, surrogates, separators
_JOINERS = "\u200c\u200d"  # Persian words and composed emoji need them; they move nothing
_BLANKS = re.compile(r"\s+")


def printable(text: str) -> str:
    """Return the text on one line: blanks run together, everything unsafe shown as an escape."""
    return printable_lines(_BLANKS.sub(" ", text).strip())


def printable_lines(text: str) -> str:
    """Return the text with its line ends kept, tabs as four blanks, everything unsafe shown as an escape."""
    if text.isprintable():
        return text
    text = text.replace("\r\n", "\n").replace("\t", "    ")
    return "".join(map(_safe, text))


def _safe(char: str) -> str:
    if char.isprintable() or char == "\n" or char in _JOINERS or unicodedata.category(char) not in _UNSAFE:
        return char
    return char.encode("unicode_escape").decode("ascii")
