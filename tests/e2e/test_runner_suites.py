"""`scaffold run` with a runner: outputs are judged, failures reported, and nothing of it stays behind."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from command_line import Cli, Result, levels
from loopback import Loopback, Server, openai_text

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

Setup: TypeAlias = Callable[..., Path]


@pytest.fixture(autouse=True)
def judge(loopback: Loopback, monkeypatch: pytest.MonkeyPatch) -> Server:
    """A judge that likes everything."""
    server = loopback(openai_text(GOOD))
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    return server


@pytest.fixture
def setup(project: Path) -> Setup:
    """Give the suite a runner with this text and these cases; at the end no process of it may live."""

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
    path = project / SUITE / "pids"
    return [int(pid) for pid in path.read_text().split() if is_alive(pid)] if path.exists() else []


def is_alive(pid: str) -> bool:
    shown = subprocess.run(["ps", "-o", "stat=", "-p", pid], capture_output=True, text=True, check=False)
    return bool(shown.stdout.strip()) and not shown.stdout.strip().startswith("Z")


def test_outputs_are_judged(cli: Cli, project: Path, setup: Setup) -> None:
    """The runner's outputs reach the checks and the judge; what it spent is in the totals."""
    told = "usage={'input_tokens': 5, 'output_tokens': 2}, cost_usd=0.25, latency_ms=7, events=[{'a': 1}]"
    setup(
        script(f"answer(output=f'Hello {{name}}', {told})"),
        names="Ann Bob",
    )
    result = run(cli)
    assert result.code == 0
    assert [case["output"] for case in cases(result)] == ["Hello Ann", "Hello Bob"]
    usage = result.report["usage"]
    assert (usage["calls"], usage["input_tokens"]) == (4, 2 * 5 + 2 * 100)
    assert usage["cost_usd"] == pytest.approx(0.5009)
    (records,) = project.glob(".omniscitus/runs/*/greeting/records.jsonl")
    first = json.loads(records.read_text().splitlines()[0])
    assert (first["source"], first["latency_ms"]) == ("runner.py", 7.0)
    assert first["events"] == [{"a": 1}]


@pytest.mark.parametrize(
    ("latency", "cost", "code"),
    [(90, 0.02, 0), (110, 0.02, 1), (90, 0.04, 1)],
    ids=["within", "slow", "dear"],
)
def test_checks_of_what_it_took(cli: Cli, setup: Setup, latency: int, cost: float, code: int) -> None:
    """max_latency_ms and max_cost_usd look at what the runner tells."""
    path = setup(script(f"answer(output='x', cost_usd={cost}, latency_ms={latency})"))
    suite = path.with_name("prompt-meta.yaml")
    checks = (
        "checks:\n  - {name: fast, type: deterministic, strategy: max_latency_ms, value: 100}\n"
        "  - {name: cheap, type: deterministic, strategy: max_cost_usd, value: 0.03}\n"
    )
    suite.write_text(suite.read_text().replace("checks:\n", checks))
    assert run(cli).code == code


def test_a_crash_spoils_only_what_was_in_flight(cli: Cli, setup: Setup) -> None:
    """The trial that was in flight is ERROR with the reason, the others are judged: exit code 3."""
    setup(script(f"if name == 'Bob': raise LookupError('no Bob')\n{HELLO}"), names="Ann Bob Cid")
    result = run(cli, "--concurrency", "1")
    assert (result.code, [case["verdict"] for case in cases(result)]) == (3, ["PASS", "ERROR", "PASS"])
    ended = "runner.py ended with exit code 1 before it answered"
    assert errors(result)[1] == f"{ended}. Its standard error says: LookupError: no Bob"


def test_rubbish_is_explained(cli: Cli, setup: Setup) -> None:
    """A print for debugging is an error that says where such things belong; no verdict is made of it."""
    setup(script(f"print('got', name)\n{HELLO}"))
    result = run(cli)
    assert (result.code, errors(result)) == (
        3,
        [
            "runner.py wrote to its standard output not valid JSON: Expecting value: 'got Ann' "
            "(only answers belong there, everything else to standard error)"
        ],
    )


