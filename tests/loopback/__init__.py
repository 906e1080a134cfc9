"""A loopback HTTP server that plays the OpenAI and Anthropic APIs, for tests with the real SDK clients.

    from loopback import Loopback, openai_error, openai_text

    def test_something(loopback: Loopback) -> None:
        server = loopback([openai_error(429, "slow down", headers={"Retry-After": "1"}), openai_text("hi")])
        provider = connect("openai:gpt-4o", base_url=server.url, environ={})
        ...
        assert [request.json["model"] for request in server.requests] == ["gpt-4o", "gpt-4o"]

The `loopback` fixture (see `loopback.fixture`, registered in `tests/conftest.py`) starts as many servers as a
test wants and stops them at its end; `play_openai` starts one that this process takes for OpenAI. What they
are given is one of

* a `Reply`: the answer to every request;
* a list of them: answered in order, a request too many gets a 400 that says so;
* a function of the request's JSON body that returns a `Reply` (called from several threads).

Replies are made by `openai_text`, `openai_refusal`, `openai_decision`, `openai_error`, `anthropic_text`,
`anthropic_error`, or by hand: `Reply(status, body, headers, delay, drop)`. `delay` is in seconds (a hang: a
delay longer than the client waits); `drop` closes the connection "before" the answer or in the "middle".

`server.url` is the base URL for either SDK (the OpenAI client's `/v1` is accepted with and without).
`server.requests` holds what was asked: `path`, `headers` (lower case names), `json`, and `at`, the monotonic
time of arrival. `server.most_in_flight` is how many requests were open at once, `server.connections` how many
connections were made.
"""

from loopback.replies import (
    Reply,
    anthropic_error,
    anthropic_text,
    openai_decision,
    openai_error,
    openai_refusal,
    openai_text,
)
from loopback.server import Loopback, Received, Server

__all__ = [
    "Loopback",
    "Received",
    "Reply",
    "Server",
    "anthropic_error",
    "anthropic_text",
    "openai_decision",
    "openai_error",
    "openai_refusal",
    "openai_text",
]
