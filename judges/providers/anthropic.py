"""The Anthropic messages API."""

from collections.abc import Sequence
from typing import Any

from judges.providers.base import Completion, Request, Stop
from judges.providers.endpoint import Endpoint
from judges.providers.prices import PriceList
from judges.providers.wire import Wire, http_settings

_STOPS = {
    "max_tokens": Stop.LENGTH,
    "model_context_window_exceeded": Stop.LENGTH,
    "refusal": Stop.REFUSAL,
}
_MAX_TOKENS = 4096  # the API requires a number


class AnthropicMessages:
    """Answers requests by messages. Safe to use from several threads."""

    def __init__(self, endpoint: Endpoint, prices: PriceList) -> None:
        import anthropic

        client = anthropic.Anthropic(
            api_key=endpoint.key,
            base_url=endpoint.base_url,
            max_retries=0,
            http_client=anthropic.DefaultHttpxClient(**http_settings(endpoint)),
        )
        self._wire = Wire(anthropic, client, endpoint)
        self._prices = prices

    def complete(self, request: Request) -> Completion:
        """Ask for one message.

        Raises:
            ProviderError: the endpoint failed, or could not be reached.
        """
        reply, latency_ms = self._wire.post("/v1/messages", _body(request), request)
        match reply:
            case {"content": [*blocks], "stop_reason": str(reason)}:
                text, stop = _first_text(blocks), _STOPS.get(reason, Stop.END)
            case _:
                raise self._wire.malformed(reply, request)
        usage = self._prices.read_usage(reply, request.model, "default")
        return Completion(text=text, stop=stop, usage=usage, latency_ms=latency_ms)


def _body(request: Request) -> dict[str, Any]:
    system = "\n\n".join(message.content for message in request.messages if message.role == "system")
    body: dict[str, Any] = {
        "model": request.model,
        "max_tokens": request.max_tokens or _MAX_TOKENS,
        "messages": [
            {"role": message.role, "content": message.content}
            for message in request.messages
            if message.role != "system"
        ],
    }
    if system:
        body["system"] = system
    if request.schema is not None:
        body["output_config"] = {"format": {"type": "json_schema", "schema": request.schema}}
    if request.temperature is not None:
        body["temperature"] = request.temperature
    return body


def _first_text(blocks: Sequence[Any]) -> str:
    """The first block may be a thinking one: the text is found by its type."""
    for block in blocks:
        match block:
            case {"type": "text", "text": str(text)}:
                return text
    return ""
