"""The one retry loop, and what keeps it polite: the gate of the endpoint, the budget, what is known to fail.

A request that fails for a passing reason (408, 409, 429, 5xx, a broken connection, no answer in time) is sent
again up to `http_retries` times, after the server's own delay or an exponential one with full jitter. What
cannot get better (a wrong key, an unknown model, a server that only ever asks to wait) fails all later calls
at once, without a request. While an endpoint is down (all retries of a call failed and no other call
succeeded meanwhile) calls are tried once.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import count

from judges.core.errors import ProviderError
from judges.core.usage import Usage
from judges.providers.base import Completion, Provider, Request
from judges.providers.budget import Budget
from judges.providers.gate import LONGEST_WAIT_SECONDS, Clock, Gate, SystemClock
from judges.providers.process.slots import Slots

_FIRST_DELAY_SECONDS = 0.5
_LONGEST_DELAY_SECONDS = 30.0
_FEWEST_PAUSES = 3  # a single one is no sign of anything, even where nothing is sent again
_HOPELESS = (401, 402, 403, 404)


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """How hard a run may lean on its endpoints, and with `slots` on this machine.

    `jitter` returns numbers from 0 to 1.
    """

    concurrency: int = 8
    http_retries: int = 5
    budget: Budget | None = None
    clock: Clock = field(default_factory=SystemClock)
    jitter: Callable[[], float] = random.random
    slots: Slots = field(default_factory=Slots)


class Limit:
    """A layer around an endpoint. Safe to use from several threads."""

    def __init__(self, inner: Provider, estimate: Callable[[Request], Usage], terms: Terms) -> None:
        self._inner = inner
        self._estimate = estimate
        self._terms = terms
        self._gate = Gate(terms.concurrency, terms.clock)
        self._hopeless: dict[str, ProviderError] = {}
        self._down = False

    def complete(self, request: Request) -> Completion:
        """Ask the endpoint, within the budget, until it answers or there is no more use in asking.

        Raises:
            ProviderError: it did not answer.
            BudgetError: the call would exceed the budget.
            RunError: the run was stopped while waiting.
        """
        self._refuse_hopeless(request)
        budget = self._terms.budget
        if budget is None:
            return self._ask(request)
        reserved = budget.reserve(self._estimate(request).cost_usd)
        cost: Decimal | None = Decimal(0)
        try:
            completion = self._ask(request)
            cost = completion.usage.cost_usd
            return completion
        finally:
            budget.settle(reserved, cost)

    def _ask(self, request: Request) -> Completion:
        successes = self._gate.successes
        retries = 0 if self._down else self._terms.http_retries
        for attempt in count():
            try:
                with self._gate.slot():
                    self._refuse_hopeless(request)  # it may have become so while this call waited
                    completion = self._inner.complete(request)
            except ProviderError as error:
                if attempt == retries or not self._is_passing(error) or self._waits_in_vain(error):
                    raise self._give_up(request, error, attempt + 1, successes) from error
                if not error.retry_after:  # else the gate makes everybody wait
                    self._terms.clock.sleep(self._delay(attempt))
            else:
                self._down = False
                return completion
        raise AssertionError("counting never ends")

    def _refuse_hopeless(self, request: Request) -> None:
        if known := self._hopeless.get(request.model):
            raise ProviderError(str(known), status=known.status)

    def _is_passing(self, error: ProviderError) -> bool:
        return error.retryable and (error.retry_after or 0.0) <= LONGEST_WAIT_SECONDS

    def _waits_in_vain(self, error: ProviderError) -> bool:
        """Whether the server will go on to ask for time, and so hold up every call that is left."""
        most = max(self._terms.http_retries, _FEWEST_PAUSES)
        return bool(error.retry_after) and self._gate.waits_in_vain(most)

    def _delay(self, attempt: int) -> float:
        longest: float = min(_LONGEST_DELAY_SECONDS, _FIRST_DELAY_SECONDS * 2**attempt)
        return longest * self._terms.jitter()

    def _give_up(
        self, request: Request, error: ProviderError, attempts: int, successes: int
    ) -> ProviderError:
        exhausted = error.status == 429 and not error.retryable
        if error.status in _HOPELESS or exhausted or self._waits_in_vain(error):
            self._hopeless[request.model] = error
        elif error.retryable and self._gate.successes == successes:
            self._down = True
        message = str(error)
        if (error.retry_after or 0.0) > LONGEST_WAIT_SECONDS:
            message += f" The server asks to wait {error.retry_after:.0f} s, which is too long."
        elif attempts > 1:
            message += f" Tried {attempts} times."
        return ProviderError(message, status=error.status, parameter=error.parameter)
