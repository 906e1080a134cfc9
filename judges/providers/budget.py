"""What a run may still spend: reserved before a call by an estimate, settled after it by the bill."""

import threading
from decimal import Decimal

from judges.core.errors import BudgetError


class Budget:
    """A ceiling in USD for everything that shares it. Safe to use from several threads.

    Estimates are not promises: the ceiling can be passed by as much as the calls in flight cost more than
    was estimated.
    """

    def __init__(self, max_cost_usd: Decimal) -> None:
        self.spent = Decimal(0)
        self._max = max_cost_usd
        self._reserved = Decimal(0)
        self._changed = threading.Condition()

    def reserve(self, cost: Decimal | None) -> Decimal:
        """Set aside what a call may cost and return it. Waits while calls in flight may yet leave enough.

        Raises:
            BudgetError: too little is left, or the price is unknown.
        """
        if cost is None:
            raise BudgetError(
                "a budget cannot be kept: the price of this model is unknown. "
                "Run without --max-cost-usd, or use a model with a known price."
            )
        with self._changed:
            while self.spent + self._reserved + cost > self._max:
                if not self._reserved or self.spent + cost > self._max:
                    raise BudgetError(
                        f"the budget of {self._max:f} USD is used up: {self.spent:.4f} USD are spent, "
                        f"and this call may cost {cost:.4f} USD. Raise --max-cost-usd to go on."
                    )
                self._changed.wait()
            self._reserved += cost
        return cost

    def settle(self, reserved: Decimal, cost: Decimal | None) -> None:
        """Replace a reservation by what the call did cost; an unknown cost counts as reserved."""
        with self._changed:
            self._reserved -= reserved
            self.spent += reserved if cost is None else cost
            self._changed.notify_all()
