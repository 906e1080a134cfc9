"""Nothing leaves this machine but requests to the configured endpoints, and keys are kept nowhere."""

import json
import os
import re
import subprocess
import sys
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import quote

import pytest
from loopback import Loopback, Reply, anthropic_text, openai_decision, openai_text
from test_run import write_cases

from scaffold.cli import COMMANDS

SUITE = Path(".omniscitus/tests/prompts/greeting/prompt-meta.yaml")
KEY = "sk-proj+Zq7/Xv92mLpR4tYw8KdJ"
CORE = "Xv92mLpR4tYw8KdJ"
TRACER = """
import os, sys

def note(event, arguments):
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        told = arguments[1]
    elif event.startswith("socket.get"):
        told = arguments
    else:
        return
    with open(os.environ["NETWORK_LOG"], "a") as log:
        print(*told[:2] if isinstance(told, tuple) else [told], sep=":", file=log)

sys.addaudithook(note)
"""
RUNNER = """
import json, os, sys
print("starting with", dict(os.environ), file=sys.stderr)
for line in sys.stdin:
    case = json.loads(line)
    if case["input"]["name"] == "n0":
        raise SystemExit("gave up on " + os.environ["SERVICE_TOKEN"])
    refused = {"error": "refused: " + os.environ["SERVICE_TOKEN"]}
    said = refused if case["input"]["name"] == "n1" else {"output": "kind"}
    print(json.dumps({"id": case["id"], **said}), flush=True)
"""


@dataclass(frozen=True, slots=True)
class Done:
    """What a command did: its exit code, its words, and whom it tried to reach."""

    code: int
    words: str
    reached: frozenset[str]


Scaffold: TypeAlias = Callable[..., Done]


def answer(body: Mapping[str, Any]) -> Reply:
    """Answer as the APIs do, and every question with what is offered first or highest."""
    match body:
        case {"questions": [*questions]}:
            return openai_decision([_decide(question) for question in questions])
        case {"response_format": {"json_schema": {"schema": {"properties": questions}}}}:
            return openai_text(_judge(questions))
        case {"output_config": {"format": {"schema": {"properties": questions}}}}:
            return anthropic_text(_judge(questions))
    return openai_text("Hello Ann")


def _decide(question: Mapping[str, Any]) -> dict[str, Any]:
    last = len(question["levels"]) - 1
    shares = [
        {"label": level["label"], "value": value, "probability": float(value == last)}
        for value, level in enumerate(question["levels"])
    ]
    return {"type": "score", "score": float(last), "confidence": 1.0, "probabilities": shares}


def _judge(questions: Mapping[str, Any]) -> str:
    offered = {name: asked["properties"]["answer"]["enum"] for name, asked in questions.items()}
    said = {"evidence": [], "reasoning": ""}
    return json.dumps({name: {**said, "answer": max(values)} for name, values in offered.items()})


