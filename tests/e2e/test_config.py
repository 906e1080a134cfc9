"""`.omniscitus/config.yaml` on the way through a run: flag before suite, suite before project."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest
from command_line import Cli, levels
from loopback import Loopback, Reply, Server, openai_error, openai_text

GOOD = json.dumps(levels(3, 2))
SUITE = ".omniscitus/tests/prompts/greeting/prompt-meta.yaml"
JUDGE = '{model: "openai:gpt-4o", max_retries: 1, timeout_seconds: 5}'

Settings: TypeAlias = Callable[[str], None]


@pytest.fixture
def settings(project: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Write the settings. There is a key, and in the environment an address where nobody listens."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")

    def write(text: str) -> None:
        (project / ".omniscitus/config.yaml").write_text(text, encoding="utf-8")

    return write


@pytest.fixture
def server(loopback: Loopback) -> Server:
    return loopback(openai_text(GOOD))


def edit(project: Path, old: str, new: str) -> None:
    suite = project / SUITE
    assert old in suite.read_text()
    suite.write_text(suite.read_text().replace(old, new))


def asked(server: Server) -> list[str]:
    return [request.json["model"] for request in server.requests]


@pytest.mark.parametrize(
    ("judge", "flags", "model"),
    [
        pytest.param("{}", [], "gpt-4.1", id="the project's"),
        pytest.param("{max_retries: 0}", [], "gpt-4.1", id="the project's, with settings of the suite"),
        pytest.param("{model: gpt-4o}", [], "gpt-4o", id="the suite's, though it is the default"),
        pytest.param("{model: gpt-4o}", ["--judge", "openai:o3"], "o3", id="the flag's"),
        pytest.param("{}", ["--judge", "openai:o3"], "o3", id="the flag's, before the project's"),
    ],
)
def test_the_judge(
    cli: Cli, project: Path, settings: Settings, server: Server, judge: str, flags: list[str], model: str
) -> None:
    """Who judges is said by the flag, else by the suite, else by the project."""
    settings(f"judge: openai:gpt-4.1\nbase_url: {{openai: '{server.url}'}}")
    edit(project, JUDGE, judge)
    assert cli("run", "-q", *flags).code == 0
    assert asked(server) == [model]


def test_without_a_word_gpt_4o_judges(cli: Cli, project: Path, settings: Settings, server: Server) -> None:
    """The default of the suite's own format holds where nobody says anything."""
    settings(f"base_url: {{openai: '{server.url}'}}")
    edit(project, JUDGE, "{}")
    assert cli("run", "-q").code == 0
    assert asked(server) == ["gpt-4o"]


def test_the_model_under_test(cli: Cli, project: Path, settings: Settings, loopback: Loopback) -> None:
    """A suite without a model sends its prompt to the project's."""
    server = loopback(lambda body: openai_text(GOOD if body["model"] == "gpt-4o" else "Hello Ann"))
    settings(f"model: openai:gpt-4.1-nano\nbase_url: {{openai: '{server.url}'}}")
    edit(project, "model: openai:gpt-4o-mini\n", "")
    edit(project, ", output: Hello Ann", "")
    assert cli("run", "-q").code == 0
    assert asked(server) == ["gpt-4.1-nano", "gpt-4o"]


def test_the_suite_s_server_goes_before_the_project_s(
    cli: Cli, project: Path, settings: Settings, server: Server
) -> None:
    """An address in the suite is the judge's, whatever the project says."""
    settings("base_url: {openai: 'http://127.0.0.1:9/v1'}")
    edit(project, "max_retries: 1", f"base_url: '{server.url}'")
    assert cli("run", "-q").code == 0


def test_the_budget(cli: Cli, settings: Settings, server: Server) -> None:
    """The project's ceiling holds, unless the command line sets another."""
    settings(f"max_cost_usd: 0.000001\nbase_url: {{openai: '{server.url}'}}")
    result = cli("run", "-q", "--json", "-")
    assert result.code == 3
    assert "the budget of 0.000001 USD is used up" in result.out
    assert server.requests == []
    assert cli("run", "-q", "--max-cost-usd", "1").code == 0


def test_retries(cli: Cli, settings: Settings, loopback: Loopback) -> None:
    """How often a failing call is sent again is the project's, unless the command line says."""
    server = loopback(openai_error(500, "oops"))
    settings(f"http_retries: 0\nbase_url: {{openai: '{server.url}'}}")
    assert cli("run", "-q").code == 3
    assert len(server.requests) == 1
    assert cli("run", "-q", "--http-retries", "1").code == 3
    assert len(server.requests) == 3


def test_concurrency(cli: Cli, project: Path, settings: Settings, loopback: Loopback) -> None:
    """As many calls at once as the project says."""
    server = loopback(lambda body: Reply(200, openai_text(GOOD).body, delay=0.05))
    settings(f"concurrency: 2\nbase_url: {{openai: '{server.url}'}}")
    cases = "".join(f"  - {{title: Case {n}, input: {{name: N{n}}}, output: Hi {n}}}\n" for n in range(8))
    edit(project, "  - {title: Ann, input: {name: Ann}, output: Hello Ann}\n", cases)
    assert cli("run", "-q").code == 0
    assert (len(server.requests), server.most_in_flight) == (8, 2)


def test_suites_elsewhere(cli: Cli, project: Path, settings: Settings, server: Server) -> None:
    """Paths in the settings are searched besides .omniscitus/tests/, and known by name."""
    text = (project / SUITE).read_text()
    elsewhere = project / "evals/farewell/prompt-meta.yaml"
    elsewhere.parent.mkdir(parents=True)
    elsewhere.write_text(text.replace("prompt_name: greeting", "prompt_name: farewell"))
    settings(f"suites: [evals]\nbase_url: {{openai: '{server.url}'}}")
    names = [suite["name"] for suite in cli("run", "-q", "--json", "-").report["suites"]]
    assert names == ["greeting", "farewell"]
    names = [suite["name"] for suite in cli("run", "-q", "farewell", "--json", "-").report["suites"]]
    assert names == ["farewell"]


def test_from_outside_the_project(
    cli: Cli, project: Path, settings: Settings, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A suite that is run from a folder above keeps its own project's settings."""
    settings(f"judge: openai:gpt-4.1\nbase_url: {{openai: '{server.url}'}}")
    edit(project, JUDGE, "{}")
    monkeypatch.chdir(project.parent)
    assert cli("run", "-q", project / SUITE).code == 0
    assert asked(server) == ["gpt-4.1"]


def test_the_estimate_knows_the_settings(cli: Cli, project: Path, settings: Settings) -> None:
    """A dry run names the judge that would be asked."""
    settings("judge: openai:gpt-4.1")
    edit(project, JUDGE, "{}")
    result = cli("run", "--dry-run")
    assert (result.code, "judge openai:gpt-4.1: about 1 call" in result.out) == (0, True)


@pytest.mark.parametrize("command", ["run", "validate"])
def test_mistakes_in_the_settings(cli: Cli, settings: Settings, command: str) -> None:
    """Wrong settings stop every command that needs them, with the place."""
    settings("concurency: 4\n")
    result = cli(command)
    assert (result.code, result.out) == (2, "")
    assert result.err == (
        "Error: .omniscitus/config.yaml:1:1: concurency: unknown key (did you mean 'concurrency'?)\n"
    )
