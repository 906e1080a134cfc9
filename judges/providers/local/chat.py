"""The provider: OpenAI's chat adapter at the model's own server, and the probabilities of each answer."""

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from judges.core.errors import ProcessError, ProviderError
from judges.providers.base import Completion, Message, Request
from judges.providers.endpoint import Endpoint
from judges.providers.local.models import PROVIDER, cache_folder, find_model, is_smoke_judge
from judges.providers.local.probabilities import read_probabilities
from judges.providers.local.process import Address, LocalServer, server_command
from judges.providers.openai import OpenAIChat
from judges.providers.prices import FREE

_CONTEXT_TOKENS = 8192
_MOST_TOKENS = 2048  # of an output, where the suite sets no limit
_MOST_ITEMS, _LONGEST_TEXT = 3, 300  # quotes of an answer, characters of a quote: a small model finds no end
_LOGPROBS = {"logprobs": True, "top_logprobs": 20}  # the most that OpenAI's API allows

# Marks of a turn act as such within a message too: what is judged must not be able to open one.
_MARKS = re.compile(
    r"<(?=[|\uff5c][^<>\s]{1,40}[|\uff5c]>|/?s>|(?:start|end)_of_turn>|[be]os>)|\[(?=/?INST\])"
)
_UNSEEN = "\u200b"


def open_local(name: str, environ: Mapping[str, str]) -> "LocalChat":
    """Return the provider of a local model, by its name or the path of its file. Nothing is started yet.

    Raises:
        ConfigError: the extra or the model is not installed, or the file is no model.
    """
    path = find_model(name, environ)
    log = cache_folder(environ) / "logs" / f"{path.stem}.log"
    server = LocalServer(server_command(path, context=_CONTEXT_TOKENS), log)
    return LocalChat(name, path, server, quick=is_smoke_judge(f"{PROVIDER}:{name}"))


class LocalChat:
    """Answers requests by a local model. Safe to use from several threads; the model takes one at a time.

    `identity` is the path of the model, its size in bytes and its time of change. A `quick` one, whose
    judgements are worth nothing, gives no reasons, and takes up prompts where the last one differs; that
    changes probabilities a little. Any other gives equal answers to equal requests.
    """

    def __init__(self, name: str, path: Path, server: LocalServer, *, quick: bool = False) -> None:
        facts = path.stat()
        self.identity = f"{path.resolve()} {facts.st_size} {facts.st_mtime_ns}"
        self._name = name
        self._server = server
        self._quick = quick
        self._chats: dict[Address, OpenAIChat] = {}

    def complete(self, request: Request) -> Completion:
        """Ask the model, after starting its server where that does not run.

        Raises:
            ProviderError: there was no answer in time, or the request was refused.
            ProcessError: the server could not be started, or ended during this call.
        """
        chat = self._connect(self._server.address())
        extra = {"seed": 0, "cache_prompt": self._quick, **(_LOGPROBS if request.questions else {})}
        try:
            completion, reply = chat.ask(adapt(request, brief=self._quick), extra)
        except ProviderError as error:
            if end := self._server.how_it_ended():
                raise ProcessError(
                    f"{PROVIDER}:{self._name}: the model's server {end} during the call"
                ) from error
            raise
        return replace(completion, probabilities=read_probabilities(reply, request.questions))

    def _connect(self, address: Address) -> OpenAIChat:
        if address not in self._chats:
            endpoint = Endpoint(
                provider=PROVIDER, base_url=address.base_url, key=address.key, key_variable="", concurrency=1
            )
            self._chats = {address: OpenAIChat(endpoint, FREE)}
        return self._chats[address]


def adapt(request: Request, *, brief: bool = False) -> Request:
    """Return the request as a small model can take it: no marks of turns, and bounds to what it writes.

    A brief reply has no quotes and no reasons.
    """
    items, length = (0, 0) if brief else (_MOST_ITEMS, _LONGEST_TEXT)
    messages = tuple(Message(each.role, _MARKS.sub(_defuse, each.content)) for each in request.messages)
    return replace(
        request,
        messages=messages,
        schema=request.schema and _bounded(request.schema, items, length),
        max_tokens=request.max_tokens or _MOST_TOKENS,
    )


def _defuse(mark: re.Match[str]) -> str:
    return mark[0] + _UNSEEN


def _bounded(schema: Any, items: int, length: int) -> Any:
    if not isinstance(schema, dict):
        return schema
    bounds: dict[str, int] = {}
    if schema.get("type") == "string" and "enum" not in schema:
        bounds = {"maxLength": length}
    elif schema.get("type") == "array":
        bounds = {"maxItems": items}
    return {key: _bounded(value, items, length) for key, value in schema.items()} | bounds
