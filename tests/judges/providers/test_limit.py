"""The one retry loop."""

import threading
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from types import SimpleNamespace

import pytest
from fake_clock import FakeClock

from judges.core.errors import BudgetError, ProviderError, RunError
from judges.core.usage import Usage
from judges.providers import Completion, Message, Request, ScriptedProvider
from judges.providers.budget import Budget
from judges.providers.gate import SystemClock
from judges.providers.limit import Limit, Terms

REQUEST = Request(model="m", messages=(Message("user", "x"),))
CHEAP = Usage(calls=1, cost_usd=Decimal("0.1"))


def passing(status: int | None = 500, retry_after: float | None = None) -> ProviderError:
    return ProviderError("It failed.", retryable=True, status=status, retry_after=retry_after)


def layer(
    replies: Iterable[str | Exception] | ScriptedProvider,
    clock: FakeClock,
    retries: int = 5,
    budget: Budget | None = None,
) -> tuple[Limit, ScriptedProvider]:
    endpoint = replies if isinstance(replies, ScriptedProvider) else ScriptedProvider(replies)
    terms = Terms(clock=clock, http_retries=retries, jitter=lambda: 1.0, budget=budget)
    return Limit(endpoint, lambda request: CHEAP, terms), endpoint


@pytest.mark.parametrize("status", [408, 409, 429, 500, 503, 529, None])
def test_passing_failures_are_retried(status: int | None) -> None:
    """A failure that may pass is sent again after a growing delay."""
    clock = FakeClock()
    limit, endpoint = layer([passing(status), passing(status), "hi"], clock)
    assert limit.complete(REQUEST).text == "hi"
    assert len(endpoint.requests) == 3
    assert clock.sleeps == [0.5, 1.0]


@pytest.mark.parametrize("retries", [0, 1, 5])
def test_permanent_failure(retries: int) -> None:
    """A failure that does not pass costs one request and the retries, and says how often it was tried."""
    limit, endpoint = layer(ScriptedProvider(lambda _: passing()), FakeClock(), retries)
    with pytest.raises(ProviderError) as caught:
        limit.complete(REQUEST)
    assert len(endpoint.requests) == 1 + retries
    assert str(caught.value) == ("It failed." if retries == 0 else f"It failed. Tried {1 + retries} times.")
    assert caught.value.status == 500


def test_the_delay_is_jittered_and_capped() -> None:
    """The delay doubles up to half a minute, and any part of it may be waited."""
    clock = FakeClock()
    shares = iter([0.0, 0.5, 1.0, 1.0, 1.0, 1.0, 1.0, 0.5])
    terms = Terms(clock=clock, http_retries=8, jitter=lambda: next(shares))
    with pytest.raises(ProviderError):
        Limit(ScriptedProvider(lambda _: passing()), lambda _: CHEAP, terms).complete(REQUEST)
    assert clock.sleeps == [0.5, 2.0, 4.0, 8.0, 16.0, 30.0, 15.0]


def test_retry_after_is_honoured_instead() -> None:
    """The server's own delay is waited, and no other on top."""
    clock = FakeClock()
    limit, _ = layer([passing(429, retry_after=7.0), "hi"], clock)
    assert limit.complete(REQUEST).text == "hi"
    assert clock.sleeps == [7.0]


def test_retry_after_of_nothing() -> None:
    """A Retry-After of 0 does not make a busy loop."""
    clock = FakeClock()
    limit, _ = layer([passing(429, retry_after=0.0), "hi"], clock)
    assert limit.complete(REQUEST).text == "hi"
    assert clock.sleeps == [0.5]


def test_retry_after_that_is_too_long() -> None:
    """A server that asks for an hour gets no second request, and the user is told."""
    clock = FakeClock()
    limit, endpoint = layer([passing(429, retry_after=3600.0)], clock)
    with pytest.raises(ProviderError) as caught:
        limit.complete(REQUEST)
    assert str(caught.value) == "It failed. The server asks to wait 3600 s, which is too long."
    assert clock.sleeps == []
    assert len(endpoint.requests) == 1


@pytest.mark.parametrize("status", [400, 413, 422, None])
def test_failures_that_do_not_pass_are_not_retried(status: int | None) -> None:
    """A failure of this request alone is reported at once, and the next request is sent."""
    limit, _ = layer([ProviderError("Bad.", status=status), "hi"], FakeClock())
    with pytest.raises(ProviderError, match=r"^Bad\.$"):
        limit.complete(REQUEST)
    assert limit.complete(REQUEST).text == "hi"


@pytest.mark.parametrize(
    "error",
    [
        *(
            pytest.param(ProviderError("No.", status=status), id=str(status))
            for status in (401, 402, 403, 404)
        ),
        pytest.param(ProviderError("No.", status=429), id="quota"),
    ],
)
def test_hopeless_failures_are_remembered(error: ProviderError) -> None:
    """After a wrong key or an unknown model, later calls fail with the same words and no request."""
    limit, endpoint = layer([error], FakeClock())
    for _ in range(3):
        with pytest.raises(ProviderError, match=r"^No\.$") as caught:
            limit.complete(REQUEST)
        assert caught.value.status == error.status
    assert len(endpoint.requests) == 1


def test_hopeless_for_one_model_only() -> None:
    """An unknown model does not stop another one."""
    limit, _ = layer([ProviderError("No.", status=404), "hi"], FakeClock())
    with pytest.raises(ProviderError):
        limit.complete(REQUEST)
    assert limit.complete(Request(model="other", messages=())).text == "hi"


