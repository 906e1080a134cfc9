"""The OpenAI chat API, and every server that speaks it: vLLM, Ollama, llama.cpp, OpenRouter."""

from collections.abc import Mapping
from typing import Any

from judges.providers.base import Completion, Request, Stop
from judges.providers.endpoint import Endpoint
from judges.providers.prices import PriceList
from judges.providers.wire import Wire, http_settings

_STOPS = {"length": Stop.LENGTH, "content_filter": Stop.REFUSAL}


def open_wire(endpoint: Endpoint) -> Wire:
    """Return a connection to an OpenAI endpoint through the OpenAI client."""
    import openai

    client = openai.OpenAI(
        api_key=endpoint.key,
        base_url=endpoint.base_url,
        max_retries=0,
        http_client=openai.DefaultHttpxClient(**http_settings(endpoint)),
    )
    return Wire(openai, client, endpoint)


class OpenAIChat:
    """Answers requests by chat completions. Safe to use from several threads."""

    def __init__(self, endpoint: Endpoint, prices: PriceList) -> None:
        self._wire = open_wire(endpoint)
        self._prices = prices

    def complete(self, request: Request) -> Completion:
        """Ask for one chat completion.

        Raises:
            ProviderError: the endpoint failed, or could not be reached.
        """
        return self.ask(request, {})[0]

    def ask(self, request: Request, extra: Mapping[str, Any]) -> tuple[Completion, Mapping[str, Any]]:
        """Ask with further fields of the API; return the completion, and the reply that it is made from.

        Raises:
            ProviderError: the endpoint failed, or could not be reached.
        """
        body = {**_body(request), **extra}
        reply, latency_ms = self._wire.post("/chat/completions", body, request)
        match reply:
            case {"choices": [{"message": dict(message), **choice}, *_]}:
                text, stop = _read_message(message, choice.get("finish_reason"))
            case _:
                raise self._wire.malformed(reply, request)
        usage = self._prices.read_usage(reply, request.model, "chat")
        return Completion(text=text, stop=stop, usage=usage, latency_ms=latency_ms), reply


def _body(request: Request) -> dict[str, Any]:
    body: dict[str, Any] = {
        "model": request.model,
        "messages": [{"role": message.role, "content": message.content} for message in request.messages],
    }
    if request.schema is not None:
        schema = {"name": "reply", "strict": True, "schema": request.schema}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    if request.temperature is not None:
        body["temperature"] = request.temperature
    if request.max_tokens is not None:
        body["max_completion_tokens"] = request.max_tokens
    return body


def _read_message(message: Mapping[str, Any], finish_reason: object) -> tuple[str, Stop]:
    if refusal := message.get("refusal"):
        return str(refusal), Stop.REFUSAL
    content = message.get("content")
    return content if isinstance(content, str) else "", _STOPS.get(str(finish_reason), Stop.END)
