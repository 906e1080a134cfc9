"""What model calls used and cost."""

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class Usage:
    """Calls made, calls answered from the cache, tokens, and cost in USD.

    A cost of None means that some price is unknown; it is never taken for 0. Cached calls cost nothing.
    """

    calls: int = 0
    cached: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: Decimal | None = Decimal(0)

    def __add__(self, other: "Usage") -> "Usage":
        if other is NOTHING or self is NOTHING:
            return self if other is NOTHING else other
        return Usage(
            calls=self.calls + other.calls,
            cached=self.cached + other.cached,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cost_usd=None
            if self.cost_usd is None or other.cost_usd is None
            else self.cost_usd + other.cost_usd,
        )


NOTHING = Usage()
"""What most steps use: adding it costs nothing either."""
