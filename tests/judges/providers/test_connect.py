"""Names, keys and addresses of models."""

import subprocess
import sys

import pytest
from loopback import Loopback, Reply, anthropic_text, openai_text

from judges.core.errors import ConfigError
from judges.core.question import Answer, Score, Subject
from judges.core.replay import ReplayEntry
from judges.providers import Message, Request
from judges.providers.connect import ModelName, connect, parse_model, price_list
from judges.providers.prices import PriceList

HELLO = (Message("user", "hello"),)
HOW_TO_WRITE = (
    "write PROVIDER:MODEL with one of the providers openai, openai-decisions, anthropic, claude-cli, "
    "replay, local; for a server with OpenAI's API write openai:{name} and set base_url"
)


@pytest.mark.parametrize(
    ("name", "provider", "model"),
    [
        pytest.param("openai:gpt-4.1", "openai", "gpt-4.1", id="prefixed"),
        pytest.param("openai-decisions:gpt-6-luna", "openai-decisions", "gpt-6-luna", id="decisions"),
        pytest.param("anthropic:claude-haiku-4-5", "anthropic", "claude-haiku-4-5", id="anthropic"),
        pytest.param("openai:llama3.2:3b", "openai", "llama3.2:3b", id="colon in the model"),
        pytest.param("replay:judge/replay.jsonl", "replay", "judge/replay.jsonl", id="replay"),
        pytest.param("gpt-4o", "openai", "gpt-4o", id="bare gpt"),
        pytest.param("chatgpt-4o-latest", "openai", "chatgpt-4o-latest", id="bare chatgpt"),
        pytest.param("o3-mini", "openai", "o3-mini", id="bare o3"),
        pytest.param(" claude-sonnet-5 ", "anthropic", "claude-sonnet-5", id="bare claude with spaces"),
    ],
)
def test_names(name: str, provider: str, model: str) -> None:
    """A name is a provider and a model; well-known bare names find their provider."""
    assert parse_model(name) == ModelName(provider, model)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        pytest.param(
            "llama3",
            f"the model 'llama3' names no provider ({HOW_TO_WRITE.format(name='llama3')})",
            id="bare and unknown",
        ),
        pytest.param(
            "ollama", f"the model 'ollama' names no provider ({HOW_TO_WRITE.format(name='ollama')})", id="o…"
        ),
        pytest.param("", f"the model '' names no provider ({HOW_TO_WRITE.format(name='MODEL')})", id="empty"),
        pytest.param(
            "antropic:claude-haiku-4-5",
            "the model 'antropic:claude-haiku-4-5' names the unknown provider 'antropic' "
            "(did you mean anthropic:claude-haiku-4-5?)",
            id="misspelt",
        ),
        pytest.param(
            "qwen3:8b",
            "the model 'qwen3:8b' names the unknown provider 'qwen3' "
            f"({HOW_TO_WRITE.format(name='qwen3:8b')})",
            id="a tag",
        ),
        pytest.param("openai:", "'openai:' names no model (write openai:MODEL)", id="no model"),
    ],
)
def test_names_that_cannot_be_used(name: str, message: str) -> None:
    """A name without a known provider is refused with how to write it."""
    with pytest.raises(ConfigError) as caught:
        parse_model(name)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("name", "variable"),
    [
        pytest.param("gpt-4o", "OPENAI_API_KEY", id="openai"),
        pytest.param("openai-decisions:gpt-6-luna", "OPENAI_API_KEY", id="decisions"),
        pytest.param("claude-haiku-4-5", "ANTHROPIC_API_KEY", id="anthropic"),
    ],
)
def test_missing_key(name: str, variable: str) -> None:
    """Without a key nothing is connected; the variable and the alternatives are named."""
    with pytest.raises(ConfigError) as caught:
        connect(name, environ={variable: " "})
    assert str(caught.value) == (
        f"{parse_model(name)} needs a key, and {variable} is not set (set {variable}, "
        "take what is recorded with --outputs FILE or --judge replay:FILE, "
        "or set base_url to the address of a local server)"
    )


@pytest.mark.parametrize("key", ["sk-“quoted”", "sk-one\nsk-two", "sk-one sk-two"])
def test_broken_key(key: str) -> None:
    """A key that no header can hold is refused before the first call, and not shown."""
    with pytest.raises(ConfigError) as caught:
        connect("gpt-4o", environ={"OPENAI_API_KEY": key})
    assert str(caught.value) == (
        "OPENAI_API_KEY holds characters that no key has (copy the key again, without quotes or line breaks)"
    )


@pytest.mark.parametrize("url", ["localhost:11434", "ftp://host/v1", "http://", "http://host:port/v1"])
def test_broken_address(url: str) -> None:
    """A base_url that is no address of a server is refused."""
    with pytest.raises(ConfigError) as caught:
        connect("gpt-4o", environ={}, base_url=url)
    assert str(caught.value) == (
        f"base_url is not the address of a server: '{url}' (write it like http://localhost:11434/v1)"
    )


