"""What holds for every test: no network but loopback, no keys, and a HOME of its own."""

import signal
import socket
from pathlib import Path

import pytest
from browser.chromium import browser, incidents, new_page, page  # noqa: F401  (fixtures)
from claude_client import claude_stub, real_claude  # noqa: F401  (fixtures)
from hypothesis import settings
from loopback.fixture import loopback, play_openai  # noqa: F401  (fixtures)
from reference import (  # noqa: F401  (hooks and fixtures)
    pytest_collection_modifyitems,
    read_reference,
    reference_data,
)

pytest_plugins = ["pytester"]

settings.register_profile("busy", settings(), deadline=None)  # a slow machine is no failure
settings.load_profile("busy")

# A shell that runs the tests in the background has them, and all that they start, ignore Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)

SECRETS = (
    "OPENAI_API_KEY",
    "ANTHROPIC_API_KEY",
    "CLAUDE_CODE_OAUTH_TOKEN",
    "OPENAI_BASE_URL",
    "ANTHROPIC_BASE_URL",
)
CI_VARIABLES = ("GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "GITHUB_WORKSPACE")
"""What would make the program write to the pages of the job that runs these tests."""


@pytest.fixture(autouse=True)
def hermetic(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Refuse every connection that leaves this machine, and hide the user's own settings."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: object) -> None:
        remote = isinstance(address, tuple) and address[0] not in ("127.0.0.1", "::1")
        if self.family != socket.AF_UNIX and remote:
            raise AssertionError(f"a test tried to reach {address}")
        connect(self, address)  # type: ignore[arg-type]

    home: Path = tmp_path_factory.mktemp("home")
    monkeypatch.setattr(socket.socket, "connect", guarded)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")  # wherever the tests are run from
    for name in (*SECRETS, *CI_VARIABLES):
        monkeypatch.delenv(name, raising=False)
