"""`scaffold validate` on the names of models, in each kind of suite."""

from pathlib import Path

import pytest

from scaffold.__main__ import run

SUITES = Path(".omniscitus/tests")
META = """\
model: {name: gpt4, temperature: 1}
judge: {panel: [gpt-4o, "opneai:gpt-4o"], meta: "openai:"}
evaluation: {type: comparison, arms: {a: {target: p.md}, b: {target: p.md, model: qwen3}}}
prompt_name: greet
criteria: [{name: safety, weight: 1, rubric: Is it safe?}]
cases: [{title: a, category: element}]
"""
FIXTURE = """\
---
model: the-clients-own-name
pass_conditions:
  semantic:
    - {id: a, view: result, judge_model: gpt4, rubric: Is it?}
    - {id: b, view: result, judges: [gpt-4o, gpt5], rubric: Is it?}
---
# Prompt body

Say a.
"""
GRID = """\
name: g
arms: {a: {prompt: p.md, control: true}, b: {prompt: p.md}}
models: [gpt4, gpt-4o]
tasks: tasks.jsonl
measure: score
judge: {model: sonnet}
criteria: [{name: safety, weight: 1, rubric: Is it safe?}]
"""


@pytest.mark.parametrize(
    ("name", "text", "places"),
    [
        pytest.param(
            "prompt-meta.yaml",
            META,
            [
                "1:15: model.name: the model 'gpt4' names no provider",
                "2:25: judge.panel[1]: the model 'opneai:gpt-4o' names the unknown provider 'opneai' "
                "(did you mean openai:gpt-4o?)",
                "2:49: judge.meta: 'openai:' names no model (write openai:MODEL)",
                "3:83: evaluation.arms.b.model: the model 'qwen3' names no provider",
            ],
            id="prompt suite",
        ),
        pytest.param(
            "a.fixture.md",
            FIXTURE,
            [
                "5:42: pass_conditions.semantic[0].judge_model: the model 'gpt4' names no provider",
                "6:46: pass_conditions.semantic[1].judges[1]: the model 'gpt5' names no provider",
            ],
            id="fixture",
        ),
        pytest.param(
            "a.grid.yaml",
            GRID,
            [
                "3:9: models: the model 'gpt4' names no provider",
                "6:16: judge.model: the model 'sonnet' names no provider",
            ],
            id="grid",
        ),
    ],
)
def test_a_name_without_a_provider_is_a_mistake(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
    text: str,
    places: list[str],
) -> None:
    """All are told, each at its place, before any run. A session's model is the client's own name."""
    monkeypatch.chdir(tmp_path)
    SUITES.mkdir(parents=True)
    for folder in (Path(), SUITES):
        (folder / "p.md").write_text("Say {{input}}.")
    (SUITES / "tasks.jsonl").write_text('{"input": "a"}\n')
    (SUITES / name).write_text(text)
    code = run(["validate"])
    captured = capsys.readouterr()
    assert (code, captured.out) == (2, "")
    errors = captured.err.splitlines()
    assert len(errors) == len(places)
    for error, place in zip(errors, places, strict=True):
        assert error.startswith(f"Error: {SUITES / name}:{place}")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            "model: ours\nrunner: run.py\ncases: [{title: a, category: element}]\n", id="a runner is told"
        ),
        pytest.param("model: ours\ncases: [{title: a, category: element, output: b}]\n", id="all recorded"),
        pytest.param(
            "model: ours\ncases: [{title: a, category: element}]\nevaluation:\n  type: comparison\n"
            "  arms: {a: {runner: run.py, model: b}, b: {outputs: o.jsonl}}\n",
            id="arms that ask nobody",
        ),
    ],
)
def test_a_model_that_nobody_asks_may_have_any_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    """A runner knows what it calls its model; what made a recorded output is a remark."""
    monkeypatch.chdir(tmp_path)
    SUITES.mkdir(parents=True)
    (SUITES / "run.py").write_text("")
    (SUITES / "o.jsonl").write_text('{"ref": "a", "output": "b"}\n')
    head = "prompt_name: greet\ncriteria: [{name: safety, weight: 1, rubric: Is it safe?}]\n"
    (SUITES / "prompt-meta.yaml").write_text(head + text)
    assert (run(["validate"]), "provider" in capsys.readouterr().err) == (0, False)


def test_the_settings_of_a_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What they name for suites that name none is checked with the suites, each at its place."""
    monkeypatch.chdir(tmp_path)
    SUITES.mkdir(parents=True)
    (SUITES / "prompt-meta.yaml").write_text(META)
    settings = SUITES.parent / "config.yaml"
    settings.write_text("judge: gpt4\n# ours\nmodel: opneai:gpt-4o\n")
    assert run(["validate"]) == 2
    errors = capsys.readouterr().err.splitlines()
    assert errors[0].startswith(f"Error: {settings}:1:8: judge: the model 'gpt4' names no provider (write ")
    assert errors[1] == (
        f"Error: {settings}:3:8: model: the model 'opneai:gpt-4o' names the unknown provider 'opneai' "
        "(did you mean openai:gpt-4o?)"
    )
    assert [str(SUITES) in each for each in errors] == [False, False, True, True]
    (SUITES / "prompt-meta.yaml").unlink()
    assert run(["validate", "--allow-empty"]) == 2
