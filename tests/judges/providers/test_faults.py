"""Many calls through all layers and the real client, against a server that fails in every way."""

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from loopback import Loopback, Reply, openai_error, openai_text

from judges.core.errors import ProviderError
from judges.providers import Message, Request
from judges.providers.connect import connect
from judges.providers.limit import Terms

# What a call meets before it is answered, by the last two digits of its number.
FIRST_REPLIES = {
    **dict.fromkeys(range(15), openai_error(429, "slow down", headers={"Retry-After": "0.02"})),
    **dict.fromkeys(range(15, 30), openai_error(429, "slow down")),
    **dict.fromkeys(range(30, 40), openai_error(500, "down")),
    **dict.fromkeys(range(40, 43), Reply(body='{"choices": [{"mess')),
    **dict.fromkeys(range(43, 45), Reply(502, "<html><title>Bad Gateway</title>")),
    **dict.fromkeys(range(45, 47), replace(openai_text("x"), drop="middle")),
    **dict.fromkeys(range(47, 49), openai_text("late", delay=30)),
}
PERMANENT = {49: openai_error(503, "down for good"), 50: openai_error(400, "never")}


def test_every_call_ends_right(loopback: Loopback) -> None:
    """Passing failures end in the right answer; permanent ones cost at most one request and the retries."""
    seen: Counter[int] = Counter()
    lock = threading.Lock()

    def answer(body: dict[str, Any]) -> Reply:
        number = int(body["messages"][0]["content"])
        with lock:
            seen[number] += 1
            first = seen[number] == 1
        kind = number % 100
        if kind in PERMANENT:
            return PERMANENT[kind]
        return FIRST_REPLIES[kind] if first and kind in FIRST_REPLIES else openai_text(f"answer {number}")

    server = loopback(answer)
    terms = Terms(concurrency=16, http_retries=4, jitter=lambda: 0.1)
    provider = connect("gpt-4o", environ={}, base_url=server.url, terms=terms)

    def ask(number: int) -> str:
        request = Request(model="gpt-4o", messages=(Message("user", str(number)),), timeout_seconds=1.5)
        try:
            return provider.complete(request).text
        except ProviderError as error:
            return f"HTTP {error.status}"

    with ThreadPoolExecutor(16) as pool:
        outcomes = list(pool.map(ask, range(300)))
    expected = {49: "HTTP 503", 50: "HTTP 400"}
    assert outcomes == [expected.get(number % 100, f"answer {number}") for number in range(300)]
    # 3 x (49 failed once and asked again, 1 asked 5 times, 50 asked once)
    assert len(server.requests) == 459
