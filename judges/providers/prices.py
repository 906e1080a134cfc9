"""Tokens and money: what a reply cost, and what a request will about cost.

Prices are those of the `genai-prices` package's own dated data; nothing is fetched. An unknown price is
None, never 0.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Any

from judges.core.usage import Usage
from judges.providers.base import Request

# Rules of thumb for estimates. English text is about 4 characters a token.
_CHARACTERS_A_TOKEN = 4
_TOKENS_A_MESSAGE = 4
_TOKENS_AN_ANSWER = 120
_TOKENS_A_TEXT = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceList:
    """Whose prices hold: the provider's, or those of the server at `base_url` where it is a known one.

    With `free` nothing costs anything.
    """

    provider: str
    base_url: str
    free_output: bool = False
    free: bool = False

    def read_usage(self, reply: Mapping[str, Any], model: str, flavor: str) -> Usage:
        """Return the tokens that a reply of the API reports, with their cost.

        `flavor` is the package's name for the form of the reply. A reply that reports nothing usable counts
        no tokens, at an unknown cost.
        """
        from genai_prices import extract_usage

        try:
            # Without the reply's `model`: an unknown one would be an error, and its tokens lost.
            tokens = {"usage": reply.get("usage")}
            used = extract_usage(tokens, provider_id=self.provider, api_flavor=flavor).usage
        except (ValueError, LookupError):
            return Usage(calls=1, cost_usd=None)
        return Usage(
            calls=1,
            input_tokens=int(used.input_tokens or 0),
            output_tokens=int(used.output_tokens or 0),
            cost_usd=self._cost(used, model),
        )

    def estimate(self, request: Request) -> Usage:
        """Return about what a request will use: a character is a quarter token, an answer 120 tokens."""
        from genai_prices import Usage as Tokens

        characters = sum(len(message.content) for message in request.messages)
        tokens = characters // _CHARACTERS_A_TOKEN + _TOKENS_A_MESSAGE * len(request.messages)
        output = len(request.questions) * _TOKENS_AN_ANSWER or _TOKENS_A_TEXT
        output = min(output, request.max_tokens or output)
        return Usage(
            calls=1,
            input_tokens=tokens,
            output_tokens=output,
            cost_usd=self._cost(Tokens(input_tokens=tokens, output_tokens=output), request.model),
        )

    def rates(self, model: str) -> tuple[Decimal, Decimal] | None:
        """Return the price in USD of a million tokens of input and of output; None where it is unknown."""
        from genai_prices import Usage as Tokens

        # of a thousand: a million at once could be of a dearer tier
        costs = (self._cost(Tokens(input_tokens=1000), model), self._cost(Tokens(output_tokens=1000), model))
        read, written = (None if cost is None else cost * 1000 for cost in costs)
        return None if read is None or written is None else (read, written)

    def _cost(self, used: Any, model: str) -> Decimal | None:
        if self.free:
            return Decimal(0)
        source = _find_source(model, self.base_url, self.provider)
        if source is None:
            return None
        from genai_prices import calc_price

        price = calc_price(used, model, **source)
        return price.input_price if self.free_output else price.total_price


@lru_cache(maxsize=256)
def _find_source(model: str, base_url: str, provider: str) -> Mapping[str, Any] | None:
    """Return where a model's price is found: at the server's address, else at the provider, or nowhere."""
    from genai_prices import Usage as Tokens
    from genai_prices import calc_price

    sources: tuple[dict[str, Any], ...] = ({"provider_api_url": base_url}, {"provider_id": provider})
    for source in sources:
        with suppress(LookupError):
            calc_price(Tokens(input_tokens=1, output_tokens=1), model, **source)
            return source
    return None


FREE = PriceList(provider="openai", base_url="", free=True)
"""The prices of what runs on this machine and replies as OpenAI does."""
