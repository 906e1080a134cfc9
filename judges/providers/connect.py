"""From a model's name to a provider that is ready to be asked: names, keys, addresses, and the layers.

Nothing is read from the environment here: it is passed in. An adapter, and with it its SDK, is imported only
when it is connected to.
"""

import re
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import partial
from typing import TypeAlias
from urllib.parse import urlsplit

from judges.core.errors import ConfigError, Problem
from judges.core.replay import ReplayEntry
from judges.providers.base import Completion, Provider, Request
from judges.providers.cache import Cache, Keeping
from judges.providers.endpoint import Endpoint, mask_credentials
from judges.providers.limit import Limit, Terms
from judges.providers.negotiate import Negotiate, known_refusals
from judges.providers.prices import FREE, PriceList

LoadReplay: TypeAlias = Callable[[str], Iterable[ReplayEntry]]

_BARE_NAMES = (("openai", re.compile(r"gpt-|chatgpt-|o\d")), ("anthropic", re.compile(r"claude-")))
_NO_KEY = "no-key-needed"  # the SDKs insist on one


@dataclass(frozen=True, slots=True)
class ModelName:
    """A model as a suite or a flag names it, `provider:model`. For `replay` the model is the file."""

    provider: str
    model: str

    def __str__(self) -> str:
        return f"{self.provider}:{self.model}"


@dataclass(frozen=True, slots=True)
class Vendor:
    """Who offers an API: the variables that set its key and address, its own address, its price list."""

    key_variable: str
    url_variable: str
    base_url: str
    prices: str


