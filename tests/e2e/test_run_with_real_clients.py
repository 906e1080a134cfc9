"""`scaffold run` with the real SDK clients: every reply an endpoint can give ends in one clear row."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from command_line import Cli, levels
from loopback import (
    Loopback,
    Reply,
    Server,
    anthropic_error,
    anthropic_text,
    openai_error,
    openai_refusal,
    openai_text,
)

KEY = "sk-secret-0123456789"
GOOD = json.dumps(levels(3, 2))
JUDGES = {"openai": "openai:gpt-4o", "anthropic": "anthropic:claude-haiku-4-5"}
Serve: TypeAlias = Callable[[Any], Server]


@pytest.fixture(params=list(JUDGES))
def vendor(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def serve(vendor: str, loopback: Loopback, monkeypatch: pytest.MonkeyPatch) -> Serve:
    """Start a server, and point the environment at it."""

    def start(replies: Any) -> Server:
        server = loopback(replies)
        monkeypatch.setenv(f"{vendor.upper()}_BASE_URL", server.url)
        monkeypatch.setenv(f"{vendor.upper()}_API_KEY", KEY)
        return server

    return start


def says(vendor: str, content: str | None, openai: str = "stop", anthropic: str = "end_turn") -> Reply:
    if vendor == "openai":
        return openai_text(content, finish_reason=openai)
    return anthropic_text(content, stop_reason=anthropic)


def fails(vendor: str, status: int, message: str, **headers: str) -> Reply:
    build = openai_error if vendor == "openai" else anthropic_error
    return build(status, message, headers={key.replace("_", "-"): value for key, value in headers.items()})


def refuses(vendor: str) -> Reply:
    return openai_refusal("No.") if vendor == "openai" else anthropic_text("No.", stop_reason="refusal")


def changed(**changes: Any) -> str:
    """A good reply but for some keys; None takes a key away."""
    reply = {**levels(3, 2), **changes}
    return json.dumps({key: value for key, value in reply.items() if value is not None})


def tone(level: Any) -> str:
    return changed(**{"criteria.tone": {"evidence": [], "reasoning": "", "answer": level}})


def run(cli: Cli, vendor: str, *arguments: str) -> Any:
    return cli("run", "greeting", "--judge", JUDGES[vendor], "--json", "-", "--quiet", *arguments)


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(
    ("replies", "asked"),
    [
        pytest.param(lambda v: [says(v, GOOD)], 1, id="a good reply"),
        pytest.param(lambda v: [says(v, f"```json\n{GOOD}\n```")], 1, id="one fence"),
        pytest.param(lambda v: [says(v, "Well."), says(v, GOOD)], 2, id="prose, then good"),
        pytest.param(lambda v: [says(v, GOOD[:-9]), says(v, GOOD)], 2, id="cut JSON, then good"),
        pytest.param(lambda v: [fails(v, 500, "oops"), says(v, GOOD)], 2, id="500, then good"),
        pytest.param(
            lambda v: [fails(v, 429, "slow", Retry_After="0"), says(v, GOOD)], 2, id="429, then good"
        ),
        pytest.param(lambda v: [Reply(drop="before"), says(v, GOOD)], 2, id="dropped, then good"),
        pytest.param(
            lambda v: [fails(v, 400, "`temperature` is deprecated for this model."), says(v, GOOD)],
            2,
            id="400 naming temperature, then good",
        ),
    ],
)
def test_judged(cli: Cli, vendor: str, serve: Serve, replies: Any, asked: int) -> None:
    """What can be helped is helped, and the verdict is the judge's."""
    server = serve(replies(vendor))
    result = run(cli, vendor, "--http-retries", "1")
    (case,) = result.report["suites"][0]["cases"]
    assert (result.code, case["verdict"], case["score"]) == (0, "PASS", 100.0)
    assert len(server.requests) == asked
    assert result.report["usage"]["cost_usd"] > 0


def test_temperature_negotiation_is_recorded(cli: Cli, project: Path, vendor: str, serve: Serve) -> None:
    """Temperature 0 is asked for, left out after the 400, and the run says what was really sent."""
    server = serve([fails(vendor, 400, "`temperature` is deprecated for this model."), says(vendor, GOOD)])
    run(cli, vendor)
    assert [request.json.get("temperature") for request in server.requests] == [0, None]
    (records,) = project.glob(".omniscitus/runs/*/greeting/records.jsonl")
    (call,) = json.loads(records.read_text())["judge"]
    assert call["effective"] == {"temperature": None}


