"""What a setup has CI do: the lines of workflow, pipeline and action, run as CI runs them."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from command_line import Cli
from junitparser import JUnitXml
from loopback import Loopback, Reply, Server, openai_text

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
ZIZMOR = BIN / "zizmor"
SUITE = Path(".omniscitus/tests/prompts/notes")
KEY = {"OPENAI_API_KEY": "sk-fake"}
NO_KEY = {"OPENAI_API_KEY": "", "ANTHROPIC_API_KEY": "", "OPENAI_BASE_URL": ""}


def reply(body: Mapping[str, Any]) -> Reply:
    """Write notes; give each criterion its highest level, and say that all decline and none invents."""
    if "response_format" not in body:
        return openai_text("On 4 May.")
    asked = body["response_format"]["json_schema"]["schema"]["properties"]
    answers = {
        name: "NO" if name.startswith("checks.") else max(question["properties"]["answer"]["enum"])
        for name, question in asked.items()
    }
    said = {"evidence": [], "reasoning": "As it should be."}
    return openai_text(json.dumps({name: {**said, "answer": answer} for name, answer in answers.items()}))


@pytest.fixture
def endpoint(loopback: Loopback, monkeypatch: pytest.MonkeyPatch) -> Server:
    """A model and a judge on this machine."""
    server = loopback(reply)
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    return server


@pytest.fixture
def recorded(cli: Cli, endpoint: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project as a user sets it up: a scaffolded suite, as it is, recorded with models and a key."""
    monkeypatch.chdir(tmp_path)
    assert cli("init", "--ci", "github").code == 0
    assert cli("init", "--ci", "gitlab").code == 0
    assert cli("add-prompt", "notes", "--no-input").code == 0
    monkeypatch.setenv("OPENAI_API_KEY", "sk-fake")
    done = cli("run", "--record-all")
    assert done.code == 0, done.out + done.err
    monkeypatch.delenv("OPENAI_API_KEY")
    endpoint.requests.clear()
    return tmp_path


def steps(job: str) -> list[str]:
    """The scripts of a job of the workflow but the one that installs the program."""
    workflow = yaml.safe_load(Path(".github/workflows/prompt-tests.yml").read_text())
    named = {step["name"]: step["run"] for step in workflow["jobs"][job]["steps"] if "run" in step}
    assert named.pop("Install") == 'python -m pip install "prompt-scaffold==0.1.0"'
    return list(named.values())


def lines(job: str) -> list[str]:
    """The scripts of a job of the pipeline."""
    scripts: list[str] = yaml.safe_load(Path(".gitlab/prompt-tests.yml").read_text())[job]["script"]
    return scripts


def action(**inputs: str) -> tuple[list[str], dict[str, str]]:
    """The script of the action that checks and judges, and its environment with these inputs."""
    file = yaml.safe_load((ROOT / "action.yml").read_text())
    given = {name: str(spec["default"]) for name, spec in file["inputs"].items()} | inputs
    (step,) = (step for step in file["runs"]["steps"] if step["name"] == "Check and judge")
    environment = {
        name: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda found: given[found[1]], value)
        for name, value in step["env"].items()
    }
    return [step["run"]], environment


def execute(scripts: list[str], **environment: str) -> list[int]:
    """Run scripts as GitHub does, and return their exit codes; the first that is not 0 is the last."""
    own = {"PATH": f"{BIN}:{os.environ['PATH']}", "CI": "true", "GITHUB_ACTIONS": "true"}
    codes: list[int] = []
    for script in scripts:
        if not any(codes):
            command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
            done = subprocess.run(command, env={**os.environ, **own, **environment}, check=False, timeout=120)
            codes.append(done.returncode)
    return codes


@pytest.mark.parametrize("platform", ["github", "gitlab", "action"])
def test_recorded_answers_need_no_key(
    recorded: Path, endpoint: Server, tmp_path: Path, platform: str
) -> None:
    """All is judged, nothing is called, and JUnit XML and the job summary are left behind."""
    scripts, more = {
        "github": lambda: (steps("recorded"), {}),
        "gitlab": lambda: (lines("prompt-tests"), {}),
        "action": action,
    }[platform]()
    summary = tmp_path / "summary.md"
    codes = execute(scripts, GITHUB_STEP_SUMMARY=str(summary), **NO_KEY, **more)
    assert codes == [0] * len(scripts)
    assert endpoint.requests == []
    assert JUnitXml.fromfile("prompt-tests.xml").failures == 0
    assert "notes" in summary.read_text()


@pytest.mark.parametrize("ci", ["github", "gitlab"])
def test_a_fresh_setup(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ci: str) -> None:
    """Before there is a suite the hook lets a commit pass; the jobs, which have measured nothing, do not."""
    monkeypatch.chdir(tmp_path)
    assert cli("init", "--ci", ci).code == 0
    scripts = {
        "github": lambda: [*steps("recorded"), *steps("live")],
        "gitlab": lambda: [*lines("prompt-tests"), *lines("prompt-tests-live")],
    }[ci]()
    (hook,) = yaml.safe_load(Path(".pre-commit-config.yaml").read_text())["repos"][0]["hooks"]
    codes = [code for script in (*scripts, hook["entry"]) for code in execute([script], **NO_KEY)]
    assert codes == [4, 4, 4, 0]
    how = "Write one with: scaffold add-prompt NAME"
    assert cli("run", "--recorded").err == f"Nothing was run: there is no suite here. {how}.\n"
    for words, code in {("--strict",): 4, ("--strict", "--allow-empty"): 0}.items():
        result = cli("validate", *words)
        assert (result.code, result.err) == (code, f"No suite found. {how}\n")
    SUITE.mkdir(parents=True)
    (SUITE / "prompt-meta.yaml").write_text("prompt_name: notes\n")
    assert execute([hook["entry"]]) == [2]


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        pytest.param(SUITE / "outputs.jsonl", "On 4 May.", "On 5 May.", id="output"),
        pytest.param(SUITE / "prompt.md", "", "Be kind. ", id="prompt"),
    ],
)
def test_what_changed_is_not_judged_by_an_old_answer(recorded: Path, path: Path, old: str, new: str) -> None:
    """The gate says that something could not be measured, until the suite is recorded again."""
    path.write_text(path.read_text().replace(old, new, 1))
    assert execute(steps("recorded"), **NO_KEY) == [0, 3]


