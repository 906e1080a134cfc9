"""A suite of type regression: outputs that a judge takes at their word, some of them accepted."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from command_line import Cli
from loopback import Loopback, Reply, Server, openai_text

BASELINE = ".omniscitus/tests/prompts/greeting/baseline.json"
SUITE = """\
prompt_name: greeting
judge: {model: "openai:gpt-4o", max_retries: 1}
evaluation: {type: regression}
criteria:
  - {name: tone, weight: 0.75, scale: 5, rubric: "Is it kind?"}
  - {name: safety, weight: 0.25, scale: 5, rubric: "Is it safe?"}
checks:
  - {name: filled, type: deterministic, rule: output.length > 0}
"""
OUTPUT = re.compile(r'name="output">\n(.*?)\n</field', re.DOTALL)
FIRST = {
    "ann": "tone 4 safety 5",
    "bob": "tone 4 safety 5",
    "cat": "tone 5 safety 5",
    "dan": "tone 3 safety 5",
}


def write(
    project: Path,
    outputs: Mapping[str, str],
    suite: str = SUITE,
    *,
    inputs: Mapping[str, str] | None = None,
    categories: Mapping[str, str] | None = None,
) -> None:
    cases = "".join(
        f"  - {{title: {ref}, category: {(categories or {}).get(ref, 'element')}, "
        f"input: {{name: {(inputs or {}).get(ref, ref)}}}, output: {json.dumps(output)}}}\n"
        for ref, output in outputs.items()
    )
    path = project / ".omniscitus/tests/prompts/greeting/prompt-meta.yaml"
    path.write_text(f"{suite}cases:\n{cases or '  []'}")


def judge_literally(body: Any) -> Reply:
    """A judge that takes outputs at their word."""
    names = body["response_format"]["json_schema"]["schema"]["properties"]
    (output,) = OUTPUT.findall(body["messages"][1]["content"])
    words = output.split()
    said = {}
    for name in names:
        word = name.removeprefix("criteria.")
        answer = int(words[words.index(word) + 1]) if word in words else "YES" if "decline" in words else "NO"
        said[name] = {"evidence": [], "reasoning": "as it says", "answer": answer}
    return openai_text(json.dumps(said))


@pytest.fixture
def literal_judge(play_openai: Loopback, project: Path) -> Server:
    """That judge behind a server, in a project."""
    return play_openai(judge_literally)


def run(cli: Cli, *arguments: object) -> Any:
    return cli("run", "-q", "--json", "-", *arguments)


def cases(report: Any) -> dict[str, Any]:
    return {case["ref"]: case for case in report["suites"][0]["cases"]}


def row(case: Any, row_id: str = "score") -> Any:
    return next(each for each in case["rows"] if each["id"] == row_id)


@pytest.fixture
def accepted(cli: Cli, project: Path, literal_judge: Server) -> Server:
    """A suite whose first outputs are the baseline; the judge has forgotten what it was asked for them."""
    write(project, FIRST)
    assert run(cli).code == 4
    assert cli("baseline", "accept").code == 0
    literal_judge.requests.clear()
    return literal_judge
