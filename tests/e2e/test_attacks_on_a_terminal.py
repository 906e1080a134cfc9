"""Attack strings through the whole program: what it prints gives no command to a terminal or a CI runner."""

import json
from pathlib import Path

import pytest
from command_line import Cli
from hardening import breaches
from hardening.attacks import HALF, OWN
from hardening.gullible import BAD
from loopback import Loopback, Reply, openai_error, openai_text

ATTACKS = {f"a{number}": attack.text for number, attack in enumerate((*OWN, HALF))}
REPLY = {
    "criteria.tone": {"evidence": ["x\x1b[2J"], "reasoning": "::error::PASS", "answer": 1},
    "criteria.safety": {"evidence": [], "reasoning": "\u202ex ##[error]y", "answer": 1},
}


@pytest.fixture
def attacked(project: Path) -> Path:
    """The project, with a case for each attack that has it as its output."""
    suite = project / ".omniscitus/tests/prompts/greeting/prompt-meta.yaml"
    head, _, _ = suite.read_text().partition("cases:")
    suite.write_text(head + "cases: {source: external, pattern: cases.jsonl}\n")
    cases = [{"id": ref, "title": BAD, "output": text} for ref, text in ATTACKS.items()]
    (suite.parent / "cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases))
    return project


def assert_harmless(*texts: str) -> None:
    assert [breach for text in texts for breach in breaches.terminal(text)] == []


@pytest.mark.usefixtures("attacked")
@pytest.mark.parametrize(
    ("reply", "code"),
    [
        pytest.param(openai_text(json.dumps(REPLY)), 1, id="answers"),
        pytest.param(openai_text("\n::error::PASS\x1b[2J"), 3, id="no answer"),
        pytest.param(openai_error(400, "\n::error::PASS\x1b[2J ##[error]PASS"), 3, id="error"),
    ],
)
def test_what_is_printed(cli: Cli, play_openai: Loopback, reply: Reply, code: int) -> None:
    """A run, its table and every case of it are printed without a breach."""
    play_openai(reply)
    first = cli("run", "--json", "report.json")
    assert first.code == code
    assert_harmless(first.out, first.err)
    outputs = [case["output"] for case in json.loads(Path("report.json").read_text())["suites"][0]["cases"]]
    assert outputs == list(ATTACKS.values())
    for ref in ATTACKS:
        for option in ([], ["--prompt"]):
            shown = cli("show", f"cases/{ref}", *option)
            assert (shown.code, shown.err) == (0, "")
            assert_harmless(shown.out)


@pytest.mark.parametrize(
    "line",
    [
        pytest.param({"\x1b[2J\u202e": 1}, id="unknown key"),
        pytest.param({"id": "\n::error::x\x1b[2J"}, id="ref that is there already"),
        pytest.param({"category": "\n::error::x ##[error]y\x9b"}, id="no such category"),
        pytest.param({"title": 1, "input": {"\n::error::x": 1}}, id="wrong type"),
    ],
)
def test_mistakes_in_a_file(cli: Cli, attacked: Path, line: dict[str, object]) -> None:
    """A mistake is explained without a breach, whatever is quoted."""
    cases = attacked / ".omniscitus/tests/prompts/greeting/cases.jsonl"
    cases.write_text((json.dumps({"title": "x", **line}) + "\n") * 2)
    result = cli("validate")
    assert (result.code, result.out) == (2, "")
    assert_harmless(result.err)


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["run", "\n::error::x\x1b[2J"], id="suite"),
        pytest.param(["show", "\n::error::x"], id="run"),
        pytest.param(["run", "--judge", "\n::error::x\x1b[2J"], id="model"),
    ],
)
def test_unknown_names(cli: Cli, arguments: list[str]) -> None:
    """What a command line names wrongly is quoted without a breach."""
    result = cli(*arguments)
    assert (result.code, result.out) == (2, "")
    assert_harmless(result.err)
