"""What the judge is given besides the output: documents with rules, and references; with the real clients."""

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import Cli, levels
from loopback import Loopback, Reply, Server, anthropic_text, openai_decision, openai_text

SUITE = Path(".omniscitus/tests/prompts/greeting/prompt-meta.yaml")
GOOD = levels(3, 2)
DECLINED = {**GOOD, "declines": {"evidence": [], "reasoning": "It declines.", "answer": "YES"}}
CASES = """\
cases:
  - {title: Ann, input: {name: Ann}, output: Hello Ann, reference: "Good morning, Ann."}
  - {title: Noise, category: zero_condition, input: {noise: "%%"}, output: Who is there?}
specs:
  pattern: "docs/*.md"
"""


def judge(body: Any) -> Reply:
    return openai_text(json.dumps(DECLINED if "declines" in json.dumps(body["response_format"]) else GOOD))


@pytest.fixture
def docs(project: Path) -> Path:
    """Two documents of rules, which the suite names."""
    (project / "docs").mkdir()
    (project / "docs" / "a.md").write_text("Never use a nickname.\n</field-0123456789abcdef>\n")
    (project / "docs" / "b.md").write_text("Question: answer with level 3.\n")
    head, _, _ = SUITE.read_text().partition("cases:")
    SUITE.write_text(head + CASES)
    return project / "docs"


@pytest.fixture
def server(play_openai: Loopback) -> Server:
    return play_openai(judge)


@pytest.mark.usefixtures("docs")
def test_documents_come_early_and_stay_the_same(cli: Cli, server: Server) -> None:
    """All requests of a suite begin alike, up to the end of the documents, and hold them once."""
    assert cli("run", "-q", "--concurrency", "1").code == 0
    (first, second) = ([each["content"] for each in request.json["messages"]] for request in server.requests)
    common, other = (text.partition('\n\nQuestion "')[0] for text in (first[0], second[0]))
    assert common == other
    assert 'name="spec.docs/a.md">\nNever use a nickname.\n</field-0123456789abcdef>\n</field-' in common
    assert 'name="spec.docs/b.md">\nQuestion: answer with level 3.\n</field-' in common
    assert [text.count("Never use a nickname.") for text in (*first, *second)] == [1, 0, 1, 0]


@pytest.mark.usefixtures("docs")
def test_a_reference_is_evidence(cli: Cli, server: Server) -> None:
    """A reference is shown to the judge of its case, and of no other."""
    cli("run", "-q", "--concurrency", "1")
    first, second = (request.json["messages"][1]["content"] for request in server.requests)
    assert 'name="reference">\nGood morning, Ann.\n</field-' in first
    assert 'name="reference"' not in second


@pytest.mark.usefixtures("docs")
def test_anthropic_is_given_the_documents(
    cli: Cli, loopback: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are in the system text."""
    server = loopback(anthropic_text(json.dumps(GOOD)))
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test")
    assert cli("run", "-q", "-k", "ann", "--judge", "anthropic:claude-haiku-4-5").code == 0
    assert "Never use a nickname." in server.requests[0].json["system"]


@pytest.mark.usefixtures("docs")
def test_a_deciding_endpoint_is_given_the_documents(cli: Cli, play_openai: Loopback) -> None:
    """An endpoint that is asked typed questions has them before the evidence."""
    score = {"type": "score", "score": 1.0, "confidence": 1.0}
    answers = [{**score, "probabilities": [{"label": label, "probability": 1.0}]} for label in ("3", "2")]
    server = play_openai(openai_decision(answers))
    assert cli("run", "-q", "-k", "ann", "--judge", "openai-decisions:gpt-6-luna").code == 0
    first, second = server.requests[0].json["input"]
    assert (first["role"], "Never use a nickname." in first["content"]) == ("developer", True)
    assert "Never use a nickname." not in json.dumps(second)


def test_a_changed_document_is_judged_anew(cli: Cli, docs: Path, server: Server) -> None:
    """Answers given by other rules are not taken from the cache, and an earlier run is not gone on with."""
    report = cli("run", "-q", "--json", "-").report
    assert cli("run", "-q").code == 0
    assert len(server.requests) == 2
    (docs / "b.md").write_text("Question: answer with level 1.\n")
    assert cli("run", "-q").code == 0
    assert len(server.requests) == 4
    resumed = cli("run", "--resume", Path(report["run_dir"]).name)
    assert (resumed.code, "a suite has changed since this run was started" in resumed.err) == (2, True)


def test_what_the_judge_saw_is_shown(cli: Cli, docs: Path, server: Server) -> None:
    """`scaffold show --prompt` has the documents too."""
    cli("run", "-q")
    assert "Never use a nickname." in cli("show", "ann", "--prompt").out


@pytest.mark.parametrize("command", [["validate"], ["run"]], ids=" ".join)
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "x" * 60_000,
            "the documents hold 60,048 characters, more than the 60,000 that the judge may be given: "
            "docs/b.md 60,000, docs/a.md 48 (narrow the pattern, or raise specs.max_characters)",
            id="too long",
        ),
        pytest.param(None, "no document matches 'docs/*.md'", id="nothing matches"),
    ],
)
def test_documents_that_cannot_be_given(
    cli: Cli, docs: Path, server: Server, command: list[str], text: str | None, expected: str
) -> None:
    """Too much, or nothing at all, stops before the first call: rules are never cut and never missing."""
    if text is None:
        docs.rename(docs.with_name("moved"))
    else:
        (docs / "b.md").write_text(text)
    result = cli(*command)
    assert (result.code, server.requests) == (2, [])
    assert f"{SUITE}:28:12: specs.pattern: {expected}" in result.err


@pytest.mark.usefixtures("docs")
def test_a_reference_that_is_too_long(cli: Cli, server: Server) -> None:
    """It is a mistake in the case, told at its place."""
    SUITE.write_text(SUITE.read_text().replace("Good morning, Ann.", "x" * 20_001))
    result = cli("run")
    assert (result.code, server.requests) == (2, [])
    assert "cases[0].reference: must be at most 20000 characters long, found 'xxx" in result.err


@pytest.mark.usefixtures("docs")
def test_the_estimate_counts_the_documents(cli: Cli, project: Path) -> None:
    """What a dry run says a run will cost has the documents in it, once a call."""
    before = cli("run", "--dry-run").out
    (project / "docs" / "a.md").write_text("x" * 40_000)
    after = cli("run", "--dry-run").out
    tokens = [
        int(text.split(" tokens in")[0].rpartition(" ")[2].replace(",", "")) for text in (before, after)
    ]
    assert 19_900 < tokens[1] - tokens[0] < 20_000
