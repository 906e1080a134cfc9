"""The provider `claude-cli` with the real client: what a judge is asked, what it says, and how that fails."""

import json
import os
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import TypeAlias

import pytest
from claude_client import RealClaude
from claude_scenarios import GOLDEN, VERDICT, judge_live, shape
from claude_stub import ClaudeStub, Conversation, Variants, api_error, say, think, tool
from loopback import Server

from judges.ask.judge import Judge, usable
from judges.core.errors import ProviderError
from judges.core.question import Answer, Evidence, Predicate, Subject, Unanswered
from judges.core.usage import Usage
from judges.providers.base import Message, Provider, Request, Stop
from judges.providers.cache import Keeping
from judges.providers.claude.login import Login, claude_status
from judges.providers.connect import connect
from judges.providers.limit import Terms
from judges.providers.store import Store

pytestmark = pytest.mark.client

Connect: TypeAlias = Callable[[Conversation | Variants], tuple[Provider, Server]]
TERMS = Terms(http_retries=1, jitter=lambda: 0.0)


@pytest.fixture
def judge(claude_stub: ClaudeStub, real_claude: RealClaude) -> Connect:
    """Connect to a model that has this conversation, by the client."""

    def connect_to(turns: Conversation | Variants) -> tuple[Provider, Server]:
        server = claude_stub({"Is it good": turns})
        client = real_claude(server)
        return connect("claude-cli:claude-haiku-4-5", environ=client.environ, terms=TERMS), server

    return connect_to


def request(text: str = "Is it good?", system: str = "You judge.", **more: object) -> Request:
    messages = (Message("system", system), Message("user", text))
    return Request(model="claude-haiku-4-5", messages=messages, **more)  # type: ignore[arg-type]


def test_an_answer(judge: Connect) -> None:
    """The text of the reply, its tokens and cost; what cannot be sent is left out, and said to be."""
    provider, server = judge([say(think("Well."), VERDICT, tokens=(1000, 200))])
    completion = provider.complete(request(temperature=0.0, max_tokens=777, schema={"type": "object"}))
    assert (completion.text, completion.stop) == (VERDICT, Stop.END)
    assert completion.usage == Usage(calls=1, input_tokens=1000, output_tokens=200, cost_usd=Decimal("0.002"))
    assert completion.effective == {"temperature": None, "schema": None}
    assert completion.latency_ms
    asked = server.requests[0].json
    assert (asked["model"], asked["max_tokens"], asked["tools"]) == ("claude-haiku-4-5", 777, [])
    assert asked["system"][-1]["text"] == "You judge."
    assert asked["messages"][-1]["content"][-1]["text"] == "Is it good?"
    assert "temperature" not in asked


def test_the_judge(judge: Connect) -> None:
    """A judge asks a typed question by it, and again where the reply is no use."""
    said = {"good": {"evidence": ["Hello"], "reasoning": "It greets.", "answer": "YES"}}
    provider, server = judge(Variants([say("I think it is good.")], [say(json.dumps(said))]))
    question = Predicate(name="good", instructions="Is it good?")
    judgement = Judge(provider=provider, model="claude-haiku-4-5").ask(
        (question,), Evidence({"output": "Hello. Is it good"}), Subject()
    )
    answer = judgement.answers["good"]
    assert isinstance(answer, Answer)
    assert (answer.value, judgement.usage.calls) == (True, 2)
    assert "Hello. Is it good" in server.requests[0].json["messages"][-1]["content"][-1]["text"]


@pytest.mark.parametrize("text", ["/cost Is it good", "!ls Is it good", "# Is it good"])
def test_texts_that_look_like_commands(judge: Connect, text: str) -> None:
    """What is judged is a text, also where it looks like a command to the client."""
    provider, server = judge([say("fine")])
    assert provider.complete(request(text)).text == "fine"
    assert server.requests[0].json["messages"][-1]["content"][-1]["text"].lstrip("\n") == text


def test_no_file_is_attached(judge: Connect, tmp_path: Path) -> None:
    """A text that mentions a file does not send that file to the model."""
    (tmp_path / "secret.txt").write_text("TOP-SECRET")
    provider, server = judge([say("fine")])
    provider.complete(request(f"Is it good: @{tmp_path}/secret.txt and @secret.txt"))
    assert "TOP-SECRET" not in json.dumps(server.requests[0].json)


def test_no_tool_is_there(judge: Connect) -> None:
    """A judge that is talked into calling a tool calls nothing."""
    provider, _ = judge([say(tool("Bash", command="touch /tmp/made-by-a-judge")), say("fine")])
    assert provider.complete(request()).text == "fine"
    assert not Path("/tmp/made-by-a-judge").exists()


