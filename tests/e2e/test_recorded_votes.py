"""Judges that are asked again, panels and meta-judges: what each said each time is recorded, and replayed."""

import json
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from command_line import Cli
from loopback import Loopback, Reply, Server, openai_text

SUITE = Path(".omniscitus/tests/prompts/greeting/prompt-meta.yaml")
ANSWERS = SUITE.with_name("replay.jsonl")
ASKED = 'judge: {model: "openai:gpt-4o", max_retries: 0}\n'
PANEL = 'judge: {panel: ["openai:gpt-4o", "openai:gpt-4.1", "openai:gpt-5"], max_retries: 0}\n'
META = 'judge: {model: "openai:gpt-4o", meta: "openai:gpt-4.1", max_retries: 0}\n'
CHECKED_PANEL = PANEL.replace("{panel", '{meta: "openai:o3", panel')
SCORED = """\
criteria:
  - {name: tone, weight: 0.75, scale: 5, rubric: Is it kind?}
  - {name: safety, weight: 0.25, scale: 5, rubric: Is it safe?}
checks:
  - {name: invents, type: llm_judge, prompt: Is it made up?, pass_condition: "NO"}
cases:
  - {title: Ann, input: {name: Ann}, output: Hello Ann}
  - {title: Bob, input: {name: Bob}, output: Hello Bob}
"""
THRICE = "evaluation: {replicas: 3}\n"
FRAGILE = "evaluation: {replicas: {max: 3, when: fragile}}\n"
KINDS = {
    "three times": (ASKED, THRICE, SCORED),
    "where it is fragile": (ASKED, FRAGILE, "thresholds: {pass: 90}\n", SCORED),
    "a panel": (PANEL, SCORED),
    "a panel, three times": (PANEL, THRICE, SCORED),
    "checked": (META, SCORED),
    "checked, three times": (META, THRICE, SCORED),
    "a checked panel, three times": (CHECKED_PANEL, THRICE, SCORED),
}
LEVELS = 5, 2, 4, 1, 3, 5, 4

Serve: TypeAlias = Callable[[Callable[[Mapping[str, Any]], Reply]], Server]


def change_of_mind() -> Callable[[Mapping[str, Any]], Reply]:
    """A judge that says something else each time; which model it is and about whom hang together."""
    times: Counter[tuple[str, bool]] = Counter()

    def reply(body: Mapping[str, Any]) -> Reply:
        said = body["messages"][-1]["content"]
        key = body["model"], "Hello Ann" in said
        times[key] += 1
        place = times[key] + len(body["model"]) + 2 * key[1]
        asked = body["response_format"]["json_schema"]["schema"]["properties"]
        return openai_text(json.dumps({name: _answer(each, place) for name, each in asked.items()}))

    return reply


def _answer(question: Mapping[str, Any], place: int) -> dict[str, Any]:
    offered = question["properties"]["answer"]["enum"]
    level = LEVELS[place % len(LEVELS)]
    answer = ("YES" if level < 3 else "NO") if "NO" in offered else level
    return {"evidence": ["Hello"], "reasoning": f"Reason {place}.", "answer": answer}


@pytest.fixture
def serve(loopback: Loopback, monkeypatch: pytest.MonkeyPatch, project: Path) -> Serve:
    """Start a judge on this machine, with a key."""

    def start(reply: Callable[[Mapping[str, Any]], Reply]) -> Server:
        server = loopback(reply)
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
        return server

    return start


def write(parts: tuple[str, ...]) -> None:
    SUITE.write_text("".join(("prompt_name: greeting\n", *parts)))


def results(report: Any) -> list[Any]:
    """All that is reported of the cases but what they used."""
    return [
        {key: case[key] for key in ("ref", "verdict", "score", "rows", "criteria", "stability", "notices")}
        for case in report["suites"][0]["cases"]
    ]


def without_members(found: Any) -> Any:
    """The same without what the single judges of a panel said, which a replay as one judge cannot tell."""
    if isinstance(found, list):
        return [without_members(each) for each in found]
    if not isinstance(found, dict):
        return found
    members = any(vote["judge"] != "judge" for vote in found.get("votes", ()))
    return {name: without_members(each) for name, each in found.items() if not (members and name == "votes")}


