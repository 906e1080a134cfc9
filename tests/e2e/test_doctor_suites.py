"""`scaffold doctor`: what grids and fixtures name is looked at as what prompt suites name is."""

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import Cli, Result
from doctor_findings import FIXTURE, KEY, Install, found, missing
from loopback import Loopback, Server, anthropic_text

pytestmark = pytest.mark.usefixtures("install")

TESTS = Path(".omniscitus/tests")
GRID = """\
name: triage
arms:
  baseline: {prompt: baseline.txt, control: true}
  command: {%s}
models: ["openai:gpt-4o-mini"]
tasks: tasks.jsonl
"""
LABELS = "labels: [a, b]\n"
SCORES = """\
measure: score
judge: {model: "openai:gpt-4o", meta: "openai:gpt-4o"}
criteria: [{name: tone, weight: 1, scale: 3, rubric: "Is it kind?"}]
"""
SEMANTIC = """  semantic:
    - {id: kind, view: result, judge_model: %s, rubric: Is it kind?}
    - {id: short, view: result, judges: ["openai:gpt-4o", "anthropic:claude-haiku-4-5"], rubric: Is it short?}
---
# Prompt body"""
CLAUDE = """
echo "$1" >> {said}
case "$1" in --version) echo "2.1.332 (Claude Code)";; auth) echo '{{"loggedIn": true}}';; *) exit 1;; esac
"""


def write_grid(*, arm: str = "prompt: other.txt", measure: str = LABELS) -> None:
    """A grid of a prompt and another arm, in a folder of its own."""
    folder = TESTS / "grids"
    folder.mkdir()
    (folder / "triage.grid.yaml").write_text(GRID % arm + measure)
    for name in ("baseline", "other"):
        (folder / f"{name}.txt").write_text(f"{name}: {{{{input}}}}")
    label = {"golden_label": "a"} if measure == LABELS else {}
    (folder / "tasks.jsonl").write_text(json.dumps({"input": "Hi", **label}))


def write_fixture(path: Path, judge: str | None = None) -> Path:
    """A fixture, with rows for judges: one that is named, and two that have keys of their own."""
    semantic = FIXTURE.replace("---\n# Prompt body", SEMANTIC % judge) if judge else FIXTURE
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(semantic)
    return path


def section(result: Result, name: str) -> dict[str, str]:
    """What the findings of a section say, by their names and roles."""
    findings = [each for each in result.report["findings"] if each["section"] == name]
    return {f"{each['name']} {each['text'].split(';')[0]}": each["status"] for each in findings}


@pytest.fixture
def claude_judge(loopback: Loopback, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A judge of the other vendor that sees the greeting, and a key for it."""
    said = {"greeting": {"evidence": ["Good morning"], "reasoning": "It does.", "answer": "YES"}}
    server = loopback(anthropic_text(json.dumps(said)))
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    return server


@pytest.mark.usefixtures("project")
def test_the_models_of_a_grid(cli: Cli, seeing_judge: Server) -> None:
    """Those under test and the judges: one that judges, checks and is in another suite is asked once."""
    write_grid(measure=SCORES)
    result = cli("doctor", "--json")
    assert (result.code, len(seeing_judge.requests)) == (0, 1)
    assert section(result, "Models").keys() >= {
        "openai:gpt-4o judges triage, greeting",
        "openai:gpt-4o checks the judge triage",
        "openai:gpt-4o-mini is tested by triage",
    }
    assert KEY not in result.out


@pytest.mark.usefixtures("project")
def test_a_grid_without_a_key(cli: Cli) -> None:
    """What its models need is missing."""
    write_grid()
    result = cli("doctor", "--json")
    assert (result.code, missing(result)) == (2, ["openai:gpt-4o-mini", "openai:gpt-4o"])
    assert "OPENAI_API_KEY is not set" in found(result, "openai:gpt-4o-mini")[1]


@pytest.mark.usefixtures("project")
def test_the_judges_of_a_fixture(cli: Cli, seeing_judge: Server, claude_judge: Server) -> None:
    """All judges of all semantic rows: each model is asked once, by whatever name."""
    write_fixture(TESTS / "smoke.fixture.md", "claude-haiku-4-5")
    result = cli("doctor", "--json")
    assert (len(seeing_judge.requests), len(claude_judge.requests)) == (1, 1)
    assert section(result, "Models").keys() >= {
        "openai:gpt-4o judges greeting, smoke",
        "claude-haiku-4-5 judges smoke",
        "anthropic:claude-haiku-4-5 judges smoke",
    }
    assert missing(result) == ["claude"]
    assert KEY not in result.out


@pytest.mark.usefixtures("project", "seeing_judge")
def test_a_judge_that_is_none(cli: Cli) -> None:
    """A name that no provider has is told with the model."""
    write_fixture(TESTS / "smoke.fixture.md", "llama3")
    result = cli("doctor", "--offline", "--json")
    assert missing(result) == ["llama3", "anthropic:claude-haiku-4-5", "claude"]
    assert found(result, "llama3")[1].startswith("judges smoke, but the model 'llama3'")


@pytest.mark.usefixtures("seeing_judge")
@pytest.mark.parametrize(
    ("flags", "calls"),
    [((), ["--version", "auth"]), (("--offline",), ["--version"])],
    ids=["asked whether it is logged in", "offline"],
)
def test_a_bare_name_is_the_client_where_no_key_is_set(
    cli: Cli, project: Path, install: Install, flags: tuple[str, ...], calls: list[str]
) -> None:
    """As in a run: a judge that the API has no key for is asked by the client that is logged in."""
    said = project / "said"
    install("claude", CLAUDE.format(said=said))
    path = write_fixture(TESTS / "smoke.fixture.md", "claude-haiku-4-5")
    path.write_text(path.read_text().replace('"anthropic:claude-haiku-4-5"', '"openai:o3"'))
    result = cli("doctor", "--json", *flags)
    assert "claude-cli:claude-haiku-4-5 judges smoke" in section(result, "Models")
    assert list(dict.fromkeys(said.read_text().split("\n")))[: len(calls)] == calls
    assert ("auth" in said.read_text()) == (not flags)


@pytest.mark.parametrize("place", ["arms", ".omniscitus/tests/arms"], ids=["elsewhere", "among the suites"])
@pytest.mark.usefixtures("seeing_judge")
def test_an_arm_that_is_a_session(cli: Cli, project: Path, place: str) -> None:
    """The grid needs the client, wherever the fixture is; of its judges, which a grid never asks, nothing."""
    write_fixture(project / place / "command.fixture.md", "llama3")
    write_grid(arm=f"fixture: {project / place}/command.fixture.md")
    grid = TESTS / "grids/triage.grid.yaml"
    grid.write_text(grid.read_text().replace("openai:gpt-4o-mini", "claude-haiku-4-5"))
    result = cli("doctor", "--offline", "--json")
    assert missing(result) == ["claude-haiku-4-5", "claude"]
    assert found(result, "claude")[1].endswith("; triage needs it")
