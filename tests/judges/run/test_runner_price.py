"""What the tokens of a runner cost."""

from decimal import Decimal

import pytest

from judges.core.usage import Usage
from judges.run.runner.price import build_price

TOKENS = Usage(calls=1, input_tokens=1_000, output_tokens=100, cost_usd=None)


@pytest.mark.parametrize(
    ("model", "cost"),
    [
        pytest.param("gpt-4o", Decimal("0.0035"), id="a bare name"),
        pytest.param("openai:gpt-4o", Decimal("0.0035"), id="a full name"),
        pytest.param("openai:no-such-model", None, id="a model without a known price"),
        pytest.param("mine-7b", None, id="a name of the runner's own"),
        pytest.param(None, None, id="no model"),
    ],
)
def test_tokens_are_priced(model: str | None, cost: Decimal | None) -> None:
    """Tokens cost what those of the model cost, or nobody knows."""
    priced = build_price({})(TOKENS, model)
    assert (priced.cost_usd, priced.input_tokens, priced.calls) == (cost, 1_000, 1)


def test_a_cost_that_is_told_stays() -> None:
    """The runner knows best what it has paid; nothing used costs nothing."""
    told = Usage(calls=1, input_tokens=1_000, cost_usd=Decimal("0.5"))
    price = build_price({})
    assert price(told, "gpt-4o") is told
    assert price(Usage(), "gpt-4o") == Usage()