@pytest.fixture
def scaffold(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Scaffold:
    """Run a command as a process that notes every name it looks up and every address it connects to."""
    folder = tmp_path_factory.mktemp("tracer")
    (folder / "sitecustomize.py").write_text(TRACER)
    log = folder / "network.log"
    temporary = project / "temporary"
    temporary.mkdir()

    def run(*arguments: str, url: str, **more: str) -> Done:
        log.write_text("")
        own = {
            "PYTHONPATH": os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH")))),
            "NETWORK_LOG": str(log),
            "TMPDIR": str(temporary),
            "HOME": str(project / "home"),
            **{
                f"{vendor}_{what}": value
                for vendor in ("OPENAI", "ANTHROPIC")
                for what, value in (("API_KEY", KEY), ("BASE_URL", url))
            },
        }
        command = [sys.executable, "-m", "scaffold", *arguments]
        done = subprocess.run(
            command,
            env={**os.environ, **own, **more},
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            check=False,
        )
        return Done(done.returncode, done.stdout + done.stderr, frozenset(log.read_text().split()))

    return run


LINES = '{"input": {"name": "Bea"}}\n'
USES = [
    pytest.param(0, ("init",), id="init"),
    pytest.param(0, ("add-prompt", "other", "--no-input"), id="add-prompt"),
    pytest.param(0, ("add-grid", "routing", "--no-input"), id="add-grid"),
    pytest.param(0, ("add-fixture", "smoke-echo", "--no-input"), id="add-fixture"),
    pytest.param(0, ("add-case", "greeting", "--from", "log.jsonl"), id="add-case"),
    pytest.param(0, ("validate",), id="validate"),
    pytest.param(0, ("run", "--judge", "openai:gpt-4o", "--model", "gpt-4o-mini"), id="run"),
    pytest.param(0, ("run", "--judge", "anthropic:claude-haiku-4-5"), id="run with anthropic"),
    pytest.param(0, ("run", "--judge", "openai-decisions:gpt-6-luna"), id="run with decisions"),
    pytest.param(4, ("bench",), id="bench"),
    pytest.param(2, ("bench-one", "smoke-echo", "r1"), id="bench-one"),
    pytest.param(2, ("grade", "r1"), id="grade"),
    pytest.param(0, ("judge", "--rubric", "5: fine", "--output", "Hi", "--judge", "gpt-4o"), id="judge"),
    pytest.param(2, ("project", "--check"), id="project"),
    pytest.param(0, ("gate", "check", "prompt.md"), id="gate"),
    pytest.param(0, ("show",), id="show"),
    pytest.param(0, ("report", "RUN", "--html", "report.html"), id="report"),
    pytest.param(0, ("compare", "RUN", "RUN"), id="compare"),
    pytest.param(4, ("baseline", "show"), id="baseline"),
    pytest.param(4, ("qualify", "greeting"), id="qualify"),
    pytest.param(4, ("calibrate", "greeting"), id="calibrate"),
    pytest.param(0, ("review", "check"), id="review"),
    pytest.param(0, ("doctor",), id="doctor"),
    pytest.param(0, ("migrate", str(SUITE)), id="migrate"),
    pytest.param(0, ("cache", "stats"), id="cache"),
    pytest.param(0, ("model", "list"), id="model"),
    pytest.param(0, ("schema",), id="schema"),
    pytest.param(0, ("completion", "bash"), id="completion"),
    pytest.param(0, ("--help",), id="--help"),
    pytest.param(0, ("--version",), id="--version"),
]


@pytest.mark.parametrize(("code", "arguments"), USES)
def test_nobody_is_reached_but_the_configured_endpoint(
    project: Path, scaffold: Scaffold, loopback: Loopback, code: int, arguments: tuple[str, ...]
) -> None:
    """No command looks up a name or connects to anything but the endpoint: no telemetry, no updates."""
    server = loopback(answer)
    (project / "log.jsonl").write_text(LINES)
    if arguments[0] in ("show", "report", "compare"):
        scaffold("run", url=server.url)
        (run,) = (project / ".omniscitus/runs").iterdir()
        arguments = tuple(run.name if each == "RUN" else each for each in arguments)
    done = scaffold(*arguments, url=server.url)
    assert done.code == code, done.words
    assert done.reached <= {server.url.removeprefix("http://")}
    assert bool(done.reached) == (arguments[0] in ("run", "judge", "doctor"))


def test_the_models_to_install_come_from_the_configured_index(scaffold: Scaffold, loopback: Loopback) -> None:
    """The one command that downloads asks pip's index, and nobody else."""
    server = loopback(Reply(404))
    pip = {"PIP_INDEX_URL": server.url, "PIP_CONFIG_FILE": os.devnull, "PIP_RETRIES": "0"}
    done = scaffold("model", "install", "smollm2", url=server.url, **pip)
    assert done.code == 3, done.words
    assert done.reached == {server.url.removeprefix("http://")}


@pytest.mark.parametrize(
    "judge", ["openai:gpt-4o", "anthropic:claude-haiku-4-5", "openai-decisions:gpt-6-luna"]
)
def test_no_redirect_is_followed(scaffold: Scaffold, loopback: Loopback, judge: str) -> None:
    """A server cannot have prompts and outputs sent to another one."""
    other = loopback(answer)
    server = loopback(Reply(307, "", {"Location": f"{other.url}/v1/chat/completions"}))
    done = scaffold("run", "--judge", judge, "--json", "-", url=server.url)
    assert (done.code, len(server.requests), other.requests) == (3, 1, [])
    assert f"sends requests elsewhere (HTTP 307: {other.url}/v1/chat/completions)" in done.words
    assert done.reached == {server.url.removeprefix("http://")}


def test_every_command_is_among_them() -> None:
    """A new command has to show that it is as private as the others."""
    assert {str(use.values[1][0]) for use in USES} >= set(COMMANDS)


BASIC = b64encode(f"user:{KEY}".encode()).decode()
HEADERS = {"authorization": f"Bearer {KEY}", "x-api-key": KEY, "proxy-authorization": f"Basic {BASIC}"}
ECHO = f"{HEADERS} at /v1?api-key={quote(KEY, safe='')}"
ECHOES = {
    "a 400 that says it": Reply(400, {"error": {"message": f"bad key {KEY}", "param": KEY, "code": KEY}}),
    "a 400 with headers": Reply(400, {"error": {"message": json.dumps(HEADERS)}}),
    "a 400 in no known form": Reply(400, {"headers": HEADERS, "query": quote(KEY, safe="")}),
    "a 400 that is cut in the key": Reply(400, {"error": {"message": f"{'x' * 180} {KEY} was refused"}}),
    "a 409 as text": Reply(409, ECHO),
    "a 429": Reply(429, {"error": {"message": ECHO}}, {"Retry-After": "0"}),
    "a 500 as a page": Reply(500, f"<html><title>{ECHO}</title>{ECHO}"),
    "a redirect": Reply(307, ECHO, {"Location": "http://127.0.0.1:9/"}),
    "no API": Reply(200, {"headers": HEADERS}),
    "no JSON": Reply(200, ECHO),
    "a broken connection": Reply(200, ECHO, drop="middle"),
    "a 401": Reply(401, {"error": {"message": ECHO}}),  # the last, as no request follows it
}


def leaks(text: str) -> set[str]:
    """What a text gives away of the key: any eight characters in a row, as they are or inside base64."""
    pieces = {CORE[start : start + 8] for start in range(len(CORE) - 7)}
    encoded = re.findall(r"[A-Za-z0-9+/_-]{12,}", text)
    decoded = [
        b64decode(run[start : start + (len(run) - start) // 4 * 4], altchars=b"-_").decode("latin-1")
        for run in (each.replace("+", "-").replace("/", "_") for each in encoded)
        for start in range(4)
    ]
    return {piece for piece in pieces for each in (text, *decoded) if piece in each}


def test_leaks_are_found() -> None:
    """The test below sees a key in every form."""
    assert all(
        leaks(f"x {form} y") for form in (KEY, BASIC, quote(KEY, safe=""), KEY[:20], json.dumps(HEADERS))
    )
    assert not leaks("x [key] y" * 50)


def leaking_files(project: Path) -> list[str]:
    """The files below the project, and of its HOME and temporary folder, that give the key away."""
    files = (path for path in project.rglob("*") if path.is_file() and path.name != ".env")
    return [str(path.relative_to(project)) for path in files if leaks(path.read_bytes().decode("latin-1"))]


@pytest.mark.parametrize(
    "judge", ["openai:gpt-4o", "anthropic:claude-haiku-4-5", "openai-decisions:gpt-6-luna"]
)
@pytest.mark.parametrize(
    "logs", [{}, {"OPENAI_LOG": "debug", "ANTHROPIC_LOG": "debug"}], ids=["plain", "debug"]
)
def test_no_key_is_kept_or_shown(
    project: Path, scaffold: Scaffold, loopback: Loopback, judge: str, logs: dict[str, str]
) -> None:
    """Whatever an endpoint sends back of the key: no message, record, report, log or cached answer has it."""
    write_cases(project, len(ECHOES))
    echoes = list(ECHOES.values())
    server = loopback(lambda body: echoes[int(re.findall(r"(?:kind|rude) (\d+)", json.dumps(body))[0])])
    debug = ["--debug"] if logs else []
    limits = ("--http-retries", "1", "--concurrency", "1")
    files = ("--json", "report.json", "--record", "said.jsonl")
    done = scaffold(*debug, "run", "--judge", judge, *limits, *files, url=server.url, **logs)
    report = json.loads((project / "report.json").read_text())
    assert (done.code, report["totals"]["errored"], len(server.requests)) == (3, len(ECHOES), 13)
    assert done.words.count("[key]") > 5
    assert leaks(done.words) == set()
    assert leaking_files(project) == []


@pytest.mark.parametrize(
    ("code", "arguments"),
    [
        pytest.param(2, ("doctor",), id="doctor"),
        pytest.param(3, ("judge", "--rubric", "5: fine", "--output", "Hi", "--judge", "gpt-4o"), id="judge"),
    ],
)
@pytest.mark.parametrize("kind", ["a 401", "a 400 in no known form"])
def test_no_key_is_shown_by_commands_that_ask_once(
    project: Path, scaffold: Scaffold, loopback: Loopback, code: int, arguments: tuple[str, ...], kind: str
) -> None:
    """The same holds for commands that ask a judge without a suite's run."""
    server = loopback(ECHOES[kind])
    done = scaffold("--debug", *arguments, url=server.url)
    assert (done.code, bool(server.requests), leaks(done.words)) == (code, True, set())
    assert leaking_files(project) == []


@pytest.mark.parametrize(
    ("code", "url"),
    [
        pytest.param(3, "http://user:{key}@127.0.0.1:9/v1?key={key}", id="a server that is down"),
        pytest.param(2, "ftp://user:{key}@127.0.0.1:9/v1", id="no address of a server"),
    ],
)
def test_no_key_of_an_address_is_shown(project: Path, scaffold: Scaffold, code: int, url: str) -> None:
    """An address may hold a password: no message repeats it."""
    done = scaffold("--debug", "run", "--http-retries", "0", url=url.format(key=CORE))
    assert (done.code, leaks(done.words)) == (code, set())
    assert leaking_files(project) == []


def test_no_secret_of_a_runner_is_kept_or_shown(
    project: Path, scaffold: Scaffold, loopback: Loopback
) -> None:
    """What a runner tells of its environment when it fails is masked, in rows and in its log."""
    write_cases(project, 3, outputs=False)
    suite = project / SUITE
    (suite.parent / "runner.py").write_text(RUNNER)
    (suite.parent / ".env").write_text(f"SERVICE_TOKEN={CORE}\n")
    suite.write_text(suite.read_text().replace("target: prompt.md", "runner: runner.py\nconfig: .env"))
    server = loopback(answer)
    arguments = ("run", "--json", "report.json", "--concurrency", "1")
    done = scaffold("--debug", *arguments, url=server.url)
    errors = [
        case["rows"][0]["error"]
        for case in json.loads((project / "report.json").read_text())["suites"][0]["cases"]
    ]
    assert (done.code, leaks(done.words), leaking_files(project)) == (3, set(), [])
    assert "gave up on [SERVICE_TOKEN]" in errors[0]
    assert "refused: [SERVICE_TOKEN]" in errors[1]
    (log,) = project.rglob("runner.stderr.log")
    assert "'ANTHROPIC_API_KEY': '[ANTHROPIC_API_KEY]'" in log.read_text()


def test_no_line_of_a_broken_env_file_is_shown(project: Path, scaffold: Scaffold) -> None:
    """A mistake in a file of secrets is named by its place alone."""
    suite = project / SUITE
    (suite.parent / ".env").write_text(f"SERVICE TOKEN {CORE}\n")
    suite.write_text(suite.read_text().replace("target: prompt.md", "target: prompt.md\nconfig: .env"))
    done = scaffold("--debug", "run", url="http://127.0.0.1:9")
    assert (done.code, leaks(done.words), ".env:1:1" in done.words) == (2, set(), True)
