"""What a suite may be called: a name that is one safe folder name on every system."""

import re

from judges.core.errors import ConfigError, Problem

MAX_LENGTH = 100
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
_DEVICES = frozenset(
    ["con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(1, 10))]
)


def check_name(name: str) -> str:
    """Return the name.

    Raises:
        ConfigError: it is no plain folder name; the message suggests one that is.
    """
    if not _NAME.fullmatch(name):
        complaint = (
            "may hold only letters (a to z), digits, '-' and '_', and must start with a letter or digit"
        )
    elif len(name) > MAX_LENGTH:
        complaint = f"has {len(name)} characters; at most {MAX_LENGTH} are allowed"
    elif name.lower() in _DEVICES:
        complaint = "is the name of a device on Windows"
    else:
        return name
    raise ConfigError([Problem(f"the name {_shown(name)} {complaint}", hint=f"try: {suggest_name(name)}")])


def suggest_name(text: str) -> str:
    """Return an allowed name that is close to the text."""
    from slugify import slugify

    slug = slugify(text, regex_pattern=r"[^a-z0-9_]+")[:MAX_LENGTH].strip("-_")
    return f"{slug}-prompt" if slug in _DEVICES else slug or "my-prompt"


def _shown(name: str) -> str:
    return repr(name if len(name) <= MAX_LENGTH else f"{name[:60]}…")
