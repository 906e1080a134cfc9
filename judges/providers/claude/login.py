"""How the client gets at a model: by a key, by a token, or by a login of its own."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from tempfile import gettempdir

from judges.core.errors import ConfigError, Problem
from judges.core.session import Isolation
from judges.providers.claude.client import SECONDS, find_client
from judges.providers.process.run import run_briefly
from judges.providers.process.tree import Program

KEY, TOKEN = "ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN"
_KEYS = (KEY, "ANTHROPIC_AUTH_TOKEN")


class Login(StrEnum):
    """By what the client is let in. UNKNOWN: it does not tell, as an old version of it."""

    KEY = "key"
    TOKEN = "token"
    OWN = "own login"
    NONE = "none"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class ClaudeStatus:
    """The client on this machine: its path and version, if it is there, and how it is logged in."""

    path: Path | None
    version: str | None
    login: Login

    @property
    def usable(self) -> bool:
        """Whether it is there, and certainly logged in."""
        return self.path is not None and self.login in (Login.KEY, Login.TOKEN, Login.OWN)


def given_login(environ: Mapping[str, str]) -> Login | None:
    """Return what the environment lets the client in by; None where that is nothing."""
    if any(environ.get(name, "").strip() for name in _KEYS):
        return Login.KEY
    return Login.TOKEN if environ.get(TOKEN, "").strip() else None


def check_login(environ: Mapping[str, str], isolation: Isolation) -> None:
    """Refuse sessions that could not log in: to be called before the first one.

    Raises:
        ConfigError: there is neither a key nor a token, and the user's own login is shut out.
    """
    if isolation is not Isolation.HOST and given_login(environ) is None:
        message = f"a session with isolation: {isolation} needs a key or a token, and neither is set"
        hint = f"set {KEY} or {TOKEN}, or take the login of your own claude with isolation: host"
        raise ConfigError([Problem(message, hint=hint)])


def claude_status(environ: Mapping[str, str]) -> ClaudeStatus:
    """Look for the client and its login. Where no key and no token are set, the client itself is asked."""
    given = given_login(environ)
    try:
        client = find_client(environ)
    except ConfigError:
        return ClaudeStatus(None, None, given or Login.NONE)
    return ClaudeStatus(
        client.path, client.version, given or _ask_login(client.path, tuple(sorted(environ.items())))
    )


@lru_cache(maxsize=16)
def _ask_login(path: Path, variables: tuple[tuple[str, str], ...]) -> Login:
    program = Program(
        arguments=(str(path), "auth", "status", "--json"),
        folder=Path(gettempdir()),
        environ=dict(variables),
    )
    try:
        said = json.loads(run_briefly(program, seconds=SECONDS, codes=(0, 1)) or "")
        return Login.OWN if said["loggedIn"] else Login.NONE
    except (ValueError, KeyError, TypeError):
        return Login.UNKNOWN