OPENAI = Vendor("OPENAI_API_KEY", "OPENAI_BASE_URL", "https://api.openai.com/v1", "openai")
ANTHROPIC = Vendor("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "https://api.anthropic.com", "anthropic")
CLAUDE_CLI = "claude-cli"
VENDORS = {"openai": OPENAI, "openai-decisions": OPENAI, "anthropic": ANTHROPIC, CLAUDE_CLI: ANTHROPIC}

PROVIDERS = (*VENDORS, "replay", "local")


def parse_model(name: str) -> ModelName:
    """Return the provider and the model that a name stands for. Well-known bare names need no provider.

    Raises:
        ConfigError: it names no provider, an unknown one, or no model.
    """
    name = name.strip()
    provider, colon, model = name.partition(":")
    if not colon:
        return _parse_bare(name)
    if provider not in PROVIDERS:
        close = get_close_matches(provider, PROVIDERS, n=1)
        hint = f"did you mean {close[0]}:{model}?" if close else _how_to_write(name)
        raise ConfigError([Problem(f"the model '{name}' names the unknown provider '{provider}'", hint=hint)])
    if not model:
        raise ConfigError([Problem(f"'{name}' names no model", hint=f"write {provider}:MODEL")])
    return ModelName(provider, model)


def connect(
    name: str | ModelName,
    *,
    environ: Mapping[str, str],
    base_url: str | None = None,
    terms: Terms | None = None,
    keeping: Keeping | None = None,
    load_replay: LoadReplay | None = None,
) -> Provider:
    """Return the provider of a model with all its layers. Nothing is sent yet.

    The address is `base_url`, else the one in the environment, else the vendor's own. `keeping` is the cache,
    if there is to be one. `load_replay` reads the file of a `replay:FILE` name.

    Raises:
        ConfigError: the name, the address or the key cannot be used.
    """
    model = parse_model(name) if isinstance(name, str) else name
    terms = terms or Terms()
    if model.provider == "replay":
        return _replay(model.model, load_replay)
    if model.provider == "local":
        return _local(model.model, environ, terms, keeping)
    if model.provider == CLAUDE_CLI:
        return _claude(model, environ, base_url, terms, keeping)
    endpoint = _endpoint(model, environ, base_url, terms.concurrency)
    prices = _price_list(model, endpoint.base_url)
    negotiated = Negotiate(
        Deferred(partial(_adapter, endpoint, prices)), partial(known_refusals, model.provider)
    )
    limited = Limit(negotiated, prices.estimate, terms)
    return Cache(limited, f"{model.provider} {endpoint.url}", keeping) if keeping else limited


def price_list(name: str, *, environ: Mapping[str, str], base_url: str | None = None) -> PriceList | None:
    """Return the prices of a model without connecting to it: no key is needed. None: it calls nothing.

    Raises:
        ConfigError: the name or the address cannot be used.
    """
    model = parse_model(name)
    if model.provider == "local":
        return FREE
    vendor = VENDORS.get(model.provider)
    return None if vendor is None else _price_list(model, _address(vendor, environ, base_url))


def _price_list(model: ModelName, url: str) -> PriceList:
    prices = VENDORS[model.provider].prices
    return PriceList(provider=prices, base_url=url, free_output=model.provider == "openai-decisions")


class Deferred:
    """Sets an endpoint up at its first call: a run that is answered from the cache loads no SDK."""

    def __init__(self, build: Callable[[], Provider]) -> None:
        self._build = build
        self._built: Provider | None = None
        self._lock = threading.Lock()

    def complete(self, request: Request) -> Completion:
        """Answer the request.

        Raises:
            ProviderError: the endpoint failed.
        """
        with self._lock:
            if self._built is None:
                self._built = self._build()
        return self._built.complete(request)


def _adapter(endpoint: Endpoint, prices: PriceList) -> Provider:
    match endpoint.provider:
        case "anthropic":
            from judges.providers.anthropic import AnthropicMessages

            return AnthropicMessages(endpoint, prices)
        case "openai-decisions":
            from judges.providers.openai_decisions import OpenAIDecisions

            return OpenAIDecisions(endpoint, prices)
        case _:
            from judges.providers.openai import OpenAIChat

            return OpenAIChat(endpoint, prices)


def _replay(file: str, load_replay: LoadReplay | None) -> Provider:
    from judges.providers.replay import Replay

    if load_replay is None:
        raise ConfigError([Problem(f"replay:{file} cannot be used here", hint="name a model")])
    return Replay(load_replay(file))


def _local(model: str, environ: Mapping[str, str], terms: Terms, keeping: Keeping | None) -> Provider:
    """A local model takes one call at a time, and what it fails at it fails at again."""
    from judges.providers.local.chat import open_local

    chat = open_local(model, environ)
    limited = Limit(chat, FREE.estimate, replace(terms, concurrency=1, http_retries=0))
    return Cache(limited, f"local {chat.identity}", keeping) if keeping else limited


def _claude(
    model: ModelName,
    environ: Mapping[str, str],
    base_url: str | None,
    terms: Terms,
    keeping: Keeping | None,
) -> Provider:
    """The client takes its key, or its own login, and the address from its environment."""
    from judges.providers.claude.client import find_client
    from judges.providers.claude.judge import ClaudeCli

    url = _address(ANTHROPIC, environ, base_url)
    client = find_client(environ if url == ANTHROPIC.base_url else {**environ, ANTHROPIC.url_variable: url})
    endpoint = Endpoint(
        provider=model.provider,
        base_url=url,
        key=environ.get(ANTHROPIC.key_variable, "").strip(),
        key_variable=ANTHROPIC.key_variable,
    )
    negotiated = Negotiate(ClaudeCli(client, endpoint, terms.slots), partial(known_refusals, model.provider))
    limited = Limit(negotiated, _price_list(model, url).estimate, terms)
    return (
        Cache(limited, f"{model.provider} {client.version} {endpoint.url}", keeping) if keeping else limited
    )


def _endpoint(
    model: ModelName, environ: Mapping[str, str], base_url: str | None, concurrency: int
) -> Endpoint:
    vendor = VENDORS[model.provider]
    url = _address(vendor, environ, base_url)
    return Endpoint(
        provider=model.provider,
        base_url=url,
        key=_key(model, vendor, environ, url),
        key_variable=vendor.key_variable,
        concurrency=concurrency,
    )


def _key(model: ModelName, vendor: Vendor, environ: Mapping[str, str], url: str) -> str:
    key = environ.get(vendor.key_variable, "").strip()
    if not key and url == vendor.base_url:
        hint = (
            f"set {vendor.key_variable}, take what is recorded with --outputs FILE or --judge replay:FILE, "
            "or set base_url to the address of a local server"
        )
        message = f"{model} needs a key, and {vendor.key_variable} is not set"
        raise ConfigError([Problem(message, hint=hint)])
    if not (key.isascii() and key.isprintable()) or " " in key:
        message = f"{vendor.key_variable} holds characters that no key has"
        raise ConfigError([Problem(message, hint="copy the key again, without quotes or line breaks")])
    return key or _NO_KEY


def _address(vendor: Vendor, environ: Mapping[str, str], base_url: str | None) -> str:
    url = base_url or environ.get(vendor.url_variable, "").strip() or vendor.base_url
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        source = "base_url" if base_url else vendor.url_variable
        message = f"{source} is not the address of a server: '{mask_credentials(url)}'"
        raise ConfigError([Problem(message, hint="write it like http://localhost:11434/v1")])
    # Anthropic's SDK adds the version itself.
    return url.rstrip("/").removesuffix("/v1") if vendor is ANTHROPIC else url


def _parse_bare(name: str) -> ModelName:
    for provider, pattern in _BARE_NAMES:
        if pattern.match(name):
            return ModelName(provider, name)
    raise ConfigError([Problem(f"the model '{name}' names no provider", hint=_how_to_write(name))])


def _how_to_write(name: str) -> str:
    return (
        f"write PROVIDER:MODEL with one of the providers {', '.join(PROVIDERS)}; "
        f"for a server with OpenAI's API write openai:{name or 'MODEL'} and set base_url"
    )
