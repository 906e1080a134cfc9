"""The runners of new suites: which file, which target, whose model."""

import ast
from pathlib import Path

import pytest

from judges.files.lint import lint
from judges.files.load import load_suite
from judges.files.template import read_prompt
from scaffold.__main__ import run
from scaffold.generate.runner import RunnerKind, runner_values

SUITE = Path(".omniscitus/tests/prompts/demo")
PROMPTS = {
    "a.md": "Reply to {message}",
    "c.prompt": "You are a helpful assistant.",
    "d.jinja": "Reply to {{ message }}",
    "e.yaml": "- {role: user, content: 'Reply to {message}'}\n",
    "src/reply.ts": "export const reply = (text: string) => text;\n",
}


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with prompts of all kinds, which is the current one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "src").mkdir()
    for name, text in PROMPTS.items():
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


@pytest.mark.parametrize("target", [None, *PROMPTS])
@pytest.mark.parametrize("kind", list(RunnerKind))
def test_a_suite_with_a_runner_loads_and_has_no_finding(kind: RunnerKind, target: str | None) -> None:
    """Whatever is tested, the suite names its runner, and every other file is as without one."""
    assert run(["add-prompt", "demo", "--runner", kind.value, *(["--target", target] if target else [])]) == 0
    suite = load_suite(SUITE / "prompt-meta.yaml")
    assert suite.runner is not None
    assert suite.runner.name == kind.file
    assert suite.notices == ()
    assert suite.target is not None
    assert lint(suite, read_prompt(suite.target)) == ()
    assert [path.name for path in SUITE.glob("runner.*")] == [kind.file]


@pytest.mark.parametrize("target", [None, *PROMPTS])
@pytest.mark.parametrize("model", ["gpt-4.1-mini", "anthropic:claude-haiku-4-5"])
def test_python_runners_are_whole_programs(target: str | None, model: str) -> None:
    """The file is valid Python, and uses all that it imports."""
    arguments = ["--runner", "python", "--model", model, *(["--target", target] if target else [])]
    assert run(["add-prompt", "demo", *arguments]) == 0
    tree = ast.parse((SUITE / "runner.py").read_text("utf-8"))
    imported = {
        alias.name.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    assert imported - {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} == set()


@pytest.mark.parametrize(
    ("kind", "target", "left"),
    [
        ("python", "src/reply.ts", True),
        ("python", "d.jinja", False),
        ("python", "e.yaml", False),
        ("typescript", "src/reply.ts", True),
        ("typescript", "d.jinja", True),
        ("typescript", "e.yaml", True),
        ("typescript", "a.md", False),
    ],
)
def test_what_is_left_to_the_user(
    capsys: pytest.CaptureFixture[str], kind: str, target: str, left: bool
) -> None:
    """Where a runner cannot fill the target it says so, in the report and where the user's code goes."""
    run(["add-prompt", "demo", "--runner", kind, "--target", target])
    file = RunnerKind(kind).file
    said = f"Note: {Path(target).name} is left to your own code: call it in produce() of {file}."
    assert (said in capsys.readouterr().out.splitlines()) is left
    assert (f'("call {target} in produce() of {file}")' in (SUITE / file).read_text("utf-8")) is left


def test_report(capsys: pytest.CaptureFixture[str]) -> None:
    """The report names the runner and what it needs, and the next command runs it."""
    run(["add-prompt", "demo", "--runner", "typescript"])
    lines = capsys.readouterr().out.splitlines()
    assert "Runner      runner.ts, with a place for your own code: produce()" in lines
    assert "  needs Node.js 18 or newer, and tsx: npm install --save-dev tsx" in lines
    assert lines[-1] == "  scaffold run demo"


def test_no_runner_unless_asked_for() -> None:
    """Without the option there is none, and the suite says so."""
    run(["add-prompt", "demo"])
    assert list(SUITE.glob("runner*")) == []
    assert "runner: null " in (SUITE / "prompt-meta.yaml").read_text("utf-8")


def test_a_template_without_a_runner(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An organisation's own template that makes no runner is told apart from a suite with one."""
    folder = project / "own" / "{{ cookiecutter.prompt_name }}"
    folder.mkdir(parents=True)
    (project / "own" / "cookiecutter.json").write_text('{"prompt_name": "x"}', "utf-8")
    (folder / "prompt-meta.yaml").write_text("prompt_name: x\ncases: []\n", "utf-8")
    assert run(["add-prompt", "demo", "--template", "own", "--runner", "python"]) == 2
    assert "makes no runner.py (mend the template)" in capsys.readouterr().err
    assert not SUITE.exists()


@pytest.mark.parametrize(
    ("model", "vendor"),
    [
        ("claude-haiku-4-5", "anthropic"),
        ("anthropic:x", "anthropic"),
        ("gpt-4o", "openai"),
        ("my-own-model", "openai"),
    ],
)
def test_vendor(project: Path, model: str, vendor: str) -> None:
    """The runner asks the vendor of the model; a name that says nothing is taken for OpenAI's API."""
    values = runner_values(RunnerKind.PYTHON, project / "x" / "y", project / "a.md", None, model)
    assert (values["vendor"], values["prompt_path"]) == (vendor, "../../a.md")