def test_a_server_that_is_down_is_tried_once_a_call() -> None:
    """When a call failed with all its retries, the next ones are tried once, until one succeeds."""
    limit, endpoint = layer([*[passing()] * 3, passing(), "up", passing(), "hi"], FakeClock(), retries=2)
    with pytest.raises(ProviderError, match="Tried 3 times"):
        limit.complete(REQUEST)
    with pytest.raises(ProviderError, match=r"^It failed\.$"):
        limit.complete(REQUEST)
    assert limit.complete(REQUEST).text == "up"
    assert limit.complete(REQUEST).text == "hi"
    assert len(endpoint.requests) == 7


def test_a_server_that_answers_others_is_not_down() -> None:
    """A call that fails while another succeeds does not take retries from the rest."""
    script = iter([passing(), passing(), passing(), passing(), None])

    def answer(request: Request) -> Completion:
        if request.model == "other":
            return Completion(text="fine")
        limit.complete(Request(model="other", messages=()))
        if failure := next(script):
            raise failure
        return Completion(text="hi")

    terms = Terms(clock=FakeClock(), http_retries=2)
    limit = Limit(SimpleNamespace(complete=answer), lambda _: CHEAP, terms)
    with pytest.raises(ProviderError, match="Tried 3 times"):
        limit.complete(REQUEST)
    assert limit.complete(REQUEST).text == "hi"


@pytest.mark.parametrize(
    ("retries", "asks", "requests", "seconds"),
    [
        pytest.param(5, 30.0, 6, 150.0, id="a call that used up its retries"),
        pytest.param(20, 5.0, 21, 100.0, id="patience that was asked for"),
        pytest.param(2, 30.0, 4, 90.0, id="never after fewer than three pauses"),
        pytest.param(5, 2.0, 31, 60.0, id="never within a minute"),
    ],
)
def test_a_server_that_only_asks_to_wait(retries: int, asks: float, requests: int, seconds: float) -> None:
    """A server that asks for time again and again and answers nobody does not hold up every call."""
    clock = FakeClock()
    limit, endpoint = layer(ScriptedProvider(lambda _: passing(429, retry_after=asks)), clock, retries)
    for _ in range(500):
        with pytest.raises(ProviderError, match="It failed"):
            limit.complete(REQUEST)
    assert (len(endpoint.requests), clock.time) == (requests, seconds)


def test_a_server_that_answers_between_its_pauses() -> None:
    """A server that asks for time but answers in between is waited for, however long it takes."""
    clock = FakeClock()
    limit, _ = layer([passing(429, retry_after=30.0), "hi"] * 50, clock)
    assert [limit.complete(REQUEST).text for _ in range(50)] == ["hi"] * 50
    assert clock.time == 50 * 30.0


def test_calls_that_waited_while_it_became_hopeless() -> None:
    """A call that waited for a place is not sent when the one before it was refused for good."""

    def refuse(_: Request) -> Exception:
        threading.Event().wait(0.05)  # the other calls wait for the only place
        return ProviderError("No.", status=401)

    endpoint = ScriptedProvider(refuse)
    limit = Limit(endpoint, lambda _: CHEAP, Terms(concurrency=1))
    with ThreadPoolExecutor(4) as pool:
        calls = [pool.submit(limit.complete, REQUEST) for _ in range(4)]
    assert [str(call.exception()) for call in calls] == ["No."] * 4
    assert len(endpoint.requests) == 1


def test_a_stopped_run_is_not_retried() -> None:
    """A stop ends the wait before the next attempt."""
    stop = threading.Event()
    stop.set()
    endpoint = ScriptedProvider([passing(), "never"])
    terms = Terms(clock=SystemClock(stop))
    with pytest.raises(RunError, match="the run was stopped before an answer came"):
        Limit(endpoint, lambda _: CHEAP, terms).complete(REQUEST)
    assert len(endpoint.requests) == 1


def test_budget() -> None:
    """Calls are made while the estimate fits; bills are paid, failures are not."""
    clock = FakeClock()
    budget = Budget(Decimal("0.35"))
    dear = Completion(text="dear", usage=Usage(calls=1, cost_usd=Decimal("0.2")))
    limit, endpoint = layer(
        ScriptedProvider([ProviderError("Bad.", status=400), dear, "free"]), clock, budget=budget
    )
    with pytest.raises(ProviderError):
        limit.complete(REQUEST)
    assert budget.spent == 0
    assert limit.complete(REQUEST).text == "dear"
    assert limit.complete(REQUEST).text == "free"
    assert budget.spent == Decimal("0.2")
    budget.settle(budget.reserve(Decimal("0.1")), Decimal("0.1"))
    with pytest.raises(BudgetError):
        limit.complete(REQUEST)
    assert len(endpoint.requests) == 3


def test_threads_share_everything() -> None:
    """Many threads get their own answers, each request is sent once."""
    endpoint = ScriptedProvider(lambda request: request.messages[0].content)
    limit = Limit(endpoint, lambda _: CHEAP, Terms(concurrency=4))
    requests = [Request(model="m", messages=(Message("user", str(number)),)) for number in range(200)]
    with ThreadPoolExecutor(16) as pool:
        texts = [completion.text for completion in pool.map(limit.complete, requests)]
    assert texts == [str(number) for number in range(200)]
    assert len(endpoint.requests) == 200
