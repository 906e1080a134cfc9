"""`scaffold judge`: a rubric tried once, against loopback servers and the real clients."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from command_line import Cli
from loopback import (
    Loopback,
    Reply,
    Server,
    anthropic_text,
    openai_decision,
    openai_error,
    openai_refusal,
    openai_text,
)

RUBRIC = "Is it kind?\n3: kind\n2: so-so\n1: rude\n"
ASK = ("judge", "--rubric", RUBRIC, "--input", "Greet Ann.", "--output", "Hello Ann")
KEY = "sk-secret-0123456789"


def reply(answer: object = 2, quotes: tuple[str, ...] = ("Hello",), reasoning: str = "It greets.") -> str:
    return json.dumps(
        {"criteria.rubric": {"evidence": list(quotes), "reasoning": reasoning, "answer": answer}}
    )


@pytest.fixture
def serve(loopback: Loopback, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Start a server for both APIs, in an empty folder, with a failing call sent only once."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".omniscitus").mkdir()
    (tmp_path / ".omniscitus/config.yaml").write_text("http_retries: 0\n")

    def start(replies: Any) -> Server:
        server = loopback(replies)
        for vendor in ("OPENAI", "ANTHROPIC"):
            monkeypatch.setenv(f"{vendor}_BASE_URL", server.url)
            monkeypatch.setenv(f"{vendor}_API_KEY", KEY)
        return server

    return start


def test_an_answer_for_people(cli: Cli, serve: Any) -> None:
    """Level, percent, reasoning, quotes and cost, each on its line."""
    server = serve(openai_text(reply()))
    result = cli(*ASK)
    assert (result.code, result.err) == (0, "")
    assert result.out == (
        "Level       2 of 3: so-so\n"
        "Percent     50\n"
        "Reasoning   It greets.\n"
        'Quotes      "Hello"\n'
        "Judge       gpt-4o\n"
        "Usage       1 call, 100 tokens in, 20 out, 0.0004 USD\n"
    )
    assert [request.json["model"] for request in server.requests] == ["gpt-4o"]
    assert server.requests[0].json["temperature"] == 0


def test_an_answer_as_json(cli: Cli, serve: Any) -> None:
    """The same for programs, on one line."""
    serve(openai_text(reply()))
    result = cli(*ASK, "--json")
    assert (result.code, result.out.count("\n")) == (0, 1)
    assert result.report == {
        "judge": "gpt-4o",
        "level": 2,
        "levels": 3,
        "percent": 50.0,
        "confidence": None,
        "probabilities": None,
        "reasoning": "It greets.",
        "quotes": ["Hello"],
        "error": None,
        "notices": [],
        "effective": {},
        "usage": {"calls": 1, "cached": 0, "input_tokens": 100, "output_tokens": 20, "cost_usd": 0.00045},
    }


def test_another_vendor(cli: Cli, serve: Any) -> None:
    """Any model that a suite can name can be tried."""
    server = serve(anthropic_text(reply(3)))
    result = cli(*ASK, "--judge", "claude-haiku-4-5", "--json")
    assert (result.code, result.report["percent"], server.requests[0].path) == (0, 100.0, "/v1/messages")


def test_a_deciding_judge_is_confident(cli: Cli, serve: Any) -> None:
    """Where a judge gives probabilities instead of prose, they are shown."""
    rows = [{"label": "1", "probability": 0.2}, {"label": "3", "probability": 0.8}]
    answer = {"type": "score", "score": 1.6, "confidence": 0.8, "probabilities": rows}
    serve(openai_decision([answer]))
    result = cli(*ASK, "--judge", "openai-decisions:gpt-6-luna")
    assert result.code == 0
    assert "Level       3 of 3: kind\nPercent     100\nConfidence  0.80\nJudge" in result.out


def test_what_the_model_does_not_take_is_said(cli: Cli, serve: Any) -> None:
    """The temperature that was asked for was not sent."""
    server = serve(openai_text(reply()))
    result = cli(*ASK, "--judge", "openai:o3")
    assert "Judge       openai:o3 (left out, as the model does not take it: temperature)\n" in result.out
    assert "temperature" not in server.requests[0].json


def test_nothing_is_cached(cli: Cli, serve: Any) -> None:
    """Each try is a call, and leaves nothing behind."""
    server = serve(openai_text(reply()))
    for _ in range(2):
        assert cli(*ASK).code == 0
    assert len(server.requests) == 2
    assert [path.name for path in Path(".omniscitus").iterdir()] == ["config.yaml"]


@pytest.mark.parametrize(
    ("settings", "flags", "model"),
    [
        pytest.param("judge: openai:gpt-4.1", [], "gpt-4.1", id="the project's"),
        pytest.param("judge: openai:gpt-4.1", ["--judge", "openai:gpt-4o-mini"], "gpt-4o-mini", id="flag"),
    ],
)
def test_who_judges(cli: Cli, serve: Any, settings: str, flags: list[str], model: str) -> None:
    """The flag goes before the project."""
    server = serve(openai_text(reply()))
    Path(".omniscitus/config.yaml").write_text(settings)
    assert cli(*ASK, *flags).code == 0
    assert server.requests[0].json["model"] == model


def test_the_budget_holds(cli: Cli, serve: Any) -> None:
    """The project's ceiling is no less for a single try."""
    server = serve(openai_text(reply()))
    Path(".omniscitus/config.yaml").write_text("max_cost_usd: 0.000001")
    result = cli(*ASK)
    assert (result.code, server.requests) == (3, [])
    assert "ERROR       the budget of 0.000001 USD is used up" in result.out


