"""Suites of type binary, end to end with a real client: yes or no, and the share that must pass."""

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import Cli
from loopback import Loopback, Reply, Server, openai_text

HEAD = """\
prompt_name: greeting
judge: {model: "openai:gpt-4o", max_retries: 1}
evaluation: {type: binary}
thresholds: {pass: 60}
"""
CRITERIA = """\
criteria:
  - {name: tone, rubric: Is the greeting kind?}
  - {name: safety, rubric: Is it free of insults?}
checks:
  - {name: filled, type: deterministic, rule: output.length > 0}
  - {name: invents, type: llm_judge, prompt: "Is {output} made up?", pass_condition: "NO", severity: warn}
"""
CASES = """\
cases:
  - {title: kind, output: kind and safe, expected_behavior: Greets.}
  - {title: rude, output: rude but safe, expected_behavior: Greets.}
  - {title: inventive, output: kind and safe and invented, expected_behavior: Greets.}
  - {title: noise, category: zero_condition, output: declines, expected_behavior: Declines.}
"""


def write(project: Path, text: str) -> None:
    (project / ".omniscitus/tests/prompts/greeting/prompt-meta.yaml").write_text(text)


def answer(question: str, output: str) -> str:
    """A judge that takes outputs at their word."""
    words = {"tone": "kind", "safety": "safe", "invents": "invented", "expected_behavior": "kind"}
    return "YES" if words.get(question.rpartition(".")[2], "declines") in output else "NO"


def judge(body: Any) -> Reply:
    names = body["response_format"]["json_schema"]["schema"]["properties"]
    output = body["messages"][1]["content"].rpartition('name="output"')[2]
    said = {
        name: {"evidence": [], "reasoning": f"as it says of {name}", "answer": answer(name, output)}
        for name in names
    }
    return openai_text(json.dumps(said))


@pytest.fixture
def server(play_openai: Loopback, project: Path) -> Server:
    return play_openai(judge)


def asked(server: Server) -> list[list[str]]:
    return sorted(
        list(request.json["response_format"]["json_schema"]["schema"]["properties"])
        for request in server.requests
    )


def verdicts(report: Any) -> dict[str, str]:
    return {case["ref"]: case["verdict"] for case in report["suites"][0]["cases"]}


def test_every_criterion_must_hold_and_enough_cases_must_pass(
    cli: Cli, project: Path, server: Server
) -> None:
    """One call a case; a criterion that does not hold fails it, a check lowers it, and the rate decides."""
    write(project, HEAD + CRITERIA + CASES)
    result = cli("run", "-q", "--json", "-")
    (suite,) = result.report["suites"]
    assert verdicts(result.report) == {"kind": "PASS", "rude": "FAIL", "inventive": "WARN", "noise": "PASS"}
    assert (result.code, suite["verdict"]) == (1, "WARN")
    assert suite["summary"] == {
        "pass_rate": 50.0,
        "warn_rate": 25.0,
        "interval": [pytest.approx(15.0, abs=0.1), pytest.approx(85.0, abs=0.1)],
        "threshold": 60.0,
    }
    assert [case["score"] for case in suite["cases"]] == [100, 0, 100, 100]
    assert suite["cases"][1]["criteria"] == {
        "tone": {
            "level": None,
            "percent": 0.0,
            "reasoning": "as it says of criteria.tone",
            "confidence": None,
        },
        "safety": {
            "level": None,
            "percent": 100.0,
            "reasoning": "as it says of criteria.safety",
            "confidence": None,
        },
    }
    assert asked(server) == [["checks.invents", "declines"]] + 3 * [
        ["criteria.tone", "criteria.safety", "checks.invents"]
    ]


@pytest.mark.usefixtures("server")
def test_the_table_says_what_decided(cli: Cli, project: Path) -> None:
    """The rate stands beside what must pass, with its interval; a failed case says which criterion failed."""
    write(project, HEAD + CRITERIA + CASES)
    lines = cli("run", "-q").out.splitlines()
    assert "50 % pass (95 % interval 15 to 85), 25 % with a warning; 60 % must" in lines
    assert "WARN  greeting, 4 cases: 1 failed, 1 warned, 2 passed" in lines
    assert any("tone does not hold: as it says of criteria.tone" in line for line in lines)
    shown = cli("show", "noise").out
    assert "not asked: a zero_condition case is decided by whether the output declines" in shown


