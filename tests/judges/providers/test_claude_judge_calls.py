"""The provider `claude-cli` by a stand-in for the client: flags, environment, replies, failures."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from fake_claude import FakeClaude, MakeClaude
from runner_scripts import is_alive

from judges.core.errors import ConfigError, ProviderError
from judges.core.usage import Usage
from judges.providers.base import Message, Request, Stop
from judges.providers.claude import judge as judge_module
from judges.providers.claude.judge import ClaudeCli
from judges.providers.connect import connect, parse_model, price_list
from judges.providers.endpoint import Endpoint
from judges.providers.process.slots import Slots

ENDPOINT = Endpoint(
    provider="claude-cli", base_url="https://api.example", key="sk-ant-fake", key_variable="ANTHROPIC_API_KEY"
)
NAME = "claude-cli:claude-haiku-4-5 at https://api.example"


def request(**more: Any) -> Request:
    messages = (Message("system", "You judge."), Message("user", "Is it good?"))
    return Request(model="claude-haiku-4-5", **{"messages": messages, "timeout_seconds": 20.0, **more})


def judge(fake: FakeClaude) -> ClaudeCli:
    return ClaudeCli(fake.client, ENDPOINT, Slots(1))


def test_a_call(fake_claude: MakeClaude) -> None:
    """No tools, no settings, no session that stays; the question on standard input, its rules in a file."""
    fake = fake_claude("result(open(sys.argv[sys.argv.index('--system-prompt-file') + 1]).read())")
    completion = judge(fake).complete(request(max_tokens=500))
    assert completion.text == "You judge."
    assert completion.usage == Usage(calls=1, input_tokens=7, output_tokens=3, cost_usd=Decimal("0.25"))
    (call,) = fake.calls
    file = call.arguments.pop(9)
    assert call.arguments == [
        *("-p", "--output-format", "json", "--verbose", "--model", "claude-haiku-4-5", "--tools", ""),
        *("--system-prompt-file", "--setting-sources=", "--strict-mcp-config", "--no-session-persistence"),
    ]
    assert call.body == "Is it good?"
    assert call.environ["CLAUDE_CODE_MAX_RETRIES"] == "0"
    assert call.environ["CLAUDE_CODE_DISABLE_ATTACHMENTS"] == "1"
    assert call.environ["CLAUDE_CODE_MAX_OUTPUT_TOKENS"] == "500"
    assert call.environ["HOME"] == f"{Path(file).parent}/home"
    assert not Path(file).parent.exists()


def test_by_the_login_of_the_user(fake_claude: MakeClaude) -> None:
    """Without a key and a token the user's own directories are used, for the login in them alone."""
    fake = fake_claude(
        "result('fine')", ANTHROPIC_API_KEY="", HOME="/home/jane", CLAUDE_CONFIG_DIR="/home/jane/c"
    )
    judge(fake).complete(request())
    (call,) = fake.calls
    assert (call.environ["HOME"], call.environ["CLAUDE_CONFIG_DIR"]) == ("/home/jane", "/home/jane/c")
    assert call.environ["TMPDIR"] == str(Path(call.folder).parent / "tmp")
    assert "CLAUDE_CODE_MAX_OUTPUT_TOKENS" not in call.environ
    assert "--setting-sources=" in call.arguments


def test_several_messages(fake_claude: MakeClaude) -> None:
    """All rules together, all questions together; a slash at the start is no command; no system, no rules."""
    fake = fake_claude("result(repr(open(sys.argv[sys.argv.index('--system-prompt-file') + 1]).read()))")
    messages = (Message("system", "a"), Message("user", "/x"), Message("system", "b"), Message("user", "y"))
    assert judge(fake).complete(request(messages=messages)).text == repr("a\n\nb")
    assert judge(fake).complete(request(messages=(Message("user", "z"),))).text == repr("")
    assert [call.body for call in fake.calls] == ["\n/x\n\ny", "z"]


def test_messages_of_the_model(fake_claude: MakeClaude) -> None:
    """A chat history cannot be given to the client; nothing is started."""
    fake = fake_claude("")
    messages = (Message("user", "Hi"), Message("assistant", "Hello"), Message("user", "Bye"))
    with pytest.raises(
        ProviderError, match=r"takes no earlier messages of the model\. Name another provider"
    ):
        judge(fake).complete(request(messages=messages))
    assert fake.pids == []


