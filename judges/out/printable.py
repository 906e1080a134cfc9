"""Text of models and files made safe to print.

It cannot move the cursor, colour or reorder a line, or give commands to the CI runner that reads the log.
"""

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
_RUNNER_MARK = re.compile(r"#(?=#\[|#vso\[)")
_RUNNER_LINE = re.compile(r"^([^\S\n]*):(?=:)", re.MULTILINE)
_ESCAPED_COLON = "\\x3a"


def printable(text: str) -> str:
    """Return the text on one line: blanks run together, everything unsafe shown as an escape."""
    return printable_lines(_BLANKS.sub(" ", text).strip())


def printable_lines(text: str) -> str:
    """Return the text with its line ends kept, tabs as four blanks, everything unsafe shown as an escape."""
    text = _RUNNER_MARK.sub(r"\\x23", text)
    if text.isprintable():
        return text
    text = text.replace("\r\n", "\n").replace("\t", "    ")
    return "".join(map(_safe, text))


def shield(page: str) -> str:
    """Return a whole page, ready to be printed, so that no line of it is a command to GitHub's runner.

    That is a line with two colons after any blanks; `##[` anywhere is escaped with the text it stands in. The
    escape takes the place of blanks where there are any, since the page has been fitted to its width.
    """
    return _RUNNER_LINE.sub(lambda found: found[1][len(_ESCAPED_COLON) - 1 :] + _ESCAPED_COLON, page)


def _safe(char: str) -> str:
    if char.isprintable() or char == "\n" or char in _JOINERS or unicodedata.category(char) not in _UNSAFE:
        return char
    return char.encode("unicode_escape").decode("ascii")
