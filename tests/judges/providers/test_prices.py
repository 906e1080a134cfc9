"""Tokens and money."""

from decimal import Decimal
from typing import Any

import pytest

from judges.core.question import Predicate
from judges.core.usage import Usage
from judges.providers import Message, Request
from judges.providers.prices import PriceList

OPENAI = PriceList(provider="openai", base_url="https://api.openai.com/v1")
ANTHROPIC = PriceList(provider="anthropic", base_url="https://api.anthropic.com")


@pytest.mark.parametrize(
    ("prices", "reply", "model", "flavor", "usage"),
    [
        pytest.param(
            OPENAI,
            {"usage": {"prompt_tokens": 1000, "completion_tokens": 100}},
            "gpt-4o",
            "chat",
            Usage(calls=1, input_tokens=1000, output_tokens=100, cost_usd=Decimal("0.0035")),
            id="openai",
        ),
        pytest.param(
            ANTHROPIC,
            {
                "usage": {
                    "input_tokens": 100,
                    "output_tokens": 10,
                    "cache_read_input_tokens": 800,
                    "cache_creation_input_tokens": 100,
                }
            },
            "claude-haiku-4-5-20251001",
            "default",
            # 100 at 1.00, 800 read at 0.10, 100 written at 1.25, 10 out at 5.00 USD a million
            Usage(calls=1, input_tokens=1000, output_tokens=10, cost_usd=Decimal("0.000355")),
            id="anthropic with its cache",
        ),
        pytest.param(
            OPENAI,
            {"model": "gpt-99", "usage": {"prompt_tokens": 1000, "completion_tokens": 100}},
            "gpt-99",
            "chat",
            Usage(calls=1, input_tokens=1000, output_tokens=100, cost_usd=None),
            id="unknown model",
        ),
        pytest.param(
            PriceList(provider="openai", base_url="https://openrouter.ai/api/v1"),
            {"usage": {"prompt_tokens": 1000, "completion_tokens": 100}},
            "anthropic/claude-3.5-haiku",
            "chat",
            Usage(calls=1, input_tokens=1000, output_tokens=100, cost_usd=Decimal("0.0012")),
            id="another server's own prices",
        ),
        pytest.param(
            PriceList(provider="openai", base_url="http://127.0.0.1:8000"),
            {"usage": {"prompt_tokens": 1000, "completion_tokens": 100}},
            "gpt-4o",
            "chat",
            Usage(calls=1, input_tokens=1000, output_tokens=100, cost_usd=Decimal("0.0035")),
            id="unknown server, known model",
        ),
        pytest.param(OPENAI, {}, "gpt-4o", "chat", Usage(calls=1, cost_usd=None), id="nothing reported"),
        pytest.param(
            OPENAI, {"usage": None}, "gpt-4o", "chat", Usage(calls=1, cost_usd=None), id="null reported"
        ),
        pytest.param(
            OPENAI,
            {"usage": {"prompt_tokens": "many", "completion_tokens": 1}},
            "gpt-4o",
            "chat",
            Usage(calls=1, cost_usd=None),
            id="rubbish reported",
        ),
    ],
)
def test_read_usage(prices: PriceList, reply: dict[str, Any], model: str, flavor: str, usage: Usage) -> None:
    """Reported tokens are priced; what is unknown costs None, never 0."""
    assert prices.read_usage(reply, model, flavor) == usage


@pytest.mark.parametrize(
    ("request_", "tokens"),
    [
        pytest.param(
            Request(model="gpt-4o", messages=(Message("system", "x" * 400), Message("user", "x" * 40))),
            (118, 500),
            id="a text",
        ),
        pytest.param(
            Request(
                model="gpt-4o",
                messages=(Message("user", "x" * 400),),
                questions=(
                    Predicate(name="a", instructions=""),
                    Predicate(name="b", instructions=""),
                ),
                max_tokens=4096,
            ),
            (104, 240),
            id="two answers",
        ),
        pytest.param(
            Request(model="gpt-4o", messages=(Message("user", "x" * 400),), max_tokens=50),
            (104, 50),
            id="no more than the most",
        ),
    ],
)
def test_estimate(request_: Request, tokens: tuple[int, int]) -> None:
    """A character is a quarter of a token, an answer 120 tokens, a text 500."""
    estimate = OPENAI.estimate(request_)
    assert (estimate.calls, estimate.input_tokens, estimate.output_tokens) == (1, *tokens)
    assert estimate.cost_usd == (Decimal("2.5") * tokens[0] + Decimal(10) * tokens[1]) / 1_000_000


def test_estimate_of_an_unknown_model() -> None:
    """An unknown price stays unknown."""
    assert OPENAI.estimate(Request(model="llama3", messages=())).cost_usd is None


def test_decisions_pay_for_input_only() -> None:
    """A deciding endpoint has no output charge."""
    prices = PriceList(provider="openai", base_url="https://api.openai.com/v1", free_output=True)
    reply = {"usage": {"input_tokens": 1000, "output_tokens": 100}}
    assert prices.read_usage(reply, "gpt-6-luna", "responses").cost_usd == Decimal("0.0001")


@pytest.mark.parametrize(
    ("prices", "model", "rates"),
    [
        pytest.param(OPENAI, "gpt-4o", (Decimal("2.5"), Decimal(10)), id="known"),
        pytest.param(OPENAI, "llama3", None, id="unknown"),
        pytest.param(
            PriceList(provider="openai", base_url="https://api.openai.com/v1", free_output=True),
            "gpt-6-luna",
            (Decimal("0.1"), Decimal(0)),
            id="no charge for output",
        ),
    ],
)
def test_rates(prices: PriceList, model: str, rates: tuple[Decimal, Decimal] | None) -> None:
    """Prices of a million tokens, in and out."""
    assert prices.rates(model) == rates