def test_large_texts(judge: Connect) -> None:
    """A system prompt and evidence of any length arrive whole."""
    provider, server = judge([say("fine")])
    system, text = "Rule. " * 50_000 + "End.", "Is it good? " * 50_000 + "End."
    assert provider.complete(request(text, system)).text == "fine"
    asked = server.requests[0].json
    assert asked["system"][-1]["text"] == system
    assert asked["messages"][-1]["content"][-1]["text"] == text


ENDS = {
    "length": (say("It is", stop="max_tokens"), Stop.LENGTH),
    "refusal": (say("No.", stop="refusal"), Stop.REFUSAL),
    "nothing": (say(), Stop.END),
}


@pytest.mark.parametrize(("turn", "stop"), ENDS.values(), ids=list(ENDS))
def test_replies_that_are_no_answer(judge: Connect, turn: object, stop: Stop) -> None:
    """A reply that was cut, refused or empty is none, and has its price all the same."""
    provider, _ = judge([turn])  # type: ignore[list-item]
    completion = provider.complete(request())
    assert (completion.text, completion.stop) == ("", stop)
    assert completion.usage.cost_usd


FAILURES = {
    "key": (api_error(401, "authentication_error"), 401, 1, "the key was refused (HTTP 401: Failed to auth"),
    "model": (
        api_error(404, "not_found_error"),
        404,
        2,
        "not found (HTTP 404: There's an issue with the sel",
    ),
    "busy": (api_error(429, "rate_limit_error"), 429, 2, "too many requests (HTTP 429: API Error: Request"),
    "down": (api_error(529, "overloaded_error"), 529, 2, "the server failed (HTTP 529: API Error: 529"),
    "cut": (say("It is good " * 50, cut=True), None, 4, "no answer (API Error: Connection to the API was lo"),
}


@pytest.mark.parametrize(("turn", "status", "requests", "words"), FAILURES.values(), ids=list(FAILURES))
def test_failures(judge: Connect, turn: object, status: int | None, requests: int, words: str) -> None:
    """What fails for a passing reason is tried again by our own loop alone; the error says what and where."""
    provider, server = judge([turn])  # type: ignore[list-item]
    with pytest.raises(ProviderError) as caught:
        provider.complete(request())
    assert str(caught.value).startswith(f"claude-cli:claude-haiku-4-5 at {server.url}: {words}")
    assert caught.value.status == status
    assert len(server.requests) == requests


def test_it_recovers(judge: Connect) -> None:
    """A failure that passes costs a second call, no more."""
    provider, _ = judge(Variants([api_error(529, "overloaded_error")], [say("fine")]))
    assert provider.complete(request()).text == "fine"


def test_no_answer_in_time(judge: Connect) -> None:
    """The client is ended when the time of the call is up."""
    provider, _ = judge([say("Late.", delay=60)])
    with pytest.raises(ProviderError, match=r"no answer within 1.5 s\. Raise timeout_seconds"):
        provider.complete(request(timeout_seconds=1.5))


def test_not_logged_in(
    claude_stub: ClaudeStub, real_claude: RealClaude, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a key the user's own login is tried; where there is none the judge says how to log in."""
    real_claude(claude_stub({}))
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    environ = dict(os.environ)
    assert claude_status(environ).login is Login.NONE
    judge = Judge(provider=connect("claude-cli:claude-haiku-4-5", environ=environ), model="claude-haiku-4-5")
    for _ in range(2):
        judgement = judge.ask(
            (Predicate(name="good", instructions="Is it good?"),), Evidence({"output": "x"}), Subject()
        )
        answer = judgement.answers["good"]
        assert isinstance(answer, Unanswered)
        assert "not logged in (Not logged in · Please run /login). Set ANTHROPIC_API_KEY or" in answer.reason


def test_the_cache(judge: Connect, tmp_path: Path) -> None:
    """An equal question to the same version of the client is not asked again."""
    _, server = judge([say("fine")])
    keeping = Keeping(Store(tmp_path / "answers.sqlite"), usable)
    for cached in (0, 1):
        provider = connect("claude-cli:claude-haiku-4-5", environ=dict(os.environ), keeping=keeping)
        assert provider.complete(request()).usage.cached == cached
    assert len(server.requests) == 1


def test_what_it_prints(claude_stub: ClaudeStub, real_claude: RealClaude, tmp_path: Path) -> None:
    """The client's output has every kind of event and field of the recorded one."""
    client = real_claude(claude_stub({"Do the task": [say(VERDICT)]}))
    live, recorded = (
        shape(events)
        for events in (judge_live(client, tmp_path), json.loads((GOLDEN / "judge_ok.json").read_text()))
    )
    missing = {kind: sorted(fields - live.get(kind, set())) for kind, fields in recorded.items()}
    assert {kind: fields for kind, fields in missing.items() if fields} == {}
