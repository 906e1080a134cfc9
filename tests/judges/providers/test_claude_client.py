"""Finding the client, how it is logged in, and who judges when a `claude-*` model is named."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from judges.core.errors import ConfigError
from judges.core.session import Isolation
from judges.providers.claude.client import find_client
from judges.providers.claude.login import ClaudeStatus, Login, check_login, claude_status
from judges.providers.claude.resolve import resolve_judge_model

Install: TypeAlias = Callable[[str], Path]

LOGGED_IN = 'test "$1" = --version && echo "2.1.332 (Claude Code)" || echo \'{"loggedIn": true}\''
NOT_LOGGED_IN = LOGGED_IN.replace("true", "false") + "; test $1 = --version"  # it fails where it says no
OLD = 'test "$1" = --version && echo "1.0.0 (Claude Code)" || { echo "unknown command" >&2; exit 1; }'


@pytest.fixture
def install(tmp_path: Path) -> Install:
    """Install a client that is this shell script, and return the folder that it is in."""

    def write(script: str) -> Path:
        folder = tmp_path / "bin"
        folder.mkdir()
        (folder / "claude").write_text(f"#!/bin/sh\n{script}\n")
        (folder / "claude").chmod(0o755)
        return folder

    return write


def test_on_path(install: Install) -> None:
    """The program `claude`, with its version and the environment."""
    environ = {"PATH": str(install(LOGGED_IN))}
    client = find_client(environ)
    assert (client.path, client.version, client.environ) == (
        Path(environ["PATH"]) / "claude",
        "2.1.332",
        environ,
    )


def test_by_the_variable(install: Install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SCAFFOLD_CLAUDE goes before PATH, and may be relative."""
    install(LOGGED_IN)
    monkeypatch.chdir(tmp_path)
    assert find_client({"SCAFFOLD_CLAUDE": "bin/claude", "PATH": "/none"}).path == tmp_path / "bin" / "claude"


def test_no_client(tmp_path: Path) -> None:
    """The error says how to install it."""
    with pytest.raises(ConfigError) as caught:
        find_client({"PATH": str(tmp_path)})
    assert str(caught.value) == (
        "there is no program `claude` on PATH (install it with: npm install --global "
        "@anthropic-ai/claude-code, or set SCAFFOLD_CLAUDE to its path)"
    )


@pytest.mark.parametrize("name", ["none", "folder", "text"])
def test_a_variable_that_names_no_program(tmp_path: Path, name: str) -> None:
    """What is not there, or cannot be run, is named."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "text").touch()
    with pytest.raises(ConfigError, match=rf"SCAFFOLD_CLAUDE is not the path of a program: '.*/{name}'"):
        find_client({"SCAFFOLD_CLAUDE": str(tmp_path / name), "PATH": "/usr/bin:/bin"})


@pytest.mark.parametrize("script", ["exit 1", "true", "sleep 60"], ids=["fails", "says nothing", "hangs"])
def test_a_program_that_is_no_client(install: Install, script: str) -> None:
    """A program that does not tell its version is not used."""
    with pytest.raises(ConfigError, match="cannot be used: `claude --version` fails, or says nothing"):
        find_client({"PATH": f"{install(script)}:/usr/bin:/bin"}, seconds=0.5)


STATUSES = {
    "a key": (LOGGED_IN, {"ANTHROPIC_API_KEY": "k"}, Login.KEY, True),
    "a gateway's token": (LOGGED_IN, {"ANTHROPIC_AUTH_TOKEN": "t"}, Login.KEY, True),
    "a token": (LOGGED_IN, {"CLAUDE_CODE_OAUTH_TOKEN": "t"}, Login.TOKEN, True),
    "its own login": (LOGGED_IN, {}, Login.OWN, True),
    "an empty key": (NOT_LOGGED_IN, {"ANTHROPIC_API_KEY": " "}, Login.NONE, False),
    "none": (NOT_LOGGED_IN, {}, Login.NONE, False),
    "an old version": (OLD, {}, Login.UNKNOWN, False),
}


@pytest.mark.parametrize(("script", "variables", "login", "usable"), STATUSES.values(), ids=list(STATUSES))
def test_login(install: Install, script: str, variables: dict[str, str], login: Login, usable: bool) -> None:
    """A key or a token counts; else the client is asked."""
    status = claude_status({"PATH": f"{install(script)}:/usr/bin:/bin", **variables})
    assert (status.login, status.usable) == (login, usable)


def test_login_without_a_client() -> None:
    """A key alone is of no use."""
    assert claude_status({"PATH": "/none"}) == ClaudeStatus(None, None, Login.NONE)
    status = claude_status({"PATH": "/none", "ANTHROPIC_API_KEY": "k"})
    assert (status.login, status.usable) == (Login.KEY, False)


def test_the_user_is_asked_as_the_user(install: Install, tmp_path: Path) -> None:
    """The login is that of the user's own home; the version is asked for in another one."""
    script = f'echo "$1 $HOME" >> {tmp_path}/said; {LOGGED_IN}'
    claude_status({"PATH": f"{install(script)}:/usr/bin:/bin", "HOME": "/home/jane"})
    version, login = ((tmp_path / "said").read_text()).splitlines()
    assert version.startswith("--version /")
    assert "jane" not in version
    assert login == "auth /home/jane"


