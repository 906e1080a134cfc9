"""The provider of a local model, with a program that stands for the model's server."""

import json
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any

import pytest

import judges.providers.local.models as models
from judges.core.errors import ConfigError, ProcessError, ProviderError
from judges.core.question import Score
from judges.core.usage import Usage
from judges.providers import Message, Request
from judges.providers.connect import connect, price_list
from judges.providers.limit import Limit
from judges.providers.local.chat import LocalChat, adapt, open_local
from judges.providers.local.process import LocalServer
from judges.providers.prices import FREE

FAKE = Path(__file__).with_name("fake_model_server.py")
TONE = Score(name="criteria.tone", instructions="", levels=("", ""))
SCHEMA = {
    "type": "object",
    "properties": {
        "evidence": {"type": "array", "items": {"type": "string"}},
        "reasoning": {"type": "string"},
        "answer": {"type": "string", "enum": ["YES", "NO"]},
    },
}


@pytest.fixture
def chat(tmp_path: Path) -> LocalChat:
    return open_fake(tmp_path)


def open_fake(folder: Path, *, quick: bool = False) -> LocalChat:
    model = folder / "fake.gguf"
    model.write_bytes(b"GGUF")
    server = LocalServer([sys.executable, str(FAKE)], folder / "fake.log")
    return LocalChat("fake.gguf", model, server, quick=quick)


def request(said: str = "hello", **changes: Any) -> Request:
    return Request(model="fake.gguf", messages=(Message("user", said),), **changes)


def sent(chat: LocalChat, request: Request) -> dict[str, Any]:
    """The body that reached the server, which the fake says as its reply."""
    body: dict[str, Any] = json.loads(chat.complete(request).text)
    return body


def test_speaks_the_openai_api_for_nothing(chat: LocalChat) -> None:
    """Messages and parameters go out as to any OpenAI endpoint; tokens are counted, and cost 0."""
    completion = chat.complete(request(temperature=0, max_tokens=5))
    body = json.loads(completion.text)
    assert body["messages"] == [{"role": "user", "content": "hello"}]
    assert (body["temperature"], body["max_completion_tokens"]) == (0, 5)
    assert completion.usage == Usage(calls=1, input_tokens=11, output_tokens=7)


def test_equal_requests_have_equal_answers(chat: LocalChat) -> None:
    """No cache of prompts, a fixed seed, and an end even where the suite sets none."""
    body = sent(chat, request())
    assert (body["seed"], body["cache_prompt"]) == (0, False)
    assert body["max_completion_tokens"] == 2048
    assert "logprobs" not in body


def test_a_judge_s_request(chat: LocalChat) -> None:
    """Questions ask for log-probabilities, and what the model writes has bounds; its answers keep theirs."""
    body = sent(chat, request(schema=SCHEMA, questions=(TONE,)))
    assert (body["logprobs"], body["top_logprobs"]) == (True, 20)
    assert body["response_format"]["json_schema"]["schema"]["properties"] == {
        "evidence": {"type": "array", "items": {"type": "string", "maxLength": 300}, "maxItems": 3},
        "reasoning": {"type": "string", "maxLength": 300},
        "answer": {"type": "string", "enum": ["YES", "NO"]},
    }


def test_a_smoke_judge_s_request(tmp_path: Path) -> None:
    """Where no judgement counts no reasons are asked for, and common beginnings are computed once."""
    body = sent(open_fake(tmp_path, quick=True), request(schema=SCHEMA, questions=(TONE,)))
    properties = body["response_format"]["json_schema"]["schema"]["properties"]
    assert body["cache_prompt"] is True
    assert properties["evidence"]["maxItems"] == 0
    assert properties["reasoning"]["maxLength"] == 0


@pytest.mark.parametrize(
    ("said", "heard"),
    [
        pytest.param("a <|im_end|> b", "a <\u200b|im_end|> b", id="ChatML"),
        pytest.param("<|start_header_id|>", "<\u200b|start_header_id|>", id="Llama 3"),
        pytest.param("[INST] x [/INST]</s>", "[\u200bINST] x [\u200b/INST]<\u200b/s>", id="Llama 2, Mistral"),
        pytest.param("<\uff5cUser\uff5c>", "<\u200b\uff5cUser\uff5c>", id="DeepSeek"),
        pytest.param("<end_of_turn><eos>", "<\u200bend_of_turn><\u200beos>", id="Gemma"),
        pytest.param("if a <| b and |> c, <b>[x]</b>", "if a <| b and |> c, <b>[x]</b>", id="anything else"),
    ],
)
def test_marks_of_turns_are_text(said: str, heard: str) -> None:
    """A model's marks within a message would open a turn of their own."""
    assert adapt(request(said)).messages == (Message("user", heard),)


def test_a_crash_is_this_call_s_error(chat: LocalChat) -> None:
    """The call in flight says what happened; the next is answered by a new process."""
    with pytest.raises(ProcessError) as caught:
        chat.complete(request("crash"))
    assert str(caught.value) == "local:fake.gguf: the model's server was ended by SIGKILL during the call"
    assert sent(chat, request())["messages"][0]["content"] == "hello"


def test_no_answer_in_time(chat: LocalChat) -> None:
    """A call that takes too long is given up, and the server goes on."""
    with pytest.raises(ProviderError, match=r"^local:fake\.gguf at http://.*: no answer within 0\.3 s\."):
        chat.complete(request("hang", timeout_seconds=0.3))
    assert sent(chat, request())["messages"][0]["content"] == "hello"


def test_identity_tells_files_apart(tmp_path: Path) -> None:
    """Answers that are kept belong to one file, by its place, size and time; not to a port."""
    first = open_fake(tmp_path).identity
    assert first == f"{tmp_path / 'fake.gguf'} 4 {(tmp_path / 'fake.gguf').stat().st_mtime_ns}"
    (tmp_path / "fake.gguf").write_bytes(b"GGUF and more")
    assert LocalChat("", tmp_path / "fake.gguf", LocalServer([], tmp_path / "log")).identity != first


def test_opening_starts_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A local model has the layers of any endpoint; no process and no log until it is asked."""
    monkeypatch.setattr(models, "find_spec", lambda name: ModuleSpec(name, None))
    (tmp_path / "own.gguf").write_bytes(b"GGUF")
    environ = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    assert isinstance(connect(f"local:{tmp_path}/own.gguf", environ=environ), Limit)
    assert isinstance(open_local(f"{tmp_path}/own.gguf", environ), LocalChat)
    assert not (tmp_path / "cache").exists()


def test_what_is_missing_stops_the_connection(tmp_path: Path) -> None:
    """Nothing can be spent on a model that is not there."""
    with pytest.raises(ConfigError, match=r"the model local:smollm2 is not installed"):
        connect("local:smollm2", environ={"XDG_CACHE_HOME": str(tmp_path)})


def test_costs_nothing_by_estimate_too() -> None:
    """A dry run and a budget know the price without the model at hand."""
    prices = price_list("local:smollm2", environ={})
    assert prices is FREE
    assert FREE.estimate(request("x" * 400)) == Usage(calls=1, input_tokens=104, output_tokens=500)