def test_silence_ends(cli: Cli, setup: Setup) -> None:
    """The suite says how long a runner may be silent."""
    setup(script("time.sleep(60)"), more="runner_timeout_seconds: 0.5")
    began = time.monotonic()
    result = run(cli)
    assert time.monotonic() - began < 15
    assert (result.code, errors(result)) == (
        3,
        ["runner.py was silent for 0.5 s; runner_timeout_seconds sets how long"],
    )


def test_standard_error_is_kept(cli: Cli, project: Path, setup: Setup) -> None:
    """What the runner says of itself is a file of the run."""
    setup(script(f"print('for', name, file=sys.stderr)\n{HELLO}"), names="Ann Bob")
    run(cli, "--concurrency", "1")
    (log,) = project.glob(".omniscitus/runs/*/greeting/runner.stderr.log")
    assert log.read_text() == "for Ann\nfor Bob\n"


def test_recorded_outputs_come_first(cli: Cli, project: Path, setup: Setup) -> None:
    """A case's own output is judged as it is; with --model the runner is told the model and asked for all."""
    path = setup(script("answer(output=f'{name} by {model}')"), names="Ann Bob")
    suite = path.with_name("prompt-meta.yaml")
    suite.write_text(suite.read_text().replace("{name: Bob}", "{name: Bob}, output: recorded"))
    assert [case["output"] for case in cases(run(cli))] == ["Ann by None", "recorded"]
    told = cases(run(cli, "--model", "mine-7b", "--model", "gpt-4o"))
    assert [(case["model"], case["output"]) for case in told] == [
        ("mine-7b", "Ann by mine-7b"),
        ("gpt-4o", "Ann by gpt-4o"),
        ("mine-7b", "Bob by mine-7b"),
        ("gpt-4o", "Bob by gpt-4o"),
    ]


def test_recorded_outputs_need_no_runner(cli: Cli, project: Path, setup: Setup) -> None:
    """Where every output is given the runner is not started, and need not be startable."""
    setup("", "runner.rb", mode=0o644)
    (project / "outputs.jsonl").write_text('{"ref": "ann", "output": "Hello"}\n')
    assert run(cli, "--outputs", "outputs.jsonl").code == 0


def test_a_suites_own_model(cli: Cli, setup: Setup) -> None:
    """The suite's `model:` is what the runner is told."""
    setup(script("answer(output=str(model))"), more="model: gpt-4.1-mini")
    assert [case["output"] for case in cases(run(cli))] == ["gpt-4.1-mini"]


def test_dry_run(cli: Cli, setup: Setup, judge: Server) -> None:
    """An estimate starts nothing and asks nobody."""
    path = setup(script(HELLO), more="model: my-own-thing")
    result = cli("run", "greeting", "--dry-run")
    assert result.code == 0
    assert result.out.startswith("greeting: 1 trial, judge openai:gpt-4o: about 1 call")
    assert ", without what the runner spends itself\n" in result.out
    assert not (path.parent / "pids").exists()
    assert judge.requests == []


def test_budget(cli: Cli, setup: Setup) -> None:
    """What the runner tells that it spent counts against --max-cost-usd."""
    setup(script("answer(output='x', cost_usd=0.6)"), names="Ann Bob Cid")
    result = run(cli, "--concurrency", "1", "--max-cost-usd", "1")
    assert result.code == 3
    assert "the budget of 1" in str(errors(result)[2])


def test_a_changed_runner_is_not_resumed(cli: Cli, project: Path, setup: Setup) -> None:
    """A run is resumed only by the runner that it was started with."""
    path = setup(script(HELLO))
    run(cli)
    (folder,) = project.glob(".omniscitus/runs/*")
    path.write_text(script("answer(output='other')"))
    result = cli("run", "--resume", folder.name)
    assert result.code == 2
    assert "has changed since this run was started" in result.err


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        pytest.param(
            "runner.js", "the runner needs node, which is not on PATH (install Node.js", id="no node"
        ),
        pytest.param("runner.ts", "the runner needs npx, which is not on PATH (install Node.js", id="no npx"),
        pytest.param("runner.sh", "the runner may not be executed (chmod +x ", id="not executable"),
    ],
)
def test_what_is_missing(
    cli: Cli, project: Path, setup: Setup, monkeypatch: pytest.MonkeyPatch, name: str, sentence: str
) -> None:
    """A runner that cannot be started stops the run before anything is called: exit code 2."""
    setup("", name, mode=0o644)
    empty = project / "empty"
    empty.mkdir()
    monkeypatch.setenv("PATH", str(empty))
    result = cli("run", "greeting")
    assert (result.code, result.out) == (2, "")
    assert sentence in result.err
    assert not (project / ".omniscitus/runs").exists()


