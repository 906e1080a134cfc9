"""`scaffold run` and `scaffold validate` with checks by code: Python functions, and what cannot work."""

import json
from pathlib import Path
from typing import Any

import pytest
from command_line import Cli, levels
from loopback import Loopback, Reply, Server, openai_text

CHECKS = """\
from pathlib import Path

def greets_by_name(output, input, json):
    return input["name"] in output or f"{input['name']} is not greeted"

def is_json(output, input, json):
    return json is not None

def breaks(output, input, json):
    return json["greeting"]

def says_nothing(output, input, json):
    return None
"""
NO_JSON = 'own failed: python:own_checks.py:is_json returned False; the output (9 characters) is "Hello Ann"'


@pytest.fixture
def suite(project: Path) -> Path:
    folder = project / ".omniscitus/tests/prompts/greeting"
    (folder / "own_checks.py").write_text(CHECKS)
    return folder / "prompt-meta.yaml"


@pytest.fixture
def server(play_openai: Loopback) -> Server:
    return play_openai(openai_text(json.dumps(levels(3, 2))))


def add_check(suite: Path, check: str) -> None:
    suite.write_text(suite.read_text().replace("thresholds:", f"  - {{name: own, {check}}}\nthresholds:"))


@pytest.mark.parametrize(
    ("function", "severity", "code", "verdict", "said", "calls"),
    [
        pytest.param("greets_by_name", "error", 0, "PASS", None, 1, id="passes"),
        pytest.param(
            "is_json",
            "error",
            1,
            "FAIL",
            NO_JSON,
            0,
            id="fails and saves the judge",
        ),
        pytest.param(
            "is_json",
            "warn",
            1,
            "WARN",
            NO_JSON,
            1,
            id="warns",
        ),
        pytest.param(
            "breaks",
            "error",
            3,
            "ERROR",
            "own could not be checked: breaks raised TypeError: 'NoneType' object is not subscriptable",
            0,
            id="raises",
        ),
        pytest.param(
            "says_nothing",
            "error",
            3,
            "ERROR",
            "own could not be checked: python:own_checks.py:says_nothing must return True, False or a "
            "message; it returned None",
            0,
            id="says nothing",
        ),
    ],
)
def test_python_checks(
    cli: Cli,
    suite: Path,
    server: Server,
    function: str,
    severity: str,
    code: int,
    verdict: str,
    said: str | None,
    calls: int,
) -> None:
    """A function of the author's decides like any other check, and what goes wrong in it is an ERROR row."""
    add_check(suite, f"type: deterministic, severity: {severity}, rule: 'python:own_checks.py:{function}'")
    result = cli("run", "-q", "--json", "-")
    (case,) = result.report["suites"][0]["cases"]
    row: Any = next(row for row in case["rows"] if row["id"] == "checks.own")
    assert (result.code, case["verdict"], row["verdict"]) == (code, verdict, verdict)
    assert (row["error"] or row["actual_excerpt"], len(server.requests)) == (said, calls)


@pytest.mark.usefixtures("server")
def test_a_message_of_a_check_is_in_the_table(cli: Cli, suite: Path) -> None:
    """What the function says is what the person reads."""
    add_check(suite, "type: deterministic, rule: 'python:own_checks.py:greets_by_name'")
    suite.write_text(suite.read_text().replace("output: Hello Ann", "output: Hello Bob"))
    assert "own failed: Ann is not greeted" in cli("run", "-q").out


@pytest.mark.usefixtures("server")
def test_a_changed_function_is_a_changed_suite(cli: Cli, suite: Path) -> None:
    """A run cannot go on with another function than it was started with."""
    add_check(suite, "type: deterministic, rule: 'python:own_checks.py:greets_by_name'")
    run = Path(cli("run", "-q", "--json", "-").report["run_dir"]).name
    assert cli("run", "-q", "--resume", run).code == 0
    suite.with_name("own_checks.py").write_text(CHECKS.replace("is not greeted", "is not named"))
    result = cli("run", "-q", "--resume", run)
    assert (result.code, "a suite has changed since this run was started" in result.err) == (2, True)


@pytest.mark.parametrize(
    ("check", "expected"),
    [
        pytest.param(
            "type: deterministic, rule: 'output.length >'",
            "23:44: checks[1].rule: check 'own': is not a JavaScript expression",
            id="JavaScript",
        ),
        pytest.param(
            "type: deterministic, strategy: regex, value: '(a'",
            "23:62: checks[1].value: check 'own': is not a JavaScript regular expression",
            id="pattern",
        ),
        pytest.param(
            "type: deterministic, rule: 'python:gone.py:f'",
            "23:44: checks[1].rule: check 'own': .omniscitus/tests/prompts/greeting/gone.py does not exist",
            id="no file",
        ),
        pytest.param(
            "type: deterministic, rule: 'python:own_checks.py:greets'",
            "has no function 'greets' (it has greets_by_name, is_json, breaks, says_nothing)",
            id="no function",
        ),
    ],
)
@pytest.mark.parametrize("command", [["validate"], ["run"], ["run", "--dry-run"]], ids=" ".join)
def test_checks_that_cannot_work(
    cli: Cli, suite: Path, server: Server, command: list[str], check: str, expected: str
) -> None:
    """A check that cannot work stops everything before the first call, with its place in the file."""
    add_check(suite, check)
    result = cli(*command)
    assert (result.code, result.out, server.requests) == (2, "", [])
    assert "prompt-meta.yaml:23:" in result.err
    assert expected in result.err


def test_what_an_output_from_the_cache_cost(cli: Cli, suite: Path, play_openai: Loopback) -> None:
    """The check is about what it takes to make the output, not about what is spent now."""

    def answer(body: Any) -> Reply:
        judged = "response_format" in body
        return openai_text(json.dumps(levels(3, 2)) if judged else "Hello Ann", tokens=(1000, 100))

    server = play_openai(answer)
    suite.write_text(suite.read_text().replace(", output: Hello Ann", ""))
    add_check(suite, "type: deterministic, strategy: max_cost_usd, value: 0.0001")
    reasons = []
    for _ in range(2):
        done = cli("run", "-q", "--json", "-")
        (row,) = (each for each in done.report["suites"][0]["cases"][0]["rows"] if each["id"] == "checks.own")
        assert (done.code, row["verdict"]) == (1, "FAIL")
        reasons.append(row["actual_excerpt"])
    assert reasons == ["own failed: expected at most 0.0001 USD; it cost 0.00021 USD"] * 2
    assert (len(server.requests), done.report["usage"]["calls"]) == (1, 0)