def test_address_of_the_environment_is_named() -> None:
    """A broken address from the environment is reported under its variable."""
    with pytest.raises(ConfigError, match="ANTHROPIC_BASE_URL is not the address of a server: 'nowhere'"):
        connect("claude-haiku-4-5", environ={"ANTHROPIC_BASE_URL": "nowhere"})


@pytest.mark.parametrize(
    ("name", "variable", "reply", "path"),
    [
        pytest.param("gpt-4o", "OPENAI_BASE_URL", openai_text("hi"), "/v1/chat/completions", id="openai"),
        pytest.param(
            "claude-haiku-4-5", "ANTHROPIC_BASE_URL", anthropic_text("hi"), "/v1/messages", id="anthropic"
        ),
    ],
)
def test_address_of_the_environment_needs_no_key(
    loopback: Loopback, name: str, variable: str, reply: Reply, path: str
) -> None:
    """An address in the environment is used, and a server of one's own needs no key."""
    server = loopback(reply)
    provider = connect(name, environ={variable: f"{server.url}/v1"})
    assert provider.complete(Request(model=name, messages=HELLO)).text == "hi"
    assert [request.path for request in server.requests] == [path]
    assert server.requests[0].headers["authorization"] == "Bearer no-key-needed"


def test_the_argument_goes_before_the_environment(loopback: Loopback) -> None:
    """An explicit base_url goes before the environment's; the key is sent to it."""
    server = loopback(openai_text("hi"))
    environ = {"OPENAI_API_KEY": " sk-mine\n", "OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}
    connect("gpt-4o", environ=environ, base_url=server.url).complete(Request(model="gpt-4o", messages=HELLO))
    assert server.requests[0].headers["authorization"] == "Bearer sk-mine"


@pytest.mark.parametrize(
    ("name", "environ", "base_url", "prices"),
    [
        pytest.param(
            "gpt-4o", {}, None, PriceList(provider="openai", base_url="https://api.openai.com/v1"), id="own"
        ),
        pytest.param(
            "openai-decisions:gpt-6-luna",
            {"OPENAI_BASE_URL": "http://there"},
            "http://here",
            PriceList(provider="openai", base_url="http://here", free_output=True),
            id="decisions elsewhere",
        ),
        pytest.param(
            "claude-haiku-4-5",
            {"ANTHROPIC_BASE_URL": "http://there/v1/"},
            None,
            PriceList(provider="anthropic", base_url="http://there"),
            id="from the environment",
        ),
        pytest.param("replay:r.jsonl", {}, None, None, id="nothing is called"),
    ],
)
def test_prices_need_no_key(
    name: str, environ: dict[str, str], base_url: str | None, prices: PriceList | None
) -> None:
    """The prices of a model are known without a key."""
    assert price_list(name, environ=environ, base_url=base_url) == prices


def test_replay_reads_its_file() -> None:
    """`replay:FILE` answers from what the loader makes of the file."""
    files = []

    def load(file: str) -> list[ReplayEntry]:
        files.append(file)
        return [ReplayEntry(ref="a", question="q", answer=2)]

    provider = connect("replay:r.jsonl", environ={}, load_replay=load)
    question = Score(name="q", instructions="", levels=("", ""))
    request = Request(model="r.jsonl", messages=(), questions=(question,), subject=Subject(ref="a"))
    assert provider.complete(request).answers == {"q": Answer(value=2)}
    assert files == ["r.jsonl"]


def test_replay_where_it_makes_no_sense() -> None:
    """Without a loader, a replay cannot be connected to."""
    with pytest.raises(ConfigError) as caught:
        connect("replay:r.jsonl", environ={})
    assert str(caught.value) == "replay:r.jsonl cannot be used here (name a model)"


def test_imports_are_lazy() -> None:
    """Importing the package, `connect` and the adapters imports no SDK and no price data."""
    code = (
        "import sys, judges.providers.connect, judges.providers.openai, judges.providers.anthropic,"
        "judges.providers.openai_decisions;"
        "print(sorted({'openai', 'anthropic', 'httpx2', 'genai_prices'} & set(sys.modules)))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout == "[]\n"


def test_an_sdk_is_imported_when_it_is_called() -> None:
    """Connecting imports no SDK, so that a run from the cache needs none; the first call imports its own."""
    code = (
        "import sys; from judges.providers.connect import connect;"
        "from judges.providers import Message, Request;"
        "loaded = lambda: print('openai' in sys.modules, 'anthropic' in sys.modules);"
        "provider = connect('gpt-4o', environ={'OPENAI_BASE_URL': 'http://127.0.0.1:9'},"
        " terms=__import__('judges.providers.limit').providers.limit.Terms(http_retries=0));"
        "loaded()\n"
        "try: provider.complete(Request(model='gpt-4o', messages=(Message('user', 'hi'),)))\n"
        "except Exception: loaded()"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout == "False False\nTrue False\n"
