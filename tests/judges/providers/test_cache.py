"""Equal requests are asked once."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from loopback import Loopback, openai_error, openai_text

from judges.core.errors import ProviderError
from judges.core.question import Answer, Evidence, Predicate, Score, Subject, Unanswered
from judges.core.usage import Usage
from judges.providers import Completion, Message, Request, ScriptedProvider, Stop
from judges.providers.cache import Cache, Keeping, decode_completion, encode_completion, request_key
from judges.providers.connect import connect
from judges.providers.limit import Terms
from judges.providers.store import Store

REQUEST = Request(
    model="m",
    messages=(Message("system", "Judge."), Message("user", "x")),
    schema={"type": "object"},
    questions=(Score(name="a", instructions="i", levels=("bad", "good")),),
    evidence=Evidence({"output": "x", "input": "y"}),
    temperature=0.0,
    max_tokens=100,
    wording="w1",
)
BILLED = Usage(calls=1, input_tokens=10, output_tokens=5, cost_usd=Decimal("0.5"))


WRONG_COST = encode_completion(Completion(usage=BILLED)).replace("0.5", "much")


def always(request: Request, completion: Completion) -> bool:
    return True


def layer(endpoint: ScriptedProvider, path: Path, usable: Any = always) -> Cache:
    return Cache(endpoint, "openai http://here", Keeping(Store(path / "cache.db"), usable))


def test_the_second_time_is_free(tmp_path: Path) -> None:
    """A stored completion comes back whole, in a later run too, and counts as cached and free."""
    first = Completion(text="hi", usage=BILLED, effective={"temperature": None}, latency_ms=12.5)
    endpoint = ScriptedProvider([first])
    assert layer(endpoint, tmp_path).complete(REQUEST) == first
    again = layer(endpoint, tmp_path).complete(REQUEST)
    assert again == replace(first, usage=Usage(cached=1), cost_usd=Decimal("0.5"))
    assert len(endpoint.requests) == 1


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"model": "n"}, id="model"),
        pytest.param({"messages": (Message("user", "x"),)}, id="messages"),
        pytest.param({"schema": None, "questions": ()}, id="schema"),
        pytest.param({"questions": (Predicate(name="a", instructions="i"),)}, id="questions"),
        pytest.param({"evidence": Evidence({"input": "y", "output": "x"})}, id="order of the evidence"),
        pytest.param({"temperature": None}, id="temperature"),
        pytest.param({"max_tokens": 200}, id="max_tokens"),
        pytest.param({"wording": "w2"}, id="wording"),
        pytest.param({"replica": 2}, id="replica"),
        pytest.param({"attempt": 2}, id="attempt"),
    ],
)
def test_what_is_another_request(change: dict[str, Any]) -> None:
    """Whatever can change the answer is part of the key."""
    assert request_key("e", replace(REQUEST, **change)) != request_key("e", REQUEST)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"subject": Subject(ref="other", output_sha256="1")}, id="subject"),
        pytest.param({"timeout_seconds": 1.0}, id="timeout"),
        pytest.param({"temperature": 0}, id="a number written otherwise"),
    ],
)
def test_what_is_the_same_request(change: dict[str, Any]) -> None:
    """What cannot change the answer is no part of the key."""
    assert request_key("e", replace(REQUEST, **change)) == request_key("e", REQUEST)


def test_endpoints_are_told_apart() -> None:
    """The same model at another address is another one."""
    assert request_key("openai http://a", REQUEST) != request_key("openai http://b", REQUEST)


def test_the_key_is_stable() -> None:
    """A key means the same in every version: a change here throws all caches away."""
    assert request_key("e", Request(model="m", messages=(Message("user", "ü\ud800"),))) == (
        "f3efd5f65c54244c0bc47022d59c026cbe3424c94e6a75d94ca09695cb46355c"
    )


def test_failures_are_not_stored(tmp_path: Path) -> None:
    """After a failure the endpoint is asked again."""
    endpoint = ScriptedProvider([ProviderError("down"), "hi"])
    cache = layer(endpoint, tmp_path)
    with pytest.raises(ProviderError, match="down"):
        cache.complete(REQUEST)
    assert cache.complete(REQUEST).text == "hi"


def test_unusable_completions_are_not_stored(tmp_path: Path) -> None:
    """A reply that the judge cannot use is given back, and the next time asked for again."""

    def usable(request: Request, completion: Completion) -> bool:
        return request == REQUEST and completion.text == "good"

    endpoint = ScriptedProvider(["bad", "good"])
    cache = layer(endpoint, tmp_path, usable)
    assert [cache.complete(REQUEST).text for _ in range(3)] == ["bad", "good", "good"]
    assert len(endpoint.requests) == 2


@pytest.mark.parametrize(
    "completion",
    [
        pytest.param(Completion(text="ü 😀 \ud800\x00"), id="text"),
        pytest.param(Completion(stop=Stop.LENGTH, effective={"schema": None}, latency_ms=0.5), id="cut"),
        pytest.param(
            Completion(
                answers={
                    "a": Answer(value=3, reasoning="r", quotes=("q", "p"), probabilities={"1": 0.5}),
                    "b": Answer(value=True, confidence=0.9),
                    "c": Answer(value="tie"),
                    "d": Unanswered("declined"),
                }
            ),
            id="answers",
        ),
        pytest.param(Completion(answers={}), id="no answers"),
    ],
)
def test_json_and_back(completion: Completion) -> None:
    """A completion survives as JSON, all but its usage: nothing is spent on it any more."""
    for cost in (Decimal("0.000034"), None):
        made = replace(completion, usage=replace(BILLED, cost_usd=cost))
        kept = replace(completion, usage=Usage(cached=1), cost_usd=cost)
        assert decode_completion(encode_completion(made)) == kept


def test_an_entry_of_before() -> None:
    """One that does not say what it cost is good for everything else."""
    data = json.loads(encode_completion(Completion(text="hi")))
    del data["cost_usd"]
    assert decode_completion(json.dumps(data)) == Completion(text="hi", usage=Usage(cached=1))


@pytest.mark.parametrize(
    "text", ["", "null", "[]", "{}", '{"answers": 1}', '{"text": "x", "answers": null}', WRONG_COST]
)
def test_rubbish_in_the_store(tmp_path: Path, text: str) -> None:
    """An entry that cannot be read counts as none, and is replaced."""
    cache = layer(ScriptedProvider(["hi"]), tmp_path)
    store = Store(tmp_path / "cache.db")
    store.put(request_key("openai http://here", REQUEST), text)
    assert cache.complete(REQUEST).text == "hi"
    assert cache.complete(REQUEST).text == "hi"


def test_without_a_disk(tmp_path: Path) -> None:
    """Where nothing can be stored, every request is asked, and the store says why."""
    (tmp_path / "file").write_text("")
    keeping = Keeping(Store(tmp_path / "file" / "cache.db"), always)
    cache = Cache(ScriptedProvider(["one", "two"]), "e", keeping)
    assert [cache.complete(REQUEST).text for _ in range(2)] == ["one", "two"]
    assert "is off for the rest of the run" in str(keeping.store.problem)


class Slow:
    """An endpoint that answers when it is told to."""

    def __init__(self, outcome: Completion | Exception) -> None:
        self.calls = 0
        self.asked = threading.Event()
        self.go_on = threading.Event()
        self.outcome = outcome

    def complete(self, request: Request) -> Completion:
        self.calls += 1
        self.asked.set()
        assert self.go_on.wait(30)
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return self.outcome


def ask_together(endpoint: Slow, path: Path, usable: Any = always) -> list[Completion | str]:
    """What five threads get that ask the same while the first is still waiting."""
    cache = Cache(endpoint, "e", Keeping(Store(path / "cache.db"), usable))

    def ask() -> Completion | str:
        try:
            return cache.complete(REQUEST)
        except ProviderError as error:
            return str(error)

    with ThreadPoolExecutor(5) as pool:
        futures = [pool.submit(ask)]
        assert endpoint.asked.wait(30)
        futures += [pool.submit(ask) for _ in range(4)]
        endpoint.go_on.set()
        return [future.result() for future in futures]


@pytest.mark.parametrize("usable", [always, lambda request, completion: False], ids=["stored", "not stored"])
def test_equal_requests_in_flight(tmp_path: Path, usable: Any) -> None:
    """Equal requests at the same time are one call, paid once, whether it is stored or not."""
    endpoint = Slow(Completion(text="hi", usage=BILLED))
    completions = ask_together(endpoint, tmp_path, usable)
    assert [completion.text for completion in completions if isinstance(completion, Completion)] == ["hi"] * 5
    assert [
        (completion.usage, completion.cost_usd)
        for completion in completions
        if isinstance(completion, Completion)
    ] == [(BILLED, None), *[(Usage(cached=1), Decimal("0.5"))] * 4]
    assert endpoint.calls == 1


def test_equal_requests_fail_together(tmp_path: Path) -> None:
    """A failure is told to everybody who waited for it."""
    endpoint = Slow(ProviderError("down"))
    assert ask_together(endpoint, tmp_path) == ["down"] * 5
    assert endpoint.calls == 1


def test_different_requests_do_not_wait(tmp_path: Path) -> None:
    """Another request is asked while the first is still waiting."""
    endpoint = Slow(Completion(text="hi"))
    cache = Cache(endpoint, "e", Keeping(Store(tmp_path / "cache.db"), always))
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(cache.complete, REQUEST)
        assert endpoint.asked.wait(30)
        endpoint.asked.clear()
        second = pool.submit(cache.complete, replace(REQUEST, replica=2))
        assert endpoint.asked.wait(30)
        endpoint.go_on.set()
        assert (first.result().text, second.result().text) == ("hi", "hi")
    assert endpoint.calls == 2


def test_the_whole_stack(loopback: Loopback, tmp_path: Path) -> None:
    """Behind the cache a request is retried and negotiated; the cache holds no secret."""
    server = loopback(
        [
            openai_error(500, "down"),
            openai_error(400, "no temperature", param="temperature"),
            openai_text("hi", tokens=(1000, 100)),
        ]
    )
    environ = {"OPENAI_API_KEY": "sk-secret-123456"}
    request = replace(REQUEST, model="gpt-4o")
    keeping = Keeping(Store(tmp_path / "cache.db"), always)
    terms = Terms(jitter=lambda: 0.0)
    for usage in (
        Usage(calls=1, input_tokens=1000, output_tokens=100, cost_usd=Decimal("0.0035")),
        Usage(cached=1),
    ):
        url = server.url.replace("://", "://user:pass@")
        provider = connect("gpt-4o", environ=environ, base_url=url, terms=terms, keeping=keeping)
        completion = provider.complete(request)
        assert (completion.text, completion.usage) == ("hi", usage)
        assert completion.effective == {"temperature": None}
    assert len(server.requests) == 3
    keeping.store.close()
    assert b"secret" not in b"".join(file.read_bytes() for file in tmp_path.iterdir())