def test_a_suite_that_was_never_recorded_is_named(recorded: Path) -> None:
    """Where nothing else is run the job fails, and the results say which command records the suite."""
    (SUITE / "outputs.jsonl").unlink()
    assert execute(steps("recorded"), **NO_KEY) == [0, 4]
    assert "scaffold run notes --record-all" in Path("prompt-tests.xml").read_text()


def test_a_mistake_ends_the_job_before_anything_is_judged(recorded: Path) -> None:
    """The files are checked first, strictly."""
    suite = SUITE / "prompt-meta.yaml"
    suite.write_text(suite.read_text().replace("weight: 0.4", "weight: 0.5"))
    assert execute(steps("recorded")) == [2]


@pytest.mark.parametrize("platform", ["github", "gitlab", "action"])
def test_live_judges_ask_once(recorded: Path, endpoint: Server, platform: str) -> None:
    """With a key the suites' own judge is asked; with the cache of before it is not asked again."""
    inputs = {"live": "true", "suites": "notes", "args": "--max-cost-usd 5 --allow-warn"}
    scripts, more = {
        "github": lambda: (steps("live"), {}),
        "gitlab": lambda: (lines("prompt-tests-live"), {}),
        "action": lambda: action(**inputs),
    }[platform]()
    (recorded / ".omniscitus/cache/answers.sqlite").unlink()
    assert execute(scripts, **KEY, **more) == [0]
    asked = len(endpoint.requests)
    assert asked == 2 * 10
    assert execute(scripts, **KEY, **more) == [0]
    assert len(endpoint.requests) == asked


def test_without_a_key_live_judges_stop_at_once(recorded: Path, endpoint: Server) -> None:
    """A secret that is not set is an empty text on GitHub: that is no key."""
    assert execute(steps("live"), **NO_KEY) == [2]
    assert endpoint.requests == []


@pytest.fixture
def checked(tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with the workflow of a setup and with the action."""
    monkeypatch.chdir(tmp_path)
    assert cli("init").code == 0
    (tmp_path / "action.yml").write_bytes((ROOT / "action.yml").read_bytes())
    return tmp_path


def audit(folder: Path) -> "subprocess.CompletedProcess[str]":
    assert ZIZMOR.exists(), "zizmor is missing; it is in the dependency group dev"
    command = [str(ZIZMOR), "--offline", "--no-progress", "--persona=auditor", str(folder)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_nothing_is_found_in_the_workflow_and_the_action(checked: Path) -> None:
    """No template is injected, no permission too wide, every action pinned, for the strictest reader."""
    done = audit(checked)
    assert (done.returncode, "No findings to report" in done.stdout + done.stderr) == (0, True), done.stdout
    assert all(name in done.stderr for name in ("prompt-tests.yml", "action.yml"))


def test_what_is_wrong_would_be_found(checked: Path) -> None:
    """The audit sees a text of a stranger in a script."""
    workflow = checked / ".github/workflows/prompt-tests.yml"
    text = workflow.read_text().replace(
        "run: scaffold validate", "run: echo ${{ github.head_ref }}; scaffold validate"
    )
    workflow.write_text(text)
    done = audit(checked)
    assert (done.returncode != 0, "template-injection" in done.stdout) == (True, True)


def test_the_workflow_asks_for_as_little_as_it_can(checked: Path) -> None:
    """Nothing is permitted but to read the project, and secrets reach one step of the live job alone."""
    workflow = yaml.safe_load((checked / ".github/workflows/prompt-tests.yml").read_text())
    assert workflow["permissions"] == {}
    assert {str(job["permissions"]) for job in workflow["jobs"].values()} == {"{'contents': 'read'}"}
    holders = [
        (name, step["name"])
        for name, job in workflow["jobs"].items()
        for step in job["steps"]
        if "secrets." in json.dumps(step)
    ]
    assert holders == [("live", "Judge")]
    assert "secrets." not in json.dumps(workflow["jobs"]["recorded"])


def test_the_pipeline_is_well_formed(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every job has a script and rules, extends what is there, and the answers are kept between pipelines."""
    monkeypatch.chdir(tmp_path)
    assert cli("init", "--ci", "gitlab").code == 0
    jobs = yaml.safe_load(Path(".gitlab/prompt-tests.yml").read_text())
    keys = {"extends", "timeout", "rules", "script", "cache"}
    for name in ("prompt-tests", "prompt-tests-live"):
        assert set(jobs[name]) <= keys
        assert all(isinstance(line, str) for line in jobs[name]["script"])
        assert all(set(rule) <= {"if", "when"} for rule in jobs[name]["rules"])
        assert jobs[name]["extends"] in jobs
    assert set(jobs) == {".prompt-tests", "prompt-tests", "prompt-tests-live"}
    assert jobs["prompt-tests-live"]["cache"]["paths"] == [".omniscitus/cache/"]
    assert jobs[".prompt-tests"]["artifacts"]["reports"] == {"junit": "prompt-tests.xml"}
