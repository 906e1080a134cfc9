"""How many requests the gate lets through, and when."""

import threading

import pytest
from fake_clock import FakeClock

from judges.core.errors import ProviderError, RunError
from judges.providers.gate import Gate, SystemClock

TOO_MANY = ProviderError("slow down", status=429, retryable=True)


def fail(gate: Gate, error: ProviderError) -> None:
    with pytest.raises(ProviderError), gate.slot():
        raise error


def succeed(gate: Gate, times: int) -> None:
    for _ in range(times):
        with gate.slot():
            pass


def test_a_429_halves_and_successes_grow_back() -> None:
    """The number of places halves with every new 429 and comes back with successes, never above the most."""
    clock = FakeClock()
    gate = Gate(8, clock)
    limits = [gate.limit]
    for _ in range(4):
        clock.time += 1
        fail(gate, TOO_MANY)
        limits.append(gate.limit)
    assert limits == [8, 4, 2, 1, 1]
    succeed(gate, 1)
    assert gate.limit == 2
    succeed(gate, 1000)
    assert gate.limit == 8


def test_one_wave_of_429_halves_once() -> None:
    """Requests that were open together count as one complaint."""
    clock = FakeClock()
    gate = Gate(8, clock)
    slots = [gate.slot() for _ in range(3)]
    for slot in slots:
        slot.__enter__()
    for slot in slots:
        clock.time += 1
        slot.__exit__(ProviderError, TOO_MANY, None)
    assert gate.limit == 4


def test_other_failures_do_not_halve() -> None:
    """Only a 429 is a complaint about the number of requests."""
    gate = Gate(8, FakeClock(1.0))
    fail(gate, ProviderError("down", status=500, retryable=True))
    assert gate.limit == 8


def test_retry_after_holds_for_everybody() -> None:
    """After a Retry-After the next caller waits, whoever it is; the longest wait counts."""
    clock = FakeClock()
    gate = Gate(8, clock)
    fail(gate, ProviderError("down", status=503, retryable=True, retry_after=30.0))
    clock.time += 10
    with gate.slot():
        assert clock.time == 30.0
    assert clock.sleeps == [20.0]


@pytest.mark.parametrize(
    "error",
    [
        pytest.param(ProviderError("no", status=400, retry_after=30.0), id="not passing"),
        pytest.param(ProviderError("no", status=429, retryable=True, retry_after=121.0), id="too long"),
        pytest.param(ProviderError("no", status=429, retryable=True, retry_after=0.0), id="nothing"),
    ],
)
def test_waits_that_are_not_kept(error: ProviderError) -> None:
    """Nobody waits for what will not pass, or for longer than two minutes."""
    clock = FakeClock()
    gate = Gate(8, clock)
    fail(gate, error)
    succeed(gate, 1)
    assert clock.sleeps == []


def test_no_more_than_the_limit_at_once() -> None:
    """A caller without a place waits until one is free."""
    gate = Gate(2, SystemClock())
    open_now, most = 0, 0
    lock = threading.Lock()

    def work() -> None:
        nonlocal open_now, most
        for _ in range(20):
            with gate.slot():
                with lock:
                    open_now += 1
                    most = max(most, open_now)
                threading.Event().wait(0.001)
                with lock:
                    open_now -= 1

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 2
    assert gate.successes == 160


def test_a_place_is_free_again_after_any_error() -> None:
    """An unexpected error frees the place too."""
    gate = Gate(1, FakeClock())
    with pytest.raises(KeyError), gate.slot():
        raise KeyError
    succeed(gate, 1)
    assert gate.successes == 1


def test_a_stopped_run_waits_no_longer() -> None:
    """Once the run is stopped, a wait of any kind ends with an error."""
    stop = threading.Event()
    gate = Gate(1, SystemClock(stop))
    failures: list[str] = []

    def waiting() -> None:
        try:
            with gate.slot():
                failures.append("got a place")
        except RunError as error:
            failures.append(str(error))

    with gate.slot():
        thread = threading.Thread(target=waiting)
        thread.start()
        stop.set()
        thread.join(timeout=10)
    assert failures == ["the run was stopped before an answer came"]


def test_system_clock_sleeps() -> None:
    """The real clock does wait."""
    clock = SystemClock()
    before = clock.now()
    clock.sleep(0.02)
    assert clock.now() - before >= 0.02