UNUSABLE = "the judge's reply could not be used, asked 2 times: "


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(
    ("reply", "sentence", "asked"),
    [
        pytest.param(
            lambda v: says(v, "I like it."), UNUSABLE + "it was not one complete JSON object", 2, id="prose"
        ),
        pytest.param(
            lambda v: says(v, GOOD[:-9]), UNUSABLE + "it was not one complete JSON object", 2, id="cut JSON"
        ),
        pytest.param(
            lambda v: says(v, GOOD, openai="length", anthropic="max_tokens"),
            UNUSABLE + "it was cut off at the token limit",
            2,
            id="token limit",
        ),
        pytest.param(lambda v: says(v, ""), UNUSABLE + "it was empty", 2, id="empty reply"),
        pytest.param(lambda v: says(v, None), UNUSABLE + "it was empty", 2, id="no text at all"),
        pytest.param(
            lambda v: says(v, tone(4)),
            UNUSABLE + '"answer" of "criteria.tone" is not one of 1, 2, 3',
            2,
            id="a level out of range",
        ),
        pytest.param(
            lambda v: says(v, changed(**{"criteria.safety": None})),
            UNUSABLE + 'it has no answer to "criteria.safety"',
            2,
            id="a missing criterion",
        ),
        pytest.param(
            lambda v: says(v, changed(total=99)),
            UNUSABLE + "it has keys besides the 2 questions",
            2,
            id="an extra one",
        ),
        pytest.param(refuses, "the judge refused to answer", 1, id="refusal"),
        pytest.param(
            lambda v: fails(v, 401, f"Incorrect API key provided: {KEY}"), "{variable}", 1, id="401"
        ),
        pytest.param(lambda v: fails(v, 404, "no such model"), "no such model", 1, id="404"),
        pytest.param(
            lambda v: fails(v, 429, "slow down", Retry_After="0"),
            "429",
            2,
            id="429 with Retry-After, for ever",
        ),
        pytest.param(lambda v: fails(v, 500, "oops"), "500", 2, id="500, for ever"),
        pytest.param(lambda v: Reply(200, "<html>proxy</html>"), "", None, id="a proxy's page"),
        pytest.param(lambda v: Reply(drop="middle"), "", None, id="cut in the middle"),
    ],
)
def test_not_judged(
    cli: Cli, vendor: str, serve: Serve, reply: Any, sentence: str, asked: int | None
) -> None:
    """What cannot be helped is an ERROR row with one clear sentence, and exit code 3; never a verdict."""
    server = serve(reply(vendor))
    result = run(cli, vendor, "--http-retries", "1")
    (case,) = result.report["suites"][0]["cases"]
    rows = {row["id"]: row for row in case["rows"]}
    said = rows["criteria.tone"]["error"]
    assert (result.code, case["verdict"], case["score"]) == (3, "ERROR", None)
    assert rows["criteria.safety"]["error"] == said
    assert sentence.replace("{variable}", f"{vendor.upper()}_API_KEY") in said
    assert "\n" not in said
    assert KEY not in result.out
    assert asked is None or len(server.requests) == asked


def test_a_hang_ends(cli: Cli, project: Path, vendor: str, serve: Serve) -> None:
    """An endpoint that never answers is given up after the suite's own time limit."""
    suite = project / ".omniscitus/tests/prompts/greeting/prompt-meta.yaml"
    suite.write_text(suite.read_text().replace("timeout_seconds: 5", "timeout_seconds: 0.2"))
    serve(Reply(delay=3))
    result = run(cli, vendor, "--http-retries", "0")
    (case,) = result.report["suites"][0]["cases"]
    assert (result.code, case["verdict"]) == (3, "ERROR")
    assert "0.2" in case["rows"][1]["error"]


@pytest.mark.usefixtures("project")
def test_a_dead_server(cli: Cli, vendor: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nobody listens the row says whom it tried to reach."""
    monkeypatch.setenv(f"{vendor.upper()}_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv(f"{vendor.upper()}_API_KEY", KEY)
    result = run(cli, vendor, "--http-retries", "0")
    assert result.code == 3
    assert "http://127.0.0.1:9" in result.report["suites"][0]["cases"][0]["rows"][1]["error"]


@pytest.mark.usefixtures("project")
def test_no_key(cli: Cli, vendor: str) -> None:
    """Without a key nothing is called: exit 2, naming the variable and what else there is."""
    result = run(cli, vendor)
    assert (result.code, result.out) == (2, "")
    assert f"{vendor.upper()}_API_KEY is not set" in result.err
    assert "--judge replay:FILE" in result.err
    assert "base_url" in result.err


@pytest.mark.usefixtures("project")
def test_built_in_way(cli: Cli, loopback: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a recorded output the prompt is rendered and sent to the model, and its output is judged."""

    def answer(body: Any) -> Reply:
        return openai_text(GOOD if body["model"] == "gpt-4o" else "Hello Ann, live")

    server = loopback(answer)
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    models = ("--model", "openai:gpt-4o-mini", "--model", "openai:gpt-4.1-nano")
    result = cli("run", *models, "--no-cache", "--json", "-")
    cases = result.report["suites"][0]["cases"]
    assert [(case["model"], case["output"]) for case in cases] == [
        ("openai:gpt-4o-mini", "Hello Ann, live"),
        ("openai:gpt-4.1-nano", "Hello Ann, live"),
    ]
    prompts = [r.json["messages"] for r in server.requests if r.json["model"] != "gpt-4o"]
    assert prompts == [[{"role": "user", "content": "Greet Ann."}]] * 2
    assert result.report["usage"]["calls"] == 4