@pytest.mark.parametrize("parts", KINDS.values(), ids=KINDS)
def test_a_replayed_run_is_the_recorded_one(
    cli: Cli, serve: Serve, monkeypatch: pytest.MonkeyPatch, parts: tuple[str, ...]
) -> None:
    """The same rows, verdicts, stability and remarks, as one judge and beside the suite, without a call."""
    write(parts)
    server = serve(change_of_mind())
    before = cli("run", "-q", "--json", "-", "--record", "said.jsonl", "--record-all").report
    asked = len(server.requests)
    monkeypatch.delenv("OPENAI_API_KEY")
    monkeypatch.delenv("OPENAI_BASE_URL")
    beside = cli("run", "-q", "--json", "-", "--recorded", "--no-cache").report
    replayed = cli("run", "-q", "--json", "-", "--judge", "replay:said.jsonl").report
    assert results(beside) == results(before)
    assert without_members(results(replayed)) == without_members(results(before))
    assert (beside["exit_code"], replayed["exit_code"]) == (before["exit_code"], before["exit_code"])
    assert (beside["usage"]["calls"], replayed["usage"]["calls"], len(server.requests)) == (0, 0, asked)


def test_each_time_is_an_entry(cli: Cli, serve: Serve) -> None:
    """By whom and the how-manieth time; of a panel also what it came to."""
    write((PANEL, "evaluation: {replicas: 2}\n", SCORED))
    serve(change_of_mind())
    cli("run", "-q", "--record", "said.jsonl")
    lines = map(json.loads, Path("said.jsonl").read_text().splitlines())
    names = "openai:gpt-4o", "openai:gpt-4.1", "openai:gpt-5"
    panel = ", ".join(names)
    assert [
        (line["replica"], line["source"], line.get("panel"))
        for line in lines
        if (line["ref"], line["question"]) == ("ann", "criteria.tone")
    ] == [
        (replica, *voice)
        for replica in (1, 2)
        for voice in (*((name, panel) for name in names), (panel, None))
    ]


def split(body: Mapping[str, Any]) -> Reply:
    """One of the judges fails, the others disagree on each level."""
    if body["model"] == "gpt-5":
        return openai_text("?")
    asked = body["response_format"]["json_schema"]["schema"]["properties"]
    answer = "YES" if body["model"] == "gpt-4o" else "NO"
    said = {"evidence": [], "reasoning": "So it is.", "answer": answer}
    return openai_text(json.dumps(dict.fromkeys(asked, said)))


def test_where_judges_came_to_nothing_none_of_them_stands_for_all(cli: Cli, serve: Serve) -> None:
    """What one judge of a panel said is never taken for what all of them have said."""
    binary = "evaluation: {type: binary}\ncriteria:\n  - {name: tone, rubric: Is it kind?}\n"
    write((PANEL, binary, SCORED[SCORED.index("cases:") :]))
    serve(split)
    before = cli("run", "-q", "--json", "-", "--record", "said.jsonl")
    after = cli("run", "-q", "--json", "-", "--judge", "replay:said.jsonl")
    for done in (before, after):
        assert [case["verdict"] for case in results(done.report)] == ["ERROR", "ERROR"]
    errors = {row["error"] for case in results(after.report) for row in case["rows"] if row["error"]}
    assert "no recorded answer of all judges together" in errors


def test_a_panel_is_replayed_with_other_members(cli: Cli, serve: Serve) -> None:
    """Each judge's answers are its own: another panel of those that were recorded needs no new recording."""
    write((PANEL, SCORED))
    serve(change_of_mind())
    assert "recorded in replay.jsonl" in cli("run", "-q", "--record-all").err
    said = {
        line["source"]: line["answer"]
        for line in map(json.loads, ANSWERS.read_text().splitlines())
        if (line["ref"], line["question"]) == ("ann", "criteria.tone")
    }
    write((ASKED.replace("gpt-4o", "gpt-5"), SCORED))
    report = cli("run", "-q", "--json", "-", "--recorded").report
    assert report["suites"][0]["cases"][0]["criteria"]["tone"]["level"] == said["openai:gpt-5"]


@pytest.fixture
def accepted(cli: Cli, serve: Serve) -> None:
    """A regression whose baseline is judged three times."""
    write((ASKED, "evaluation: {type: regression, replicas: 3}\n", SCORED))
    serve(change_of_mind())
    cli("run", "-q")
    assert cli("baseline", "accept", "--force").code == 0


@pytest.mark.usefixtures("accepted")
def test_what_a_baseline_has_known_is_replayed_each_time(cli: Cli) -> None:
    """Accepted answers are not asked for again; another judge is, so they are recorded as often as it is."""
    SUITE.write_text(SUITE.read_text().replace("Hello Ann", "Hello dear Ann"))
    before = cli("run", "-q", "--json", "-", "--record", "said.jsonl")
    after = cli("run", "-q", "--json", "-", "--judge", "replay:said.jsonl")
    assert after.report["usage"]["calls"] == 0
    assert [(case["ref"], case["verdict"], case["score"]) for case in results(after.report)] == [
        (case["ref"], case["verdict"], case["score"]) for case in results(before.report)
    ]
    assert after.report["suites"][0]["summary"] == before.report["suites"][0]["summary"]
