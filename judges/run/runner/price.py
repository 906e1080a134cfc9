"""What tokens cost that a runner reports without their price."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from decimal import Decimal
from functools import cache
from typing import TypeAlias

from judges.core.errors import ConfigError
from judges.core.usage import Usage
from judges.providers.connect import parse_model, price_list

Price: TypeAlias = Callable[[Usage, str | None], Usage]


def build_price(environ: Mapping[str, str]) -> Price:
    """Return what adds the cost of the model that a runner was told to its tokens, where both are known."""

    @cache
    def rates(model: str) -> tuple[Decimal, Decimal] | None:
        try:
            prices = price_list(model, environ=environ)
            return prices.rates(parse_model(model).model) if prices else None
        except ConfigError:  # a name of the runner's own
            return None

    def price(used: Usage, model: str | None) -> Usage:
        known = rates(model) if model is not None and used.cost_usd is None else None
        if known is None:
            return used
        cost = (used.input_tokens * known[0] + used.output_tokens * known[1]) / 1_000_000
        return replace(used, cost_usd=cost)

    return price


def unpriced(used: Usage, _: str | None) -> Usage:
    """Leave a cost that is not told unknown."""
    return used
