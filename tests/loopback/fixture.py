"""The pytest fixture around the loopback server."""

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
