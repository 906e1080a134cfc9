"""What a session sees of the machine: the client's environment, by the level of isolation."""

import os
from collections.abc import Mapping
from pathlib import Path

from judges.core.session import Isolation

MAX_RETRIES = "4"
"""How often the client asks the API again by itself; its own 10 take three minutes, and look like a hang."""
_QUIET = {
    "DISABLE_TELEMETRY": "1",
    "DISABLE_ERROR_REPORTING": "1",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
}
_PASSED = {
    *("PATH", "LANG", "LANGUAGE", "TERM", "TZ", "SHELL", "USER", "LOGNAME"),
    *("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"),
    *("http_proxy", "https_proxy", "all_proxy", "no_proxy"),
    *("NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR"),
    *("CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CODE_MAX_RETRIES"),
}
_PASSED_PREFIXES = ("ANTHROPIC_", "LC_")
_INHERITED = ("CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SSE_PORT")
"""What tells the client that it runs inside another session of itself."""


def build_environ(environ: Mapping[str, str], isolation: Isolation, scratch: Path) -> dict[str, str]:
    """Return the environment of a session whose own directories are in the folder `scratch`.

    The client's retries are capped unless the user has set CLAUDE_CODE_MAX_RETRIES, and it does not renew
    itself meanwhile.
    """
    common = {"DISABLE_AUTOUPDATER": "1", "CLAUDE_CODE_MAX_RETRIES": MAX_RETRIES}
    if isolation is Isolation.HOST:
        return common | {name: value for name, value in environ.items() if name not in _INHERITED}
    passed = {
        name: value for name, value in environ.items() if name in _PASSED or name.startswith(_PASSED_PREFIXES)
    }
    return common | _QUIET | passed | own_directories(scratch)


def own_directories(scratch: Path) -> dict[str, str]:
    """Return the variables that keep the client, and all that it starts, to directories of its own.

    With one TMPDIR for all, replicas could see each other.
    """
    home, temporary = str(scratch / "home"), str(scratch / "tmp")
    return {
        "HOME": home,
        "CLAUDE_CONFIG_DIR": f"{home}/.claude",
        "TMPDIR": temporary,
        "CLAUDE_CODE_TMPDIR": temporary,
    }


def allow_root(permission_mode: str, isolation: Isolation) -> dict[str, str]:
    """Return what makes the client accept bypassPermissions as root.

    It refuses that outside a sandbox. A session with directories of its own is run by root in a container,
    as CI does; on the host it is left to who runs it.
    """
    wanted = permission_mode == "bypassPermissions" and isolation is not Isolation.HOST
    return {"IS_SANDBOX": "1"} if wanted and os.geteuid() == 0 else {}
