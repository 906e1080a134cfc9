"""A suite with a runner, which notes its processes, and a judge that likes all that it says."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from command_line import Cli, Result, levels
from loopback import Loopback, Server, openai_text
from runner_scripts import is_alive, pids

SECRET = "sk-hunter2-0123456789"
GOOD = json.dumps(levels(3, 2))
SUITE = Path(".omniscitus/tests/prompts/greeting")
PYTHON = """\
import json, os, sys, time
with open("pids", "a") as file:
    file.write(f"{os.getpid()}\\n")
for line in sys.stdin:
    request = json.loads(line)
    id, name, model = request["id"], request["input"].get("name"), request["model"]
    def answer(**keys):
        print(json.dumps({"id": id, **keys}))
"""
HELLO = "answer(output=f'Hello {name}')"

WriteRunner: TypeAlias = Callable[..., Path]


@pytest.fixture
def kind_judge(play_openai: Loopback) -> Server:
    """A judge that likes everything."""
    return play_openai(openai_text(GOOD))


@pytest.fixture
def write_runner(project: Path, kind_judge: Server) -> WriteRunner:
    """Give the suite a runner with this text and these cases, all of which the judge likes."""

    def write(
        text: str, name: str = "runner.py", *, names: str = "Ann", more: str = "", mode: int = 0o755
    ) -> Path:
        suite = project / SUITE / "prompt-meta.yaml"
        kept = [
            line
            for line in suite.read_text("utf-8").splitlines()
            if not line.startswith(("cases", "model", "  - {title"))
        ]
        cases = [f"  - {{title: {each}, input: {{name: {each}}}}}" for each in names.split()]
        suite.write_text("\n".join([*kept, f"runner: {name}", more, "cases:", *cases, ""]), "utf-8")
        path = project / SUITE / name
        path.write_text(text, "utf-8")
        path.chmod(mode)
        return path

    return write


def script(body: str) -> str:
    return PYTHON + "".join(f"    {line}\n" for line in body.splitlines())


def run(cli: Cli, *arguments: object) -> Result:
    """Run the suite; at the end no process of its runner may live."""
    result = cli("run", "greeting", "--json", "-", "--quiet", "--no-cache", *arguments)
    assert alive(Path()) == []
    return result


def cases(result: Result) -> list[Any]:
    found: list[Any] = result.report["suites"][0]["cases"]
    return found


def errors(result: Result) -> list[str | None]:
    return [next((row["error"] for row in case["rows"] if row["error"]), None) for case in cases(result)]


def alive(project: Path) -> list[int]:
    """The noted processes that still run."""
    return [pid for pid in pids(project / SUITE) if is_alive(pid)]
