"""The `claude` client: is it there, which version, is it logged in, what may outlive its sessions."""

from collections.abc import Iterator, Mapping

from judges.core.errors import ConfigError
from judges.core.session import Isolation
from judges.providers.claude.client import find_client
from judges.providers.claude.login import Login, check_login, claude_status, given_login
from judges.providers.claude.reply import LOG_IN
from judges.providers.process.tree import describe_survivors
from scaffold.doctor.finding import Finding, Status
from scaffold.doctor.tools import SECTION

NAME = "claude"
PURPOSE = "fixtures and claude-cli: models"
_LOGINS = {
    Login.KEY: "logged in by a key",
    Login.TOKEN: "logged in by a token",
    Login.OWN: "logged in by itself, for isolation: host and claude-cli: models; all else takes a key",
    Login.NONE: "not logged in",
    Login.UNKNOWN: "it does not tell whether it is logged in",
    None: "no key is set, and it was not asked whether it is logged in",
}


def examine_claude(
    sessions: Mapping[Isolation, str], needed: str | None, environ: Mapping[str, str], *, offline: bool
) -> Iterator[Finding]:
    """Yield what is to be said of the client.

    `sessions` names a suite for each isolation that sessions are run with; `needed` is who else needs it. It
    is asked for its version in a home of its own; whether it is logged in only where no key is set, and not
    `offline`, as it may renew its login then.
    """
    needed = next(iter(sessions.values()), needed)
    try:
        client = find_client(environ)
    except ConfigError as error:
        problem = error.problems[0]
        status = Status.MISSING if needed else Status.NOTE
        who = f"{needed} needs it" if needed else f"nothing here needs it (it is for {PURPOSE})"
        yield Finding(SECTION, NAME, status, f"{problem.message}; {who}", problem.hint)
        return
    login = given_login(environ) if offline else claude_status(environ).login
    said = f"{client.version} (for {PURPOSE}); {_LOGINS[login]}"
    if login is Login.NONE:
        yield Finding(SECTION, NAME, Status.MISSING if needed else Status.NOTE, said, LOG_IN)
    else:
        yield Finding(SECTION, NAME, Status.OK, said)
        yield from _shut_out(sessions, environ)
    if needed and (survivors := describe_survivors()):
        yield Finding(SECTION, NAME, Status.NOTE, survivors)


def _shut_out(sessions: Mapping[Isolation, str], environ: Mapping[str, str]) -> Iterator[Finding]:
    """Yield what keeps sessions from logging in, though the client may be logged in by itself."""
    for isolation, suite in sessions.items():
        try:
            check_login(environ, isolation)
        except ConfigError as error:
            problem = error.problems[0]
            yield Finding(SECTION, NAME, Status.MISSING, f"{problem.message}: {suite}", problem.hint)
