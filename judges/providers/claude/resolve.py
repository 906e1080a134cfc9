"""Who judges when a suite names a bare `claude-*` model: the API, or the client that is logged in anyway."""

from collections.abc import Callable, Mapping

from judges.providers.claude.login import ClaudeStatus, claude_status
from judges.providers.connect import ANTHROPIC, CLAUDE_CLI, parse_model


def resolve_judge_model(
    name: str,
    environ: Mapping[str, str],
    status: Callable[[Mapping[str, str]], ClaudeStatus] = claude_status,
) -> str:
    """Return the name to connect a judge by.

    A bare `claude-*` name becomes `claude-cli:…` where the API has no key and the client is logged in. Any
    other name, and one that a server without a key answers to, stays as it is. `status` tells of the client.

    Raises:
        ConfigError: the name cannot be understood.
    """
    model = parse_model(name)
    if model.provider != "anthropic" or ":" in name:
        return name
    if environ.get(ANTHROPIC.key_variable, "").strip() or environ.get(ANTHROPIC.url_variable, "").strip():
        return name
    return f"{CLAUDE_CLI}:{model.model}" if status(environ).usable else name
