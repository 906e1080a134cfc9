"""The real `claude` client for tests, in a clean environment: a fake key, a server of the test's own.

    def test_something(claude_stub: ClaudeStub, real_claude: RealClaude, tmp_path: Path) -> None:
        client = real_claude(claude_stub({"Say hello": [say("Hello.")]}))
        result = run_session(SessionSpec(body="Say hello", project=tmp_path), tmp_path, client, slots=Slots())

`real_claude(server)` also sets the environment variables of this process, so that `scaffold run` by the
fixture `cli`, or a provider that is connected with `os.environ`, uses the client and the server, too. Further
variables go in by name: `real_claude(server, CLAUDE_CODE_MAX_RETRIES="0")`. A test with the client is to be
marked `client`.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest
from claude_stub import ClaudeStub, Script
from loopback import Loopback, Server

from judges.providers.claude.client import VARIABLE, Client, find_client

ROOT = Path(__file__).parents[2]
PACKAGES = ROOT / ".cache/claude-code/node_modules/@anthropic-ai"
MISSING = (
    "needs the `claude` client, which `make client` installs with npm (190 MB); "
    f"or set {VARIABLE} to its path"
)

RealClaude: TypeAlias = Callable[..., Client]


@pytest.fixture
def claude_stub(loopback: Loopback) -> ClaudeStub:
    """Start a server that holds these conversations."""
    return lambda conversations: loopback(Script(conversations))


@pytest.fixture
def real_claude(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> RealClaude:
    """Let the real client, and this process, talk to a server."""
    path, temporary = find_installed(), str(tmp_path_factory.mktemp("claude"))

    def connect(server: Server, **variables: str) -> Client:
        own = {
            VARIABLE: str(path),
            "ANTHROPIC_BASE_URL": server.url,
            "ANTHROPIC_API_KEY": "sk-ant-fake",
            "CLAUDE_CODE_MAX_RETRIES": "1",
            "TMPDIR": temporary,
            "CLAUDE_CODE_TMPDIR": temporary,
            **variables,
        }
        for name, value in own.items():
            monkeypatch.setenv(name, value)
        return find_client(dict(os.environ))

    return connect


def find_installed() -> Path:
    """The path of the client. Where it is missing the test is skipped with the reason; in CI it fails."""
    named = os.environ.get(VARIABLE)
    found = [Path(named)] if named else sorted(PACKAGES.glob("claude-code-*/claude"))
    if found:
        return found[0]
    if os.environ.get("CI"):
        pytest.fail(MISSING)
    pytest.skip(MISSING)
