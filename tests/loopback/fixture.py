"""The pytest fixture around the loopback server."""

from collections.abc import Callable, Iterator

import pytest

from loopback.server import Replies, Server


@pytest.fixture
def loopback() -> Iterator[Callable[[Replies], Server]]:
    """Start loopback servers with these replies; all are stopped when the test ends."""
    servers: list[Server] = []

    def start(replies: Replies) -> Server:
        servers.append(Server(replies))
        return servers[-1]

    yield start
    for server in servers:
        server.close()
