"""Models that answer with labels: a loopback server that stands for both vendors."""

from collections.abc import Callable
from typing import Any, TypeAlias

import pytest
from loopback import Loopback, Reply, Server, anthropic_text, openai_text

Say: TypeAlias = Callable[[str], str | Reply]
"""What a model says to a prompt."""
Models: TypeAlias = Callable[[Say], Server]


@pytest.fixture
def models(loopback: Loopback, monkeypatch: pytest.MonkeyPatch) -> Models:
    """Start a server whose models say this, and give this process its address."""

    def start(say: Say) -> Server:
        server = loopback(lambda body: answer(body, say))
        for vendor in ("OPENAI", "ANTHROPIC"):
            monkeypatch.setenv(f"{vendor}_BASE_URL", server.url)
            monkeypatch.setenv(f"{vendor}_API_KEY", "sk-test")
        return server

    return start


def answer(body: dict[str, Any], say: Say) -> Reply:
    """The reply of the vendor that a request is for."""
    said = say(prompt_of(body))
    if isinstance(said, Reply):
        return said
    return anthropic_text(said) if body["model"].startswith("claude") else openai_text(said)


def prompt_of(body: dict[str, Any]) -> str:
    """The last message of a request."""
    content = body["messages"][-1]["content"]
    return content if isinstance(content, str) else "".join(part["text"] for part in content)
