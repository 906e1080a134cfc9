"""The `.env` file of a suite with a runner: who gets it, and that it stays secret."""

import os
from pathlib import Path

import pytest
from command_line import Cli
from loopback import Server
from runner_project import HELLO, SECRET, SUITE, WriteRunner, cases, errors, run, script

CONFIG = f"""\
# secrets
OPENAI_API_KEY={SECRET}
GREETING="Good day"
"""


def test_config(
    cli: Cli, project: Path, write_runner: WriteRunner, kind_judge: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The `.env` file is there for the runner and for the judge of this suite, and for nothing else."""
    monkeypatch.delenv("OPENAI_API_KEY")
    path = write_runner(
        script("answer(output=os.environ['GREETING'] + ' ' + name)"), more="config: .env.local"
    )
    path.with_name(".env.local").write_text(CONFIG)
    result = run(cli)
    assert [case["output"] for case in cases(result)] == ["Good day Ann"]
    assert kind_judge.requests[0].headers["authorization"] == f"Bearer {SECRET}"
    assert "GREETING" not in os.environ
    assert "OPENAI_API_KEY" not in os.environ


def test_config_stays_secret(cli: Cli, project: Path, write_runner: WriteRunner) -> None:
    """No value of the file is printed or recorded, whatever the runner does with it."""
    body = "key = os.environ['SERVICE_KEY']\nprint('with', key, file=sys.stderr)\n"
    body += (
        "if name == 'Ann': answer(error=f'refused {key}')\nelif name == 'Bob': print(key)\nelse: os._exit(7)"
    )
    path = write_runner(script(body), names="Ann Bob Cid", more="config: .env.local")
    path.with_name(".env.local").write_text(f"SERVICE_KEY={SECRET}\n")
    result = run(cli, "--concurrency", "1")
    table = cli("show")
    assert errors(result)[0] == "runner.py: refused [SERVICE_KEY]"
    assert SECRET not in result.out + result.err + table.out + table.err
    kept = [file for file in project.glob(".omniscitus/runs/**/*") if file.is_file()]
    assert [file.name for file in kept if SECRET in file.read_text()] == []
    assert any("with [SERVICE_KEY]" in file.read_text() for file in kept)


def test_config_that_is_not_there(cli: Cli, write_runner: WriteRunner) -> None:
    """A `.env` file that was not committed is no mistake, but is named."""
    write_runner(script(HELLO), more="config: .env.local")
    result = run(cli)
    assert result.code == 0
    said = f"config: {SUITE}/.env.local does not exist: only the environment counts"
    assert result.report["suites"][0]["notices"][0]["text"] == said


def test_config_outside(cli: Cli, write_runner: WriteRunner) -> None:
    """A `.env` file outside the project is refused, unless it is allowed."""
    write_runner(script(HELLO), more="config: ../../../../../.env")
    result = cli("run", "greeting")
    assert result.code == 2
    assert "leaves the project root" in result.err
