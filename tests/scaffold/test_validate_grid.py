"""`scaffold validate` on grids whose arms are fixtures."""

from collections.abc import Callable
from pathlib import Path

import pytest

from scaffold.__main__ import run

FOLDER = Path(".omniscitus/tests/grids")
GRID = """\
name: routes
arms:
  prompt: {prompt: prompt.txt, control: true}
  command: {fixture: arms/command.fixture.md}
models: models.yaml
tasks: tasks.jsonl
labels: [bug, question]
repeat: 3
"""
ARM = """\
---
pass_conditions:
  run: {must_succeed: true}
---
# Prompt body

/route {{input}}
"""
TASKS = [("It crashes.", "bug"), ("It hangs.", "bug"), ("How?", "question"), ("Why?", "question")]

Validate = Callable[..., tuple[int, str, str]]


@pytest.fixture
def validate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Validate:
    """Run the command in a project with a good grid; return exit code, output and errors."""
    (tmp_path / FOLDER / "arms").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    (FOLDER / "routes.grid.yaml").write_text(GRID)
    (FOLDER / "arms/command.fixture.md").write_text(ARM)
    (FOLDER / "prompt.txt").write_text("Route: {{input}}")
    (FOLDER / "models.yaml").write_text("[claude-haiku-4-5]")
    (FOLDER / "tasks.jsonl").write_text(
        "".join(f'{{"input": "{text}", "golden_label": "{label}"}}\n' for text, label in TASKS)
    )

    def validate(*args: str) -> tuple[int, str, str]:
        code = run(["validate", *args])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return validate


def test_an_arm_is_no_suite(validate: Validate) -> None:
    """It is checked with its grid, and a command in its body, a remark on a fixture, is what it is for."""
    code, out, err = validate("--strict")
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "routes: arms: prompt (control), command; 1 model, 4 tasks, repeat 3; 24 outputs"
    ]
    assert validate("command", "--strict")[0] == 2


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        pytest.param("run:", "rum:", "command.fixture.md:3:3: pass_conditions.rum: unknown key", id="a key"),
        pytest.param(
            "run: {must_succeed: true}",
            'result: {must_match: {pattern: "(", case_sensitive: true}}',
            "command.fixture.md:3:34: pass_conditions.result.must_match.pattern: is not a JavaScript",
            id="a pattern",
        ),
    ],
)
def test_mistakes_of_an_arm(validate: Validate, old: str, new: str, said: str) -> None:
    """They are told with the grid, once and at their places."""
    (FOLDER / "arms/command.fixture.md").write_text(ARM.replace(old, new))
    code, out, err = validate()
    assert (code, out) == (2, "")
    assert err.count(said) == 1


def test_variables_of_arms(validate: Validate) -> None:
    """What an arm puts a task into is held against the tasks: a prompt, or the body of a fixture."""
    (FOLDER / "arms/command.fixture.md").write_text(ARM.replace("{{input}}", "this:\n{{inptu}}, {{ inptu }}"))
    (FOLDER / "prompt.txt").write_text("Route: {{input}}\n\n{{user}}")
    code, _, err = validate()
    assert (code, err.splitlines()) == (
        0,
        [
            f"Notice: {FOLDER}/prompt.txt:3: no task sets 'user', which 'prompt' has as {{{{user}}}}",
            f"Notice: {FOLDER}/arms/command.fixture.md:8: no task sets 'inptu', which 'command' has as "
            "{{inptu}} (did you mean 'input'?)",
            f"Notice: {FOLDER}/tasks.jsonl:1: 'command' has no {{{{input}}}}, which tasks set",
        ],
    )
    assert validate("--strict")[0] == 2
