"""A suite that `add-prompt` wrote runs as it is, with the real client against a loopback server."""

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import Cli
from loopback import Loopback, Reply, Server, openai_text

PROMPTS = {
    "prompt.md": "Translate {text} to {language}.",
    "prompt.jinja": "{% for item in items %}{{ item }}, {% endfor %}about {{ topic }}",
    "prompt.yaml": "- {role: system, content: Be kind.}\n- {role: user, content: '{question}'}\n",
    "prompt.txt": "You are a helpful assistant.",
}


def _answer(body: dict[str, Any]) -> Reply:
    """Play the model under test, and a judge that likes everything and sees each refusal."""
    if "response_format" not in body:
        return openai_text("Certainly.")
    questions = body["response_format"]["json_schema"]["schema"]["properties"]
    good = {"criteria": 5, "checks": "NO", "declines": "YES"}
    said = {name: {"evidence": [], "reasoning": "", "answer": good[name.split(".")[0]]} for name in questions}
    return openai_text(json.dumps(said))


@pytest.fixture
def server(play_openai: Loopback, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Server:
    """An endpoint that the environment points to, and an empty folder to work in."""
    server = play_openai(_answer)
    monkeypatch.chdir(tmp_path)
    return server


@pytest.mark.parametrize("target", [None, *PROMPTS])
def test_a_scaffolded_suite_runs_as_it_is(cli: Cli, server: Server, target: str | None) -> None:
    """Two calls a case, all ten cases measured and passed, the prompt filled in."""
    if target is not None:
        Path(target).write_text(PROMPTS[target], encoding="utf-8")
    assert cli("add-prompt", "demo", *(["--target", target] if target else [])).code == 0
    result = cli("run", "demo", "--quiet", "--no-cache", "--json", "-")
    assert (result.code, result.report["totals"]["passed"]) == (0, 10), result.err
    assert len(server.requests) == 20
    prompts = [
        json.dumps(each.json["messages"]) for each in server.requests if "response_format" not in each.json
    ]
    assert len(prompts) == 10
    assert not [
        prompt for prompt in prompts for name in ("text", "language", "notes") if f"{{{name}}}" in prompt
    ]
    assert {each.json["model"] for each in server.requests} == {"gpt-4.1-mini", "gpt-4o"}


def _answer_anything(body: dict[str, Any]) -> Reply:
    """Play the model under test, and a judge for which all is well and no output is better."""
    if "response_format" not in body:
        return openai_text("Certainly.")
    questions = body["response_format"]["json_schema"]["schema"]["properties"]
    said = {}
    for name, question in questions.items():
        offered = question["properties"]["answer"]["enum"]
        no = name.startswith("checks.")
        answer = "tie" if "tie" in offered else "NO" if no else "YES" if "YES" in offered else offered[-1]
        said[name] = {"evidence": [], "reasoning": "", "answer": answer}
    return openai_text(json.dumps(said))


@pytest.mark.parametrize(
    ("kind", "calls", "code"), [("binary", 20, 0), ("comparison", 60, 0), ("regression", 20, 4)]
)
def test_a_scaffolded_suite_of_each_type_runs_as_it_is(
    cli: Cli,
    play_openai: Loopback,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    kind: str,
    calls: int,
    code: int,
) -> None:
    """All ten cases are measured; a regression becomes its own baseline, and then passes without a call."""
    server = play_openai(_answer_anything)
    monkeypatch.chdir(tmp_path)
    assert cli("add-prompt", "demo", "--type", kind).code == 0
    assert cli("validate", "--strict").code == 0
    result = cli("run", "demo", "--quiet", "--no-cache", "--json", "-")
    assert (result.code, len(server.requests)) == (code, calls), result.err
    assert (result.report["totals"]["cases"], result.report["totals"]["errored"]) == (10, 0)
    if kind == "regression":
        assert cli("baseline", "accept").code == 0
        assert cli("run", "demo", "--quiet", "--no-cache").code == 0
        assert len(server.requests) == calls + 10  # the outputs alone: the judge would be asked the same