@pytest.mark.parametrize("isolation", [Isolation.SEALED, Isolation.PROJECT])
def test_no_session_without_a_login(isolation: Isolation) -> None:
    """Before the first run: what is needed, and what else can be done."""
    with pytest.raises(ConfigError) as caught:
        check_login({"ANTHROPIC_API_KEY": ""}, isolation)
    assert str(caught.value) == (
        f"a session with isolation: {isolation} needs a key or a token, and neither is set "
        "(set ANTHROPIC_API_KEY or CLAUDE_CODE_OAUTH_TOKEN, or take the login of your own claude "
        "with isolation: host)"
    )
    check_login({}, Isolation.HOST)
    check_login({"ANTHROPIC_API_KEY": "k"}, isolation)
    check_login({"CLAUDE_CODE_OAUTH_TOKEN": "t"}, isolation)


RESOLVED = {
    "logged in": ("claude-haiku-4-5", LOGGED_IN, {}, "claude-cli:claude-haiku-4-5"),
    "a token": ("claude-haiku-4-5", OLD, {"CLAUDE_CODE_OAUTH_TOKEN": "t"}, "claude-cli:claude-haiku-4-5"),
    "a key": ("claude-haiku-4-5", LOGGED_IN, {"ANTHROPIC_API_KEY": "k"}, "claude-haiku-4-5"),
    "a server": ("claude-haiku-4-5", LOGGED_IN, {"ANTHROPIC_BASE_URL": "http://x"}, "claude-haiku-4-5"),
    "not logged in": ("claude-haiku-4-5", NOT_LOGGED_IN, {}, "claude-haiku-4-5"),
    "nobody knows": ("claude-haiku-4-5", OLD, {}, "claude-haiku-4-5"),
    "the API by name": ("anthropic:claude-haiku-4-5", LOGGED_IN, {}, "anthropic:claude-haiku-4-5"),
    "the client by name": ("claude-cli:claude-haiku-4-5", NOT_LOGGED_IN, {}, "claude-cli:claude-haiku-4-5"),
    "another vendor": ("gpt-4o", LOGGED_IN, {}, "gpt-4o"),
}  # fmt: skip


@pytest.mark.parametrize(("name", "script", "variables", "resolved"), RESOLVED.values(), ids=list(RESOLVED))
def test_who_judges(
    install: Install, name: str, script: str, variables: dict[str, str], resolved: str
) -> None:
    """The client stands in for the API only where the API has no key, and the client has a login."""
    assert resolve_judge_model(name, {"PATH": f"{install(script)}:/usr/bin:/bin", **variables}) == resolved


def test_a_judge_without_a_provider() -> None:
    """A name that cannot be understood is refused, as it is everywhere."""
    with pytest.raises(ConfigError, match="names no provider"):
        resolve_judge_model("llama3", {})