def evidence(server: Server) -> str:
    return str(server.requests[-1].json["messages"][1]["content"])


def test_texts_from_files_and_standard_input(cli: Cli, serve: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path, @FILE and - are read; everything else is the text itself."""
    server = serve(openai_text(reply(5)))
    Path("kind.md").write_text("Kind to {name}?\n5: yes\n1: no\n")
    Path("input").write_text('{"name": "Ann", "age": 7}')
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"Hi\n")))
    arguments = ("--rubric", "@kind.md", "--input", "input", "--output", "-", "--expected", "x.y z")
    result = cli("judge", *arguments, "--reference", "Dear Ann")
    assert (result.code, result.out.startswith("Level       5 of 5: yes\n")) == (0, True)
    assert 'Kind to the field "input.name"?' in server.requests[0].json["messages"][0]["content"]
    fields = [line.partition("name=")[2] for line in evidence(server).splitlines() if "name=" in line]
    assert fields == ['"input.name">', '"input.age">', '"expected_behavior">', '"reference">', '"output">']
    for text in ("Ann", "7", "x.y z", "Dear Ann", "Hi"):
        assert f"\n{text}\n" in evidence(server)


@pytest.mark.parametrize("given", ["[1, 2]", '{"half": ', "7", "x" * 5000], ids=str.__len__)
def test_an_input_that_is_no_object_is_a_text(cli: Cli, serve: Any, given: str) -> None:
    """Only an object has variables."""
    server = serve(openai_text(reply()))
    assert cli("judge", "--rubric", RUBRIC, "--input", given, "--output", "Hello").code == 0
    assert f'name="input.text">\n{given}\n' in evidence(server)


@pytest.mark.parametrize(
    ("rubric", "scale", "levels"),
    [
        pytest.param("Kind?\n4: yes\n1: no", [], 4, id="the highest that is described"),
        pytest.param("Kind?\n1: no", [], 2, id="two at least"),
        pytest.param("Kind?", [], 5, id="nothing described"),
        pytest.param("Kind?\n5. yes\n1. no", [], 5, id="a list from 1 to 5"),
        pytest.param("Kind?\n4: yes\n1: no", ["--scale", "7"], 7, id="as said"),
    ],
)
def test_the_scale(cli: Cli, serve: Any, rubric: str, scale: list[str], levels: int) -> None:
    """How many levels there are is read from the rubric, unless it is said."""
    serve(openai_text(reply(1)))
    result = cli("judge", "--rubric", rubric, "--output", "Hello", "--json", *scale)
    assert (result.code, result.report["levels"]) == (0, levels)


@pytest.mark.parametrize(
    ("rubric", "output", "answer", "notice"),
    [
        pytest.param("Kind?\n3: a\n1: b", "Hello", 1, "the rubric does not describe level 2", id="gap"),
        pytest.param(
            "Kind? Be strict.\n2: a\n1: b",
            "Hello",
            1,
            "the rubric leads the judge: it should say what the levels mean, not how to be disposed "
            "('Be strict')",
            id="leading",
        ),
        pytest.param(
            RUBRIC,
            "Bye",
            1,
            "criteria.rubric: the judge quoted text that is not in the output",
            id="invented quote",
        ),
        pytest.param(
            RUBRIC, "Hello\u200b", 1, "the field output holds invisible characters", id="invisible text"
        ),
    ],
)
def test_remarks(cli: Cli, serve: Any, rubric: str, output: str, answer: int, notice: str) -> None:
    """What is doubtful is said beside the answer, and changes nothing."""
    serve(openai_text(reply(answer)))
    result = cli("judge", "--rubric", rubric, "--output", output)
    assert (result.code, result.err) == (0, f"Notice: {notice}\n")


def test_what_a_model_says_cannot_act_on_the_terminal(cli: Cli, serve: Any) -> None:
    """Escapes are shown as such; JSON has them as JSON."""
    serve(openai_text(reply(reasoning="red \x1b[31m\u202e")))
    assert "Reasoning   red \\x1b[31m\\u202e\n" in cli(*ASK).out


@pytest.mark.parametrize(
    ("answers", "said", "calls"),
    [
        pytest.param(
            openai_text("I say 3."),
            "the judge's reply could not be used, asked 3 times: it was not one complete JSON object",
            3,
            id="prose",
        ),
        pytest.param(openai_text(reply(4)), "is not one of 1, 2, 3", 3, id="no such level"),
        pytest.param(openai_refusal("No."), "the judge refused to answer", 1, id="refusal"),
        pytest.param(openai_error(401, f"bad key {KEY}"), "Check OPENAI_API_KEY.", 1, id="wrong key"),
        pytest.param(openai_error(500, "oops"), "the server failed", 1, id="server error"),
        pytest.param(Reply(200, "<html>proxy</html>"), "the answer is not in this API's form", 1, id="proxy"),
    ],
)
@pytest.mark.parametrize("as_json", [False, True], ids=["text", "json"])
def test_no_usable_answer(cli: Cli, serve: Any, answers: Any, said: str, calls: int, as_json: bool) -> None:
    """There is no level then: the reason, what it cost all the same, and exit code 3."""
    server = serve(answers)
    result = cli(*ASK, *["--json"] * as_json)
    assert (result.code, len(server.requests)) == (3, calls)
    words = result.report["error"] if as_json else " ".join(result.out.split())
    assert said in words
    assert KEY not in result.out
    if as_json:
        assert (result.report["level"], result.report["percent"], result.report["quotes"]) == (None, None, [])
    else:
        assert result.out.startswith("ERROR       ")
        assert "\nUsage       " in result.out


def test_a_dead_server(cli: Cli, serve: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nobody listens the message says whom it tried to reach."""
    serve(openai_text(reply()))
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    result = cli(*ASK)
    assert (result.code, "http://127.0.0.1:9" in result.out) == (3, True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(ASK, "OPENAI_API_KEY is not set", id="no key"),
        pytest.param((*ASK, "--judge", "gtp-4"), "the model 'gtp-4' names no provider", id="no such model"),
        pytest.param(ASK[:5], "Missing option '--output'", id="no output"),
        pytest.param((*ASK, "--rubric", "@none.md"), "none.md: does not exist", id="no such file"),
        pytest.param((*ASK, "--rubric", "none.md"), "none.md: does not exist", id="a path, not a text"),
        pytest.param((*ASK, "--rubric", "@."), ".: is a folder", id="a folder"),
        pytest.param((*ASK, "--rubric", " \n"), "the rubric: is empty", id="empty rubric"),
        pytest.param(
            (*ASK, "--scale", "2"), "the rubric:2:1: level 3 is outside the scale 1..2", id="outside"
        ),
        pytest.param(
            (*ASK, "--rubric", "bad.md"), "bad.md:2:1: level 2 is described twice", id="twice, in a file"
        ),
        pytest.param((*ASK, "--scale", "1"), "1 is not in the range 2<=x<=100", id="scale"),
        pytest.param(
            (*ASK, "--input", "-", "--expected", "-"),
            "standard input can be read only once; put one of the texts in a file",
            id="standard input twice",
        ),
        pytest.param((*ASK, "--output", "latin.txt"), "latin.txt:1:2: is not UTF-8 text", id="not UTF-8"),
    ],
)
def test_mistakes(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], message: str
) -> None:
    """Nothing is called: exit 2, and what to do."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"Hi")))
    Path("bad.md").write_text("2: a\n2: b\n")
    Path("latin.txt").write_bytes(b"a\xe4")
    result = cli(*arguments)
    assert (result.code, result.out) == (2, "")
    assert message in result.err


def test_standard_input_that_is_no_text(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes through a pipe is checked like a file."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff")))
    result = cli(*ASK, "--output", "-")
    assert (result.code, result.out) == (2, "")
    assert "standard input:1:1: is not UTF-8 text" in result.err


def test_the_prompt_alone(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a key or a server it can be seen what would be sent."""
    monkeypatch.chdir(tmp_path)
    result = cli(*ASK, "--prompt")
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith("== system ==\n\nYou judge a piece of work.")
    assert 'Question "criteria.rubric": choose one level, a whole number from 1 to 3.' in result.out
    assert "\n== user ==\n\n<field-" in result.out
    messages = cli(*ASK, "--prompt", "--json").report
    assert [message["role"] for message in messages] == ["system", "user"]
