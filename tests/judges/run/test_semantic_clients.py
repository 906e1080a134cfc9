"""Semantic verdicts by the real clients of vendors, by recorded answers and from the cache."""

import json
from pathlib import Path
from typing import Any

import pytest
from loopback import Loopback, anthropic_error, anthropic_text, openai_error, openai_refusal, openai_text
from semantic_judges import FAIL, PASS, SUBJECT, VIEW, condition, left

from judges.ask.judge import usable
from judges.core.case import digest
from judges.core.errors import ConfigError
from judges.core.question import Subject
from judges.core.usage import Usage
from judges.core.verdict import Verdict
from judges.providers import ScriptedProvider
from judges.providers.cache import Cache, Keeping
from judges.providers.store import Store
from judges.run.connections import Connections, Endpoint
from judges.run.semantic import SemanticJudge, SemanticResult, build_semantic_judge


def connected(model: str, url: str, **changes: Any) -> SemanticJudge:
    """Return a judge behind the real client of its vendor, at a loopback server."""
    connect = Connections({"OPENAI_BASE_URL": f"{url}/v1", "ANTHROPIC_BASE_URL": url}).endpoint
    return build_semantic_judge(condition(judge_model=model, **changes), connect, timeout_seconds=10)


SCHEMA = {
    "type": "object",
    "properties": {"reasoning": {"type": "string"}, "verdict": {"type": "string", "enum": ["PASS", "FAIL"]}},
    "required": ["reasoning", "verdict"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(("reply", "verdict"), [(PASS, Verdict.PASS), (FAIL, Verdict.FAIL)])
def test_openai(reply: Any, verdict: Verdict, loopback: Loopback) -> None:
    """The real client asks for the rubric's keys by a strict schema."""
    server = loopback(openai_text(json.dumps(reply)))
    row = connected("gpt-4o", server.url).grade(left(VIEW), SUBJECT).row
    assert (row.verdict, row.extra["judge_model"]) == (verdict, "gpt-4o")
    asked = server.requests[0].json["response_format"]
    assert asked["json_schema"] == {"name": "reply", "strict": True, "schema": SCHEMA}


@pytest.mark.parametrize(("reply", "verdict"), [(PASS, Verdict.PASS), (FAIL, Verdict.FAIL)])
def test_anthropic(reply: Any, verdict: Verdict, loopback: Loopback) -> None:
    """A bare name of a Claude model is one of the vendor's own API."""
    server = loopback(anthropic_text(f"```json\n{json.dumps(reply)}\n```"))
    row = connected("claude-haiku-4-5", server.url).grade(left(VIEW), SUBJECT).row
    assert (row.verdict, row.extra["reasoning"]) == (verdict, reply["reasoning"])
    assert server.requests[0].json["output_config"] == {"format": {"type": "json_schema", "schema": SCHEMA}}


LOWER_CASE = 'asked 3 times: "verdict" is not one of "PASS", "FAIL"'
PROSE = "asked 3 times: it was not one complete JSON object"
REFUSED = "the judge refused to answer"


@pytest.mark.parametrize(
    ("model", "replies", "error"),
    [
        pytest.param("gpt-4o", [openai_text('{"verdict":"pass"}')] * 3, LOWER_CASE, id="openai, lower case"),
        pytest.param("gpt-4o", [openai_text("It passes.")] * 3, PROSE, id="openai, prose"),
        pytest.param("gpt-4o", [openai_refusal("I'm sorry.")], REFUSED, id="openai, a refusal"),
        pytest.param(
            "gpt-4o",
            [openai_error(400, "maximum context length is 128000 tokens")],
            "maximum context length is 128000 tokens",
            id="openai, too long",
        ),
        pytest.param(
            "claude-x", [anthropic_text('{"verdict":"pass"}')] * 3, LOWER_CASE, id="anthropic, lower case"
        ),
        pytest.param("claude-x", [anthropic_text("It passes.")] * 3, PROSE, id="anthropic, prose"),
        pytest.param(
            "claude-x",
            [anthropic_text(json.dumps(PASS), stop_reason="refusal")],
            REFUSED,
            id="anthropic, a refusal",
        ),
        pytest.param(
            "claude-x",
            [anthropic_error(400, "prompt is too long: 210000 tokens > 200000 maximum")],
            "prompt is too long: 210000 tokens > 200000 maximum",
            id="anthropic, too long",
        ),
    ],
)
def test_no_verdict_from_an_endpoint(model: str, replies: list[Any], error: str, loopback: Loopback) -> None:
    """What an endpoint says instead of a verdict is the reason of the ERROR."""
    server = loopback(replies)
    row = connected(model, server.url).grade(left(VIEW), SUBJECT).row
    assert row.verdict is Verdict.ERROR
    assert error in (row.error or "")
    assert len(server.requests) == len(replies)


def test_without_a_key_nothing_is_judged() -> None:
    """A key that is missing is told before any call."""
    with pytest.raises(ConfigError, match="ANTHROPIC_API_KEY is not set"):
        build_semantic_judge(
            condition(judge_model="claude-haiku-4-5"), Connections({}).endpoint, timeout_seconds=10
        )


def test_recorded_verdicts(tmp_path: Path) -> None:
    """A file of judgements answers by fixture, row and replica; for an edited view it has none."""
    entry = {"ref": "status", "question": "semantic.ok", "output_sha256": digest(VIEW)}
    lines = [
        {**entry, "answer": "PASS", "reasoning": "Fine."},
        {**entry, "answer": "FAIL", "reasoning": "Late.", "replica": 2},
    ]
    (tmp_path / "replay.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))

    def connect(name: str) -> Endpoint:
        return Connections({}).endpoint(name, folder=tmp_path)

    judge = build_semantic_judge(condition(judge_model="replay:replay.jsonl"), connect, timeout_seconds=10)
    rows = [judge.grade(left(VIEW), Subject(ref="status", replica=number)).row for number in (1, 2, 3)]
    assert [(row.verdict, row.extra["reasoning"]) for row in rows] == [
        (Verdict.PASS, "Fine."),
        (Verdict.FAIL, "Late."),
        (Verdict.ERROR, ""),
    ]
    assert rows[2].error == "no recorded answer for replica 3"
    edited = judge.grade(left("STATUS: KO"), Subject(ref="status")).row
    assert edited.error == "no recorded answer: the output has changed since it was recorded"


def test_cached(tmp_path: Path) -> None:
    """An equal view of the same replica is judged once; another rubric, view or replica is another call."""
    inner = ScriptedProvider([{"verdict": "pass"}, FAIL, PASS, PASS, PASS])
    store = Store(tmp_path / "cache.sqlite")
    cache = Cache(inner, "test", Keeping(store, usable))

    def grade(view: str, replica: int = 1, **changes: Any) -> SemanticResult:
        judge = build_semantic_judge(
            condition(**changes), lambda name: Endpoint(cache, name), timeout_seconds=10
        )
        return judge.grade(left(view), Subject(ref="status", replica=replica))

    assert grade(VIEW).judgement.usage == Usage(calls=2)
    again = grade(VIEW)  # the reply that was no use is asked for again: only usable ones are kept
    assert (again.row.verdict, len(inner.requests)) == (Verdict.PASS, 3)
    assert grade(VIEW, judge_timeout_seconds=5).judgement.usage == Usage(cached=1)
    assert grade(VIEW, replica=2).judgement.usage == Usage(calls=1)
    assert grade(VIEW, rubric="Another one.").judgement.usage == Usage(calls=1)
