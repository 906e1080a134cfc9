"""What the loopback server answers: one value a reply, and builders for the two APIs."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Reply:
    """One HTTP answer. A body that is not text or bytes is sent as JSON. `delay` is in seconds."""

    status: int = 200
    body: Any = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    drop: Literal["before", "middle"] | None = None

    @property
    def content(self) -> bytes:
        """The body as it is sent."""
        if isinstance(self.body, bytes):
            return self.body
        return (self.body if isinstance(self.body, str) else json.dumps(self.body)).encode()


def openai_text(
    text: str | None,
    *,
    finish_reason: str = "stop",
    tokens: tuple[int, int] = (100, 20),
    cached_tokens: int = 0,
    delay: float = 0.0,
) -> Reply:
    """A chat completion. `tokens` are those of the input and of the output."""
    message = {"role": "assistant", "content": text}
    return _chat(message, finish_reason, tokens, cached_tokens, delay)


def openai_refusal(text: str) -> Reply:
    """A chat completion whose message is a refusal."""
    return _chat({"role": "assistant", "content": None, "refusal": text}, "stop", (100, 20), 0, 0.0)


def openai_decision(answers: Sequence[Mapping[str, Any]], *, tokens: int = 100) -> Reply:
    """A decision with these answers in order."""
    usage = {
        "input_tokens": tokens,
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens": 0,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": tokens,
    }
    return Reply(body={"model": "gpt-6-luna", "answers": list(answers), "usage": usage})


def openai_error(
    status: int,
    message: str,
    *,
    param: str | None = None,
    code: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> Reply:
    """An error as the OpenAI API words it."""
    error = {"message": message, "type": "invalid_request_error", "param": param, "code": code}
    return Reply(status, {"error": error}, headers or {})


def anthropic_text(
    text: str | None,
    *,
    stop_reason: str = "end_turn",
    tokens: tuple[int, int] = (100, 20),
    cached_tokens: int = 0,
    delay: float = 0.0,
) -> Reply:
    """A message: a thinking block, then (unless it is None) the text.

    `tokens` are those of the input, without the cached ones, and of the output.
    """
    content = [{"type": "thinking", "thinking": "Let me see.", "signature": "c2ln"}]
    if text is not None:
        content.append({"type": "text", "text": text})
    usage = {
        "input_tokens": tokens[0],
        "output_tokens": tokens[1],
        "cache_read_input_tokens": cached_tokens,
        "cache_creation_input_tokens": 0,
    }
    body = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-haiku-4-5",
        "content": content,
        "stop_reason": stop_reason,
        "stop_sequence": None,
        "usage": usage,
    }
    return Reply(body=body, delay=delay)


def anthropic_error(
    status: int,
    message: str,
    *,
    kind: str = "invalid_request_error",
    headers: Mapping[str, str] | None = None,
) -> Reply:
    """An error as the Anthropic API words it."""
    return Reply(status, {"type": "error", "error": {"type": kind, "message": message}}, headers or {})


def _chat(
    message: Mapping[str, Any], finish_reason: str, tokens: tuple[int, int], cached_tokens: int, delay: float
) -> Reply:
    usage = {
        "prompt_tokens": tokens[0],
        "completion_tokens": tokens[1],
        "total_tokens": sum(tokens),
        "prompt_tokens_details": {"cached_tokens": cached_tokens},
    }
    body = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "gpt-4o",
        "choices": [{"index": 0, "message": message, "finish_reason": finish_reason}],
        "usage": usage,
    }
    return Reply(body=body, delay=delay)
