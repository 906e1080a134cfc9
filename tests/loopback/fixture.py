"""The pytest fixtures around the loopback server."""

from collections.abc import Iterator

import pytest

from loopback.server import Loopback, Replies, Server


@pytest.fixture
def loopback() -> Iterator[Loopback]:
    """Start loopback servers with these replies; all are stopped when the test ends."""
    servers: list[Server] = []

    def start(replies: Replies) -> Server:
        servers.append(Server(replies))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


@pytest.fixture
def play_openai(loopback: Loopback, monkeypatch: pytest.MonkeyPatch) -> Loopback:
    """Start a server that stands for OpenAI: this process has its address and a key."""

    def start(replies: Replies) -> Server:
        server = loopback(replies)
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
        return server

    return start
