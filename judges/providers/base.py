"""The one signature that every endpoint and every layer around it has.

A request carries the rendered messages for endpoints that generate text, and the typed questions with their
evidence for endpoints that decide (or replay) them; each endpoint reads its half. So caching, limiting and
negotiating are written once, as providers that wrap a provider.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from typing import Any, Literal, Protocol

from judges.core.question import Answer, Evidence, Question, Subject, Unanswered
from judges.core.usage import Usage

DEFAULT_TIMEOUT_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a chat."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One call to a model.

    `model` is the endpoint's own name of the model. `schema` is the strict JSON schema of the reply, if it
    must have one. Parameters that are None are left to the endpoint. `replica` and `attempt` (both from 1)
    tell repeated calls apart; `wording` names the version of the judge's wording. `context` is the author's
    own wording, which the messages hold too. `subject` never reaches the model.
    """

    model: str
    messages: tuple[Message, ...]
    schema: Mapping[str, Any] | None = None
    questions: tuple[Question, ...] = ()
    evidence: Evidence = field(default_factory=Evidence)
    context: str = ""
    temperature: float | None = None
    max_tokens: int | None = None
    timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS
    replica: int = 1
    attempt: int = 1
    wording: str = ""
    subject: Subject = field(default_factory=Subject)


class Stop(StrEnum):
    """Why a model stopped."""

    END = "end"
    LENGTH = "length"
    REFUSAL = "refusal"


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """What an endpoint answered: `text`, or `answers` to the typed questions by name.

    `probabilities` (question name -> label -> 0..1) go with a text where the endpoint gives them.
    `effective` holds the parameters that were really sent, where they differ from the request's. `usage` is
    what is spent now, `cost_usd` what one from the cache cost when it was made, where that is known.
    """

    text: str = ""
    answers: Mapping[str, Answer | Unanswered] | None = None
    probabilities: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    stop: Stop = Stop.END
    usage: Usage = field(default_factory=lambda: Usage(calls=1))
    effective: Mapping[str, Any] = field(default_factory=dict)
    latency_ms: float | None = None
    cost_usd: Decimal | None = None


class Provider(Protocol):
    """An endpoint, or a layer around one."""

    def complete(self, request: Request) -> Completion:
        """Answer the request.

        Raises:
            ProviderError: the endpoint failed, or could not be reached.
        """