def test_no_such_runner(cli: Cli, project: Path, setup: Setup) -> None:
    """A runner that does not exist is a mistake of the suite, found by validate too."""
    setup(script(HELLO)).unlink()
    for command in ("run", "validate"):
        result = cli(command, "greeting")
        assert result.code == 2
        assert f"runner: {SUITE}/runner.py: does not exist" in result.err


CONFIG = f"""\
# secrets
OPENAI_API_KEY={SECRET}
GREETING="Good day"
"""


def test_config(
    cli: Cli, project: Path, setup: Setup, judge: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The `.env` file is there for the runner and for the judge of this suite, and for nothing else."""
    monkeypatch.delenv("OPENAI_API_KEY")
    path = setup(script("answer(output=os.environ['GREETING'] + ' ' + name)"), more="config: .env.local")
    path.with_name(".env.local").write_text(CONFIG)
    result = run(cli)
    assert [case["output"] for case in cases(result)] == ["Good day Ann"]
    assert judge.requests[0].headers["authorization"] == f"Bearer {SECRET}"
    assert "GREETING" not in os.environ
    assert "OPENAI_API_KEY" not in os.environ


def test_config_stays_secret(cli: Cli, project: Path, setup: Setup) -> None:
    """No value of the file is printed or recorded, whatever the runner does with it."""
    body = "key = os.environ['SERVICE_KEY']\nprint('with', key, file=sys.stderr)\n"
    body += (
        "if name == 'Ann': answer(error=f'refused {key}')\nelif name == 'Bob': print(key)\nelse: os._exit(7)"
    )
    path = setup(script(body), names="Ann Bob Cid", more="config: .env.local")
    path.with_name(".env.local").write_text(f"SERVICE_KEY={SECRET}\n")
    result = run(cli, "--concurrency", "1")
    table = cli("show")
    assert errors(result)[0] == "runner.py: refused [SERVICE_KEY]"
    assert SECRET not in result.out + result.err + table.out + table.err
    kept = [file for file in project.glob(".omniscitus/runs/**/*") if file.is_file()]
    assert [file.name for file in kept if SECRET in file.read_text()] == []
    assert any("with [SERVICE_KEY]" in file.read_text() for file in kept)


def test_config_that_is_not_there(cli: Cli, setup: Setup) -> None:
    """A `.env` file that was not committed is no mistake, but is named."""
    setup(script(HELLO), more="config: .env.local")
    result = run(cli)
    assert result.code == 0
    said = f"config: {SUITE}/.env.local does not exist: only the environment counts"
    assert result.report["suites"][0]["notices"][0]["text"] == said


def test_config_outside(cli: Cli, setup: Setup) -> None:
    """A `.env` file outside the project is refused, unless it is allowed."""
    setup(script(HELLO), more="config: ../../../../../.env")
    result = cli("run", "greeting")
    assert result.code == 2
    assert "leaves the project root" in result.err


def test_ctrl_c(project: Path, setup: Setup) -> None:
    """Ctrl-C ends the runner and what it has started, and keeps what is finished: exit code 130."""
    body = (
        "import subprocess\n"
        "if name == 'Bob':\n"
        "    child = subprocess.Popen(['sleep', '60'])\n"
        "    open('pids', 'a').write(f'{child.pid}\\n')\n"
        "    open('ready', 'w').close()\n"
        "    time.sleep(60)\n"
        f"{HELLO}"
    )
    path = setup(script(body), names="Ann Bob Cid")
    command = [sys.executable, "-m", "scaffold", "run", "--quiet", "--concurrency", "1", "--json", "-"]
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True)
    deadline = time.monotonic() + 30
    while not path.with_name("ready").exists():
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert len(alive(project)) == 2
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=15)
    assert (process.returncode, "Traceback" in err) == (130, False)
    assert [case["ref"] for case in json.loads(out)["suites"][0]["cases"]] == ["ann"]
    assert alive(project) == []


TYPESCRIPT = """\
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

type Case = { title: string; input: { name: string } };
const answer = (reply: object) => console.log(JSON.stringify(reply));

for await (const line of createInterface({ input: process.stdin })) {
  const { id, input, cases, file } = JSON.parse(line);
  if (cases) {
    const module: { default: Case[] } = await import(pathToFileURL(file).href);
    answer({ id, cases: module.default });
  } else {
    answer({ id, output: `Hello ${input.name as string}` });
  }
}
"""
CASES = """\
const names: readonly string[] = ["Ann", "Bob"];
export default names.map((name) => ({ title: name, input: { name }, tags: ["people"] }));
"""


def test_typescript(cli: Cli, project: Path, setup: Setup, node_modules: Path) -> None:
    """A TypeScript runner makes the outputs, and reads the cases that stand in TypeScript files."""
    (project / "node_modules").symlink_to(node_modules)
    path = setup(TYPESCRIPT, "runner.mts")
    suite = path.with_name("prompt-meta.yaml")
    text = suite.read_text()
    suite.write_text(text[: text.index("cases:")] + 'cases: {source: external, pattern: "cases/**/*.mts"}\n')
    path.with_name("cases").mkdir()
    path.with_name("cases").joinpath("people.mts").write_text(CASES)
    assert "greeting: 2 cases (2 element)" in cli("validate").out
    result = run(cli, "--tag", "people")
    assert result.code == 0
    found = [(case["ref"], case["output"]) for case in cases(result)]
    assert found == [("people/ann", "Hello Ann"), ("people/bob", "Hello Bob")]


def test_typescript_without_tsx(cli: Cli, project: Path, setup: Setup) -> None:
    """Without tsx nothing is fetched: the command that installs it is named."""
    setup(TYPESCRIPT, "runner.ts")
    result = cli("run", "greeting")
    assert (result.code, result.out) == (2, "")
    assert "the runner needs tsx, which npx does not find (npm install --save-dev tsx)" in result.err
    assert not (project / ".omniscitus/runs").exists()


def test_many_at_once(cli: Cli, setup: Setup, project: Path) -> None:
    """A hundred cases at once go through one process."""
    setup(script(HELLO), names=" ".join(f"N{number}" for number in range(100)))
    result = run(cli, "--concurrency", "100")
    assert (result.code, result.report["totals"]["passed"]) == (0, 100)
    assert [case["output"] for case in cases(result)] == [f"Hello N{number}" for number in range(100)]
    assert len((project / SUITE / "pids").read_text().split()) == 1


def test_given_up(cli: Cli, setup: Setup, project: Path) -> None:
    """A runner that cannot work is started three times, not once a case."""
    setup(
        "import os\nopen('pids', 'a').write(f'{os.getpid()}\\n')\nimport no_such_module\n",
        names=" ".join("ABCDEFGHIJ"),
    )
    result = run(cli, "--concurrency", "2")
    assert result.code == 3
    assert len((project / SUITE / "pids").read_text().split()) == 3
    assert errors(result)[-1] == (
        "runner.py was given up after 3 starts in a row without an answer: "
        "runner.py ended with exit code 1 before it answered. "
        "Its standard error says: ModuleNotFoundError: No module named 'no_such_module'"
    )


def test_the_runner_of_the_how_to_page(cli: Cli, setup: Setup) -> None:
    """The runner that the documentation shows works as it is written."""
    page = Path(__file__).parents[2].joinpath("docs/how-to/runners.md").read_text("utf-8")
    path = setup(page.partition("```python\n")[2].partition("```")[0], names="Ann Nobody")
    suite = path.with_name("prompt-meta.yaml")
    suite.write_text(suite.read_text().replace("{name: Nobody}", '{name: ""}'))
    result = run(cli)
    assert [case["output"] for case in cases(result)] == ["Hello Ann", None]
    assert errors(result)[1] == "runner.py: there is nobody to greet"