FINE = "{'type': 'result', 'is_error': False, 'result': 'fine', 'stop_reason': 'end_turn'}"
BAD = "{'type': 'result', 'is_error': True, 'result': 'bad'}"
OUTPUTS = {
    "an array": "result('fine')",
    "one object": f"print(json.dumps({FINE}))",
    "other events": f"print(json.dumps([{{'type': 'init'}}, 7, {{'x': [1]}}, {FINE}, {{'type': 'end'}}]))",
    "several results": f"print(json.dumps([{BAD}, {FINE}]))",
}


@pytest.mark.parametrize("script", OUTPUTS.values(), ids=list(OUTPUTS))
def test_forms_of_output(fake_claude: MakeClaude, script: str) -> None:
    """The last result counts, however it is wrapped; events that are not known do no harm."""
    assert judge(fake_claude(script)).complete(request()).text == "fine"


def test_an_unknown_cost(fake_claude: MakeClaude) -> None:
    """A cost that the client does not tell is unknown, not 0; cached tokens are tokens."""
    used = "{'input_tokens': 1, 'cache_read_input_tokens': 20, 'cache_creation_input_tokens': 300}"
    fake = fake_claude(f"result('fine', total_cost_usd=None, usage={used})")
    assert judge(fake).complete(request()).usage == Usage(
        calls=1, input_tokens=321, output_tokens=0, cost_usd=None
    )


# By what happens: the script, whether the call may be tried again, how the client ended, what it said last.
CRASHES = {
    "an exit code": ("sys.exit('bad flag')", False, "ended with exit code 1", "bad flag"),
    "a signal": ("os.kill(os.getpid(), 9)", True, "was ended by the signal SIGKILL", "it printed no result"),
    "no JSON": ("print('Hello!')", False, "ended with exit code 0", "Hello!"),
    "cut JSON": ("print('[{')", False, "ended with exit code 0", "[{"),
    "no result": ("print('[]')", False, "ended with exit code 0", "[]"),
    "bad events": ("print('[{\"type\": 7}, 8]')", False, "ended with exit code 0", '[{"type": 7}, 8]'),
    "a key": ("sys.exit('key sk-ant-fake is bad')", False, "ended with exit code 1", "key [key] is bad"),
    "too deep": ("print('[' * 100_000)", False, "ended with exit code 0", f"{'[' * 199}…"),
}


@pytest.mark.parametrize(("script", "retryable", "end", "said"), CRASHES.values(), ids=list(CRASHES))
def test_no_result(fake_claude: MakeClaude, script: str, retryable: bool, end: str, said: str) -> None:
    """Without a result the error says how the client ended, and what it said last."""
    with pytest.raises(ProviderError) as caught:
        judge(fake_claude(script)).complete(request())
    assert str(caught.value) == f"{NAME}: claude {end} without an answer ({said})"
    assert caught.value.retryable is retryable