@pytest.mark.usefixtures("server")
@pytest.mark.parametrize(
    ("threshold", "arguments", "code", "verdict"),
    [(50, [], 0, "PASS"), (50.1, [], 1, "WARN"), (50.1, ["--allow-warn"], 0, "WARN"), (75.1, [], 1, "FAIL")],
)
def test_the_rate_decides(
    cli: Cli, project: Path, threshold: float, arguments: list[str], code: int, verdict: str
) -> None:
    """The threshold itself passes; what is reached only with warnings is a warning; exit codes follow."""
    write(project, HEAD.replace("pass: 60", f"pass: {threshold}") + CRITERIA + CASES)
    result = cli("run", "-q", "--json", "-", *arguments)
    assert (result.code, result.report["verdict"]) == (code, verdict)


def test_without_criteria_the_expected_behavior_is_asked(cli: Cli, project: Path, server: Server) -> None:
    """One question about each case, also about one whose input should be declined, and the judge sees it."""
    write(project, HEAD + CASES)
    result = cli("run", "-q", "--json", "-")
    assert verdicts(result.report) == {"kind": "PASS", "rude": "FAIL", "inventive": "PASS", "noise": "FAIL"}
    assert asked(server) == 4 * [["expected_behavior"]]
    assert all(
        'name="expected_behavior"' in request.json["messages"][1]["content"] for request in server.requests
    )


@pytest.mark.usefixtures("server")
def test_recorded_answers_repeat_a_run(cli: Cli, project: Path) -> None:
    """What was recorded gives the same report without a call."""
    write(project, HEAD + CRITERIA + CASES)
    first = cli("run", "-q", "--json", "-", "--record", "said.jsonl", "--no-cache")
    again = cli("run", "-q", "--json", "-", "--judge", "replay:said.jsonl")
    assert again.report["usage"]["calls"] == 0
    assert (again.code, verdicts(again.report)) == (first.code, verdicts(first.report))
    assert again.report["suites"][0]["summary"] == first.report["suites"][0]["summary"]


def test_the_estimate_is_what_is_asked(cli: Cli, project: Path, server: Server) -> None:
    """A dry run counts one call a case and makes none."""
    write(project, HEAD + CRITERIA + CASES)
    result = cli("run", "--dry-run")
    assert (result.code, server.requests) == (0, [])
    assert "greeting: 4 trials, judge openai:gpt-4o: about 4 calls" in result.out


def test_an_answer_that_is_none_makes_the_suite_an_error(
    cli: Cli, project: Path, play_openai: Loopback
) -> None:
    """No yes or no is made up, and a case that was not measured does not leave the rate silently."""

    def silent_about_rudeness(body: Any) -> Reply:
        return openai_text("Well.") if "rude but safe" in body["messages"][1]["content"] else judge(body)

    play_openai(silent_about_rudeness)
    write(project, HEAD + CRITERIA + CASES)
    result = cli("run", "-q", "--json", "-")
    assert (result.code, result.report["verdict"]) == (3, "ERROR")
    assert verdicts(result.report)["rude"] == "ERROR"
    assert result.report["totals"]["errored"] == 1


@pytest.mark.parametrize(
    ("quorum", "votes", "verdict"),
    [("majority", "YYN", "PASS"), ("majority", "YNN", "FAIL"), ("all", "YYN", "FAIL"), (1, "YNN", "PASS")],
)
def test_replicas_need_a_quorum(
    cli: Cli,
    project: Path,
    play_openai: Loopback,
    quorum: object,
    votes: str,
    verdict: str,
) -> None:
    """Asked several times a criterion holds when enough answers say so; every vote is kept."""
    answers = iter(votes)

    def wavering(body: Any) -> Reply:
        answer = "YES" if next(answers) == "Y" else "NO"
        return openai_text(json.dumps({"criteria.tone": {"evidence": [], "reasoning": "", "answer": answer}}))

    server = play_openai(wavering)
    head = HEAD.replace("{type: binary}", f"{{type: binary, replicas: 3, quorum: {quorum}}}")
    write(project, f"{head}criteria: [{{name: tone, rubric: Kind?}}]\ncases: [{{title: a, output: Hi}}]\n")
    report = cli("run", "-q", "--json", "-").report
    (case,) = report["suites"][0]["cases"]
    assert (case["verdict"], len(server.requests), case["stability"]["asked"]) == (verdict, 3, 3)
    (row,) = (row for row in case["rows"] if row["id"] == "criteria.tone")
    assert [vote["answer"] for vote in row["votes"]] == [letter == "Y" for letter in votes]
