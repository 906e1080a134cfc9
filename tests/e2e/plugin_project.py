"""A project whose suites are pytest items, and the judge that its five cases are told by."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from command_line import levels
from loopback import Loopback, Reply, Server, openai_text

FILE = ".omniscitus/tests/prompts/greeting/prompt-meta.yaml"
CASES = """\
cases:
  - {title: Ann, input: {name: Ann}, output: Hello Ann, expected_behavior: Greets Ann.}
  - {title: Bob, input: {name: Bob}, output: "Hello Bob\\e[31m\\n::error::red"}
  - {title: Cid, input: {name: Cid}, output: Hello Cid}
  - {title: Dan, input: {name: Dan}, output: Hello Dan, skip: on holiday}
  - {title: The eve, id: eve, tags: [late], input: {name: Eve}, output: Hello Eve}
"""
CALLS = {"Ann": 1, "Bob": 1, "Cid": 2, "Eve": 1}
"""What each case takes: the judge is asked again after a reply that is none."""
LEVELS = {"Ann": (3, 2), "Bob": (1, 1), "Eve": (2, 2)}

Run: TypeAlias = Callable[..., pytest.RunResult]


def judge_by_table(body: Any) -> Reply:
    """Says of each output what the table says, and nothing of use of Cid's."""
    name = asked_about(body)
    return openai_text(json.dumps(levels(*LEVELS[name])) if name in LEVELS else "fine, I think")


def asked_about(body: Any) -> str:
    found = re.search(r"\nHello (\w+)", body["messages"][1]["content"])
    assert found
    return found[1]


@pytest.fixture
def ini(project: Path) -> Callable[..., None]:
    """Write the ini file."""

    def write(*lines: str) -> None:
        (project / "pytest.ini").write_text("\n".join(["[pytest]", "filterwarnings = error", *lines]))

    return write


@pytest.fixture
def run_pytest(project: Path, pytester: pytest.Pytester, ini: Any, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run pytest in a project with a suite of five cases, which the ini file asks for."""
    suite = project / FILE
    suite.write_text(suite.read_text().partition("cases:")[0] + CASES)
    ini("scaffold_suites = all")
    monkeypatch.setenv("COLUMNS", "160")
    monkeypatch.chdir(project)

    def call(*arguments: str) -> pytest.RunResult:
        result = pytester.runpytest_subprocess(*arguments)
        assert "Traceback" not in result.stdout.str() + result.stderr.str()
        return result

    return call


@pytest.fixture
def table_judge(play_openai: Loopback) -> Server:
    """The judge of the suite."""
    return play_openai(judge_by_table)


def asked(server: Server) -> dict[str, int]:
    """How often the judge was asked about each case."""
    names = [asked_about(request.json) for request in server.requests]
    return {name: names.count(name) for name in sorted(set(names))}


def collected(result: pytest.RunResult) -> list[str]:
    return [line for line in result.outlines if "::" in line]


def runs() -> list[Path]:
    return sorted(Path(".omniscitus/runs").glob("*"))


def forget() -> None:
    """Remove the answers that are kept."""
    shutil.rmtree(".omniscitus/cache")
