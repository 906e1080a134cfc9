"""Panels, meta-judges and replicas through the command line, with the real client."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command_line import Cli, levels
from loopback import Loopback, Reply, openai_text

SUITE = ".omniscitus/tests/prompts/greeting/prompt-meta.yaml"
JUDGE = 'judge: {model: "openai:gpt-4o", max_retries: 1, timeout_seconds: 5}'


@pytest.fixture
def suite(project: Path) -> Callable[[str, str], None]:
    """Set the suite's judge and evaluation sections."""

    def change(judge: str, evaluation: str = "") -> None:
        text = (project / SUITE).read_text()
        assert JUDGE in text
        (project / SUITE).write_text(text.replace(JUDGE, f"judge: {judge}\n{evaluation}"))

    return change


def by_model(**said: Any) -> Callable[[Any], Reply]:
    """A server whose models each have their own opinion."""
    return lambda body: openai_text(json.dumps(said[body["model"].replace("-", "_").replace(".", "_")]))


def rows(result: Any) -> dict[str, Any]:
    return {row["id"]: row for row in result.report["suites"][0]["cases"][0]["rows"]}


def test_panel(cli: Cli, suite: Any, play_openai: Loopback) -> None:
    """Three judges, three calls; the lower median decides and every vote is in the row."""
    suite("{panel: [gpt-4o, gpt-4.1, gpt-4.1-mini]}")
    server = play_openai(by_model(gpt_4o=levels(3, 2), gpt_4_1=levels(1, 2), gpt_4_1_mini=levels(2, 2)))
    result = cli("run", "-q", "--json", "-")
    tone = rows(result)["criteria.tone"]
    assert (tone["level"], len(server.requests)) == (2, 3)
    assert [(vote["judge"], vote["answer"]) for vote in tone["votes"]] == [
        ("gpt-4o", 3),
        ("gpt-4.1", 1),
        ("gpt-4.1-mini", 2),
    ]
    assert cli("run", "--dry-run").out.startswith(
        "greeting: 1 trial, judge gpt-4o, gpt-4.1, gpt-4.1-mini: about 3 calls"
    )


def test_one_judge_instead_of_the_panel(cli: Cli, suite: Any, play_openai: Loopback) -> None:
    """`--judge` asks that judge alone."""
    suite("{panel: [gpt-4o, gpt-4.1]}")
    server = play_openai(openai_text(json.dumps(levels(3, 2))))
    assert cli("run", "-q", "--judge", "gpt-4.1-nano").code == 0
    assert [request.json["model"] for request in server.requests] == ["gpt-4.1-nano"]


def test_meta_judge(cli: Cli, suite: Any, play_openai: Loopback) -> None:
    """The meta-judge's no is in the row and in a notice; the score stays."""
    suite("{model: gpt-4o, meta: gpt-4.1}")
    no = {"evidence": [], "reasoning": "It is not.", "answer": "NO"}
    meta = {"meta.criteria.tone": no, "meta.criteria.safety": {**no, "answer": "YES"}}
    play_openai(by_model(gpt_4o=levels(3, 2), gpt_4_1=meta))
    result = cli("run", "-q", "--json", "-")
    (case,) = result.report["suites"][0]["cases"]
    tone, safety = (rows(result)[name] for name in ("criteria.tone", "criteria.safety"))
    assert (result.code, case["score"], case["criteria"]["tone"]["confidence"]) == (0, 100.0, 0.5)
    assert (tone["supported"], safety["supported"]) == (False, True)
    assert (
        case["notices"][0]["text"]
        == "criteria.tone: the meta-judge does not find the answer supported: It is not."
    )


def test_meta_judge_of_replicas(cli: Cli, suite: Any, play_openai: Loopback) -> None:
    """An answer that was given several times is as supported as most of these times."""
    suite("{model: gpt-4o, meta: gpt-4.1}", "evaluation: {replicas: 3}")
    said = {"evidence": [], "reasoning": "It is so."}
    checks = iter([("YES", "NO"), ("NO", "NO"), ("YES", "YES")])

    def answer(body: Any) -> Reply:
        if body["model"] == "gpt-4o":
            return openai_text(json.dumps(levels(3, 2)))
        names = ("meta.criteria.tone", "meta.criteria.safety")
        told = zip(names, next(checks), strict=True)
        return openai_text(json.dumps({name: {**said, "answer": label} for name, label in told}))

    play_openai(answer)
    found = rows(cli("run", "-q", "--json", "-"))
    tone, safety = (found[name] for name in ("criteria.tone", "criteria.safety"))
    assert (tone["supported"], safety["supported"]) == (True, False)
    assert (tone["confidence"], safety["confidence"]) == (1, 1)


@pytest.mark.parametrize(
    ("evaluation", "said", "verdict", "stability"),
    [
        pytest.param(
            "evaluation: {replicas: 3}",
            [(3, 2), (1, 2), (3, 2)],
            "PASS",
            {"asked": 3, "flips": 1, "agreement": 5 / 6},
            id="three",
        ),
        pytest.param(
            "evaluation: {replicas: {max: 3, when: fragile}}", [(1, 1)], "FAIL", None, id="clear: once"
        ),
        pytest.param(
            "evaluation: {replicas: {max: 3, when: fragile}}",
            [(3, 2), (3, 2), (1, 2)],
            "PASS",
            {"asked": 3, "flips": 1, "agreement": 5 / 6},
            id="fragile: again",
        ),
    ],
)
def test_replicas(
    cli: Cli,
    suite: Any,
    play_openai: Loopback,
    evaluation: str,
    said: list[tuple[int, int]],
    verdict: str,
    stability: Any,
) -> None:
    """The judge is asked as often as it takes, and the report says how steady it was."""
    suite("{model: gpt-4o}", evaluation)
    server = play_openai([openai_text(json.dumps(levels(*each))) for each in said])
    (case,) = cli("run", "-q", "--json", "-").report["suites"][0]["cases"]
    assert (case["verdict"], case["stability"], len(server.requests)) == (verdict, stability, len(said))


@pytest.mark.parametrize(
    ("judge", "evaluation", "sentence"),
    [
        ("{panel: [gpt-4o]}", "", "a 'panel' has at least two judges, each named once"),
        ("{panel: [gpt-4o, gpt-4o]}", "", "a 'panel' has at least two judges, each named once"),
        ("{panel: [gpt-4o, gpt-4.1], model: gpt-4o}", "", "'model' and 'panel' both name who judges"),
        ("{}", "evaluation: {replicas: 0}", "replicas"),
        ("{}", "evaluation: {replicas: {max: 3}}", "when"),
        ("{}", "evaluation: {replicas: 3, quorum: 4}", "a quorum of 4 cannot be reached with 3 replicas"),
        ("{}", "evaluation: {replicas: 3, quorum: most}", "quorum"),
    ],
)
def test_mistakes(cli: Cli, suite: Any, judge: str, evaluation: str, sentence: str) -> None:
    """What cannot be is refused, with its place."""
    suite(judge, evaluation)
    result = cli("validate")
    assert (result.code, sentence in result.err) == (2, True), result.err
    assert "prompt-meta.yaml:" in result.err
