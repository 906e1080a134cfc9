"""`judge.canary`: a judge that cannot tell a good output from a bad one judges nothing."""

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import SUITE, Cli, levels
from loopback import Loopback, Reply, openai_error, openai_text

FILE = Path(".omniscitus/tests/prompts/greeting/prompt-meta.yaml")
CANARY = "  canary: {good: Good morning Ann, bad: Go away}\n"


@pytest.fixture
def canary(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project, with a canary in its suite and two cases, one of which has no output yet."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    judge = 'judge: {model: "openai:gpt-4o", max_retries: 1, timeout_seconds: 5}\n'
    changed = 'judge:\n  model: "openai:gpt-4o"\n  max_retries: 1\n' + CANARY
    assert judge in SUITE
    FILE.write_text(SUITE.replace(judge, changed) + "  - {title: Bob, input: {name: Bob}}\n")
    return project


def keen(body: Any) -> Reply:
    """A judge that likes all but what is rude; the model under test greets."""
    if "response_format" not in body:
        return openai_text("Hello Bob")
    return openai_text(
        json.dumps(levels(1, 1) if "Go away" in body["messages"][1]["content"] else levels(3, 2))
    )


def blind(body: Any) -> Reply:
    """A judge that likes everything."""
    return openai_text(json.dumps(levels(3, 2)))


def serve(loopback: Loopback, monkeypatch: pytest.MonkeyPatch, reply: Any) -> Any:
    server = loopback(reply)
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    return server


@pytest.mark.usefixtures("canary")
def test_a_good_judge(cli: Cli, loopback: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    """A judge that passes goes on; the two calls are counted, kept, and not made again."""
    server = serve(loopback, monkeypatch, keen)
    first = cli("run", "--json", "-")
    assert (first.code, first.report["usage"]["calls"], len(server.requests)) == (0, 5, 5)
    asked = [request.json["messages"][1]["content"] for request in server.requests[:2]]
    assert [text.split("\n")[1] for text in asked] == ["Good morning Ann", "Go away"]
    again = cli("run", "--json", "-")
    assert (again.code, again.report["usage"]["cached"], len(server.requests)) == (0, 5, 5)


@pytest.mark.usefixtures("canary")
@pytest.mark.parametrize(
    ("reply", "calls", "reason"),
    [
        pytest.param(blind, 2, "it scored the good output 100 and the bad one 100", id="blind"),
        pytest.param(
            openai_text("Well."),
            4,
            "no usable answer about the good output: the judge's reply could not be used, asked 2 times: "
            "it was not one complete JSON object",
            id="prose",
        ),
    ],
)
def test_a_bad_judge(
    cli: Cli, loopback: Loopback, monkeypatch: pytest.MonkeyPatch, reply: Any, calls: int, reason: str
) -> None:
    """A judge that fails leaves every case ERROR, with the reason; no output is made, nothing is judged."""
    server = serve(loopback, monkeypatch, reply)
    result = cli("run", "--json", "-", "--no-cache")
    assert (result.code, result.report["verdict"], len(server.requests)) == (3, "ERROR", calls)
    assert result.report["usage"]["calls"] == calls
    (suite,) = result.report["suites"]
    assert suite["totals"]["errored"] == 2
    for case in suite["cases"]:
        first, *rest = case["rows"]
        assert (first["id"], first["verdict"]) == ("judge", "ERROR")
        assert first["error"] == f"the judge failed its canary: {reason}"
        assert {row["verdict"] for row in rest} == {"SKIP"}


@pytest.mark.usefixtures("canary")
def test_what_is_kept(cli: Cli, loopback: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the judge said of the two outputs is in the run directory."""
    serve(loopback, monkeypatch, blind)
    run = Path(cli("run", "--json", "-").report["run_dir"])
    kept = json.loads((run / "greeting/canary.json").read_text())
    assert kept["failure"] == "it scored the good output 100 and the bad one 100"
    assert kept["usage"]["calls"] == 2
    assert kept["good"]["criteria.tone"] == {"level": 3, "reasoning": "It greets.", "quotes": ["Hello"]}
    assert list(kept["bad"]) == ["criteria.tone", "criteria.safety"]


@pytest.mark.usefixtures("canary")
def test_an_endpoint_that_is_down(cli: Cli, loopback: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    """A judge that cannot be reached fails its canary, with the endpoint's reason."""
    serve(loopback, monkeypatch, openai_error(401, "no such key"))
    result = cli("run", "--json", "-")
    row = result.report["suites"][0]["cases"][0]["rows"][0]
    assert result.code == 3
    assert row["error"].startswith("the judge failed its canary: no usable answer about the good output: ")
    assert "no such key" in row["error"]


@pytest.mark.usefixtures("canary")
def test_going_on(cli: Cli, loopback: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    """A resumed run does not ask again, and counts what the first part had used."""
    server = serve(loopback, monkeypatch, keen)
    run = Path(cli("run", "--json", "-", "--no-cache").report["run_dir"])
    (run / "run.json").unlink()
    for name in ("rows.jsonl", "records.jsonl"):
        lines = (run / "greeting" / name).read_bytes().splitlines(keepends=True)
        (run / "greeting" / name).write_bytes(lines[0])
    result = cli("run", "--resume", run.name, "--json", "-", "--no-cache")
    assert (result.code, result.report["totals"]["passed"]) == (0, 2)
    assert result.report["usage"]["calls"] in (
        4,
        5,
    )  # whichever case was first: a judgement, or an output too
    assert sum("Good morning Ann" in str(request.json) for request in server.requests) == 1


@pytest.mark.usefixtures("canary")
def test_estimate(cli: Cli) -> None:
    """A dry run counts the canary."""
    assert "greeting: 2 trials, judge openai:gpt-4o: about 5 calls" in cli("run", "--dry-run").out


@pytest.mark.usefixtures("canary")
def test_recorded_judgements(cli: Cli, loopback: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    """Recorded judgements have no canary."""
    server = serve(loopback, monkeypatch, keen)
    assert cli("run", "-q", "--record", "said.jsonl").code == 0
    before = len(server.requests)
    assert cli("run", "-q", "--judge", "replay:said.jsonl").code == 0
    assert len(server.requests) == before


@pytest.mark.parametrize(
    ("canary", "mistake"),
    [
        pytest.param("{good: a}", "judge.canary.bad", id="half of one"),
        pytest.param("{good: a, bad: ''}", "judge.canary.bad", id="empty"),
        pytest.param("{good: a, bad: b, worse: c}", "judge.canary.worse", id="unknown key"),
        pytest.param("[a, b]", "judge.canary", id="a list"),
    ],
)
def test_mistakes(cli: Cli, project: Path, canary: str, mistake: str) -> None:
    """A canary that makes no sense is refused at its place."""
    FILE.write_text(SUITE.replace("max_retries: 1,", f"max_retries: 1, canary: {canary},"))
    result = cli("validate")
    assert (result.code, mistake in result.err) == (2, True)


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        pytest.param("multi_criteria", "there are no criteria to score the two outputs by", id="no criteria"),
        pytest.param(
            "binary", "evaluation type 'binary' has no levels to score the two outputs on", id="binary"
        ),
    ],
)
def test_nothing_to_score_by(cli: Cli, project: Path, kind: str, reason: str) -> None:
    """Without criteria, or levels, there is nothing to score the two outputs by."""
    head, _, rest = SUITE.partition("criteria:")
    rest = rest[rest.index("checks:") :].replace("output: Hello", "expected_behavior: x, output: Hello")
    told = f"{head}evaluation: {{type: {kind}}}\n{rest}"
    FILE.write_text(told.replace("max_retries: 1,", "max_retries: 1, canary: {good: a, bad: b},"))
    result = cli("validate")
    assert (result.code, f"judge.canary: {reason}" in result.err) == (2, True)
