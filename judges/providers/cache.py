"""Answers a request from the cache when an equal one was asked before, or asks once for all in flight.

The key is the request as it was asked: the endpoint, the model, the parameters, the messages, the questions
and their evidence, the wording, the replica and the attempt. What a request is about, how long it may take,
and anything that only scores the answer (weights, thresholds, ranges) are no part of it, so that re-scoring
is free. Values are JSON. Only usable completions are stored, failures never; a completion is stored before
it is counted.
"""

import json
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import asdict, dataclass, replace
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from hashlib import sha256
from typing import Any, TypeAlias

from judges.core.case import digest
from judges.core.encode import render_line
from judges.core.question import Answer, Question, Unanswered
from judges.core.usage import Usage
from judges.providers.base import Completion, Message, Provider, Request, Stop
from judges.providers.store import Store

Usable: TypeAlias = Callable[[Request, Completion], bool]

_CACHED = Usage(cached=1)
_FORMAT = 4  # a change of the key's or the value's form starts afresh


@dataclass(frozen=True, slots=True)
class Keeping:
    """Where completions are kept, and which of them are worth it: a judge's reply, once it was parsed."""

    store: Store
    usable: Usable


class Cache:
    """A layer around an endpoint. `endpoint` names the provider and its address. Safe to use from threads."""

    def __init__(self, inner: Provider, endpoint: str, keeping: Keeping) -> None:
        self._inner = inner
        self._endpoint = endpoint
        self._keeping = keeping
        self._in_flight: dict[str, Future[Completion]] = {}
        self._lock = threading.Lock()

    def complete(self, request: Request) -> Completion:
        """Return the stored completion of an equal request, or ask. What was not asked for costs nothing.

        Raises:
            ProviderError: the endpoint failed, for this request or the equal one in flight.
        """
        key = request_key(self._endpoint, request)
        with self._lock:
            flight = self._in_flight.get(key)
        if flight is not None:
            return _cached(flight.result())
        return self._find(key) or self._share(key, request)

    def _share(self, key: str, request: Request) -> Completion:
        """Ask, or wait for who is asking the same."""
        with self._lock:
            flight = self._in_flight.get(key)
            if flight is None:
                own = self._in_flight[key] = Future()
        if flight is not None:
            return _cached(flight.result())
        try:
            # whoever asked until now may have stored it since it was looked for
            completion = self._find(key) or self._ask(key, request)
        except BaseException as error:
            own.set_exception(error)
            raise
        finally:
            with self._lock:
                del self._in_flight[key]
        own.set_result(completion)
        return completion

    def _find(self, key: str) -> Completion | None:
        text = self._keeping.store.get(key)
        return None if text is None else decode_completion(text)

    def _ask(self, key: str, request: Request) -> Completion:
        completion = self._inner.complete(request)
        if self._keeping.usable(request, completion):
            self._keeping.store.put(key, encode_completion(completion))
        return completion


def request_key(endpoint: str, request: Request) -> str:
    """Return the digest of all that can change the answer to a request, in hex."""
    asked = [
        _FORMAT,
        endpoint,
        request.model,
        None if request.temperature is None else float(request.temperature),
        request.max_tokens,
        _questions_key(request.questions) if request.questions else request.schema,
        [_message_key(message) for message in request.messages],
        list(request.evidence.fields.items()),
        _digest(request.context),
        request.wording,
        request.replica,
        request.attempt,
    ]
    return digest(render_line(asked))


def _message_key(message: Message) -> list[str]:
    """Return a message; of one that many cases share the digest, so that its text is read only once."""
    return [message.role, _digest(message.content) if message.role == "system" else message.content]


_digest = lru_cache(maxsize=256)(digest)


@lru_cache(maxsize=256)
def _questions_key(questions: tuple[Question, ...]) -> str:
    """Return the digest of questions: they are the same for many cases, and the schema follows from them."""
    fields = [[type(each).__name__, *(getattr(each, name) for name in each.__slots__)] for each in questions]
    return sha256(json.dumps(fields).encode()).hexdigest()


def encode_completion(completion: Completion) -> str:
    """Return a completion as JSON, with what it cost."""
    answers, cost = completion.answers, completion.usage.cost_usd
    return json.dumps(
        {
            "text": completion.text,
            "answers": answers and {name: asdict(answer) for name, answer in answers.items()},
            "probabilities": completion.probabilities,
            "stop": completion.stop,
            "effective": dict(completion.effective),
            "latency_ms": completion.latency_ms,
            "cost_usd": None if cost is None else str(cost),
        }
    )


def decode_completion(text: str) -> Completion | None:
    """Return the completion that `encode_completion` wrote, now free, or None where the text is not one."""
    try:
        data = json.loads(text)
        answers, cost = data["answers"], data.get("cost_usd")
        return Completion(
            text=data["text"],
            answers=answers and {name: _decode_answer(answer) for name, answer in answers.items()},
            probabilities=data.get("probabilities", {}),
            stop=Stop(data["stop"]),
            effective=data["effective"],
            latency_ms=data["latency_ms"],
            usage=_CACHED,
            cost_usd=None if cost is None else Decimal(cost),
        )
    except (ValueError, KeyError, TypeError, AttributeError, InvalidOperation):
        return None


def _decode_answer(data: Mapping[str, Any]) -> Answer | Unanswered:
    if "reason" in data:
        return Unanswered(**data)
    return Answer(**{**data, "quotes": tuple(data["quotes"]), "votes": ()})


def _cached(completion: Completion) -> Completion:
    cost = completion.usage.cost_usd if completion.usage.calls else completion.cost_usd
    return replace(completion, usage=_CACHED, cost_usd=cost)