FAILURES: dict[str, tuple[str, bool, int | None, str]] = {
    "status": (
        "result('API Error: 429 busy', is_error=True, api_error_status=429)",
        True, 429,
        "too many requests (HTTP 429: API Error: 429 busy). Lower --concurrency, or try again later.",
    ),
    "no login": (
        "print(json.dumps([{'type': 'assistant', 'error': 'authentication_failed'}, {'type': 'result', "
        "'is_error': True, 'result': 'Not logged in'}]))",
        False, 401, "not logged in (Not logged in). Set ANTHROPIC_API_KEY or CLAUDE_CODE_OAUTH_TOKEN, or run "
        "claude and type /login.",
    ),
    "connection": (
        "result('Connection refused', is_error=True, terminal_reason='api_error')",
        True, None, "no answer (Connection refused).",
    ),
    "its own limits": (
        "result(None, is_error=True, subtype='error_max_turns', errors=['Reached maximum turns'])",
        False, None, "no answer (Reached maximum turns).",
    ),
    "nothing said": (
        "result(None, is_error=True, subtype='error_during_execution')",
        False, None, "no answer (error_during_execution).",
    ),
    "no text": ("result(None)", False, None, "no answer (success)."),
    "cut": (
        "result('It is', stop_reason=None)",
        True, None,
        "the answer is not in this API's form (it was cut in the middle). Check that base_url is right and "
        "that no proxy answers in its place.",
    ),
    "a key": (
        "result('sk-ant-fake is no key', is_error=True)", False, None, "no answer ([key] is no key).",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("script", "retryable", "status", "words"), FAILURES.values(), ids=list(FAILURES))
def test_failures(
    fake_claude: MakeClaude, script: str, retryable: bool, status: int | None, words: str
) -> None:
    """What the result tells of is an error with its status, tried again only where that may help."""
    with pytest.raises(ProviderError) as caught:
        judge(fake_claude(script)).complete(request())
    assert str(caught.value) == f"{NAME}: {words}"
    assert (caught.value.retryable, caught.value.status) == (retryable, status)


@pytest.mark.parametrize(
    ("script", "stop"),
    [
        ("result('API Error', is_error=True, stop_reason='refusal')", Stop.REFUSAL),
        (
            "print(json.dumps([{'type': 'assistant', 'error': 'max_output_tokens'}, "
            "{'type': 'result', 'is_error': True, 'result': 'too long'}]))",
            Stop.LENGTH,
        ),
    ],
    ids=["refusal", "length"],
)
def test_replies_that_are_no_answer(fake_claude: MakeClaude, script: str, stop: Stop) -> None:
    """The client's own words about them are no reply of the model."""
    completion = judge(fake_claude(script)).complete(request())
    assert (completion.text, completion.stop) == ("", stop)


def test_no_answer_in_time(fake_claude: MakeClaude) -> None:
    """The client is ended with all that it has started, and the call may be tried again."""
    fake = fake_claude("note(subprocess.Popen(['sleep', '60'], start_new_session=True).pid); time.sleep(60)")
    with pytest.raises(ProviderError, match=r"no answer within 2 s\.") as caught:
        judge(fake).complete(request(timeout_seconds=2.0))
    assert caught.value.retryable
    assert len(fake.pids) == 2
    assert not any(map(is_alive, fake.pids))


def test_too_much(fake_claude: MakeClaude, monkeypatch: pytest.MonkeyPatch) -> None:
    """More than any reply can be is not read into memory."""
    monkeypatch.setattr(judge_module, "MOST_BYTES", 1_000_000)
    with pytest.raises(ProviderError, match="it printed more than 1 MB"):
        judge(fake_claude("print('x' * 1_000_001)")).complete(request())


def test_not_to_be_started(fake_claude: MakeClaude) -> None:
    """A client that has gone meanwhile is an error of the call."""
    fake = fake_claude("")
    fake.client.path.unlink()
    with pytest.raises(ProviderError, match=r"claude cannot be started \(No such file or directory\)"):
        judge(fake).complete(request())


def test_connected(fake_claude: MakeClaude) -> None:
    """By its name, with the address and the layers of any endpoint."""
    fake = fake_claude("result('fine')")
    environ = {**fake.client.environ, "SCAFFOLD_CLAUDE": str(fake.client.path)}
    provider = connect("claude-cli:claude-haiku-4-5", environ=environ, base_url="http://127.0.0.1:9/v1")
    completion = provider.complete(request(temperature=0.0))
    assert (completion.text, completion.effective) == ("fine", {"temperature": None})
    assert fake.calls[0].environ["ANTHROPIC_BASE_URL"] == "http://127.0.0.1:9"
    connect("claude-cli:claude-haiku-4-5", environ=environ).complete(request())
    assert "ANTHROPIC_BASE_URL" not in fake.calls[1].environ


def test_where_there_is_no_client() -> None:
    """It is an error of the setup, before anything is run."""
    with pytest.raises(ConfigError, match="there is no program `claude` on PATH"):
        connect("claude-cli:claude-haiku-4-5", environ={"PATH": "/none"})


def test_prices() -> None:
    """They are those of the model at the vendor, for estimates."""
    assert str(parse_model("claude-cli:claude-haiku-4-5")) == "claude-cli:claude-haiku-4-5"
    prices = price_list("claude-cli:claude-haiku-4-5", environ={})
    assert prices is not None
    assert prices.rates("claude-haiku-4-5") == (Decimal(1), Decimal(5))
