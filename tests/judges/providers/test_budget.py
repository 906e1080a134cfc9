"""What a run may still spend."""

import threading
from decimal import Decimal

import pytest

from judges.core.errors import BudgetError
from judges.providers.budget import Budget


def test_reserve_and_settle() -> None:
    """Calls are paid by the bill; a call without a bill by its reservation."""
    budget = Budget(Decimal(1))
    budget.settle(budget.reserve(Decimal("0.2")), Decimal("0.3"))
    budget.settle(budget.reserve(Decimal("0.2")), None)
    budget.settle(budget.reserve(Decimal("0.2")), Decimal(0))
    assert budget.spent == Decimal("0.5")


def test_used_up() -> None:
    """A call that could pass the ceiling is not made; a call that just fits is."""
    budget = Budget(Decimal("0.50"))
    budget.settle(budget.reserve(Decimal("0.4")), Decimal("0.4"))
    with pytest.raises(BudgetError) as caught:
        budget.reserve(Decimal("0.11"))
    assert str(caught.value) == (
        "the budget of 0.50 USD is used up: 0.4000 USD are spent, and this call may cost 0.1100 USD. "
        "Raise --max-cost-usd to go on."
    )
    assert budget.reserve(Decimal("0.1")) == Decimal("0.1")


def test_unknown_price() -> None:
    """Without a price there is no budget."""
    with pytest.raises(BudgetError) as caught:
        Budget(Decimal(1)).reserve(None)
    assert str(caught.value) == (
        "a budget cannot be kept: the price of this model is unknown. "
        "Run without --max-cost-usd, or use a model with a known price."
    )


@pytest.mark.parametrize(
    ("bill", "outcome"), [(Decimal("0.1"), "reserved"), (Decimal("0.9"), "refused")], ids=["cheap", "dear"]
)
def test_waiting_for_calls_in_flight(bill: Decimal, outcome: str) -> None:
    """What calls in flight may leave is waited for; their bills decide."""
    budget = Budget(Decimal(1))
    first = budget.reserve(Decimal("0.6"))
    outcomes: list[str] = []

    def second() -> None:
        try:
            budget.reserve(Decimal("0.6"))
            outcomes.append("reserved")
        except BudgetError:
            outcomes.append("refused")

    thread = threading.Thread(target=second)
    thread.start()
    thread.join(timeout=0.05)
    assert outcomes == []
    budget.settle(first, bill)
    thread.join(timeout=10)
    assert outcomes == [outcome]
