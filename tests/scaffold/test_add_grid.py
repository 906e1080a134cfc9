"""`scaffold add-grid`: what it writes is sound, and nothing that is there is touched."""

import json
import re
from pathlib import Path

import jsonschema
import pytest
import yaml

from judges.files.grid import load_grid, parse_grid
from judges.files.grid_lint import lint_grid
from judges.files.grid_suite import GridSuite
from scaffold.__main__ import run

pytestmark = pytest.mark.usefixtures("empty")

GRID = Path(".omniscitus/tests/grids/routing")
FILE = GRID / "routing.grid.yaml"
ADD = ["add-grid", "routing", "--no-input"]


def _add(*options: str) -> GridSuite:
    assert run([*ADD, *options]) == 0
    return load_grid(FILE)


@pytest.mark.parametrize(
    "options",
    [[], ["--repeat", "1"], ["--model", "openai:b", "--model", "local:#d"], ["--model", "openai:b, local:d"]],
    ids=["defaults", "repeat", "models", "models in one"],
)
def test_a_generated_grid_has_no_finding(options: list[str]) -> None:
    """Two arms, four tasks, and a task that is given at least as often as it was asked for."""
    grid = _add(*options)
    assert [(arm.name, arm.control) for arm in grid.arms] == [("baseline", True), ("skill", False)]
    assert (len(grid.tasks), grid.labels) == (4, ("billing", "technical", "account", "other"))
    expected = ["each task is given once: nothing tells how steady the outputs are"]
    assert [each.text for each in lint_grid(grid, {})] == (expected if options[:1] == ["--repeat"] else [])
    assert all("{{" not in arm.render(task.variables) for arm in grid.arms for task in grid.tasks)


def test_the_golden_labels_follow_from_the_rules_of_the_skill_alone() -> None:
    """Every label of a task is one that the prompts list; the baseline has no rule."""
    grid = _add()
    baseline, skill = grid.arms
    assert "Rules" in skill.text
    assert "Rules" not in baseline.text
    assert all(f"{label}" in arm.text for arm in grid.arms for label in grid.labels)
    assert {task.golden_label for task in grid.tasks} == {"billing", "technical", "account"}


def test_the_models_are_those_of_the_project(capsys: pytest.CaptureFixture[str]) -> None:
    """The second grid names the same file, which stays as it is, and says so."""
    assert [model.name for model in _add("--model", "openai:b").models] == ["openai:b"]
    capsys.readouterr()
    assert run(["add-grid", "other", "--no-input", "--model", "local:d"]) == 0
    assert "those of .omniscitus/models.yaml, which was there already" in capsys.readouterr().out
    other = load_grid(GRID.parent / "other" / "other.grid.yaml")
    assert [model.name for model in other.models] == ["openai:b"]


def test_prose_is_measured_once_the_comments_say_so() -> None:
    """The commented section is valid where the rest is changed as it says."""
    _add()
    text = FILE.read_text(encoding="utf-8")
    text = re.sub(r"^labels: .*\n", "", text, flags=re.MULTILINE).replace("measure: label", "measure: score")
    head, tail = text.split("# criteria:", 1)
    text = head + "criteria:" + tail.replace("\n# ", "\n")
    tasks = GRID / "tasks.jsonl"
    tasks.write_text(
        re.sub(r', "golden_label": "\w+"', "", tasks.read_text(encoding="utf-8")), encoding="utf-8"
    )
    grid = parse_grid(text, FILE)
    assert grid.judged is not None
    assert [criterion.name for criterion in grid.judged.criteria] == ["correctness"]


def test_the_report_says_what_was_written_and_what_comes_next(
    empty: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One thing a line."""
    _add("--model", "gpt-4.1-mini", "--model", "claude-haiku-4-5")
    assert (
        capsys.readouterr().out
        == f"""\
Grid        routing
Project     {empty} (.omniscitus/ is new)
Files       .omniscitus/tests/grids/routing/
  labels.json
  prompts/baseline.txt
  prompts/skill.txt
  routing.grid.yaml
  tasks.jsonl
Models      gpt-4.1-mini, claude-haiku-4-5 (.omniscitus/models.yaml)
Repeat      3

Next:
  scaffold validate routing
  scaffold run routing --dry-run
  scaffold run routing
"""
    )


def test_validate_takes_the_grid_without_a_remark(capsys: pytest.CaptureFixture[str]) -> None:
    """By its name, and strictly."""
    _add()
    capsys.readouterr()
    assert run(["validate", "routing", "--strict"]) == 0
    assert capsys.readouterr().out == (
        "routing: arms: baseline (control), skill; 1 model, 4 tasks, repeat 3; 24 outputs\n"
    )


def test_validate_shows_mistakes_and_remarks_where_they_stand(capsys: pytest.CaptureFixture[str]) -> None:
    """Of the grid's own file, and of its tasks."""
    _add()
    skill = GRID / "prompts" / "skill.txt"
    skill.write_text("{{text}}", encoding="utf-8")
    capsys.readouterr()
    assert run(["validate"]) == 0
    assert capsys.readouterr().err == (
        f"Notice: {GRID}/prompts/skill.txt:1: no task sets 'text', which 'skill' has as {{{{text}}}}\n"
        f"Notice: {GRID}/tasks.jsonl:1: 'skill' has no {{{{input}}}}, which tasks set\n"
    )
    skill.unlink()
    assert run(["validate"]) == 2
    assert "prompts/skill.txt: does not exist" in capsys.readouterr().err


def test_editors_find_a_schema_that_the_file_meets(capsys: pytest.CaptureFixture[str]) -> None:
    """The first line names it; it is what `scaffold schema grid` prints."""
    _add()
    first = FILE.read_text(encoding="utf-8").splitlines()[0]
    schema = json.loads((GRID / first.partition("$schema=")[2]).read_text(encoding="utf-8"))
    capsys.readouterr()
    assert run(["schema", "grid"]) == 0
    assert json.loads(capsys.readouterr().out) == schema
    jsonschema.validate(yaml.safe_load(FILE.read_text(encoding="utf-8")), schema)


def test_a_grid_that_is_there_is_not_touched(capsys: pytest.CaptureFixture[str]) -> None:
    """Unless it is to be kept beside."""
    _add()
    FILE.write_text("mine", encoding="utf-8")
    capsys.readouterr()
    assert run(ADD) == 2
    assert "routing.grid.yaml: exists already" in capsys.readouterr().err
    assert FILE.read_text(encoding="utf-8") == "mine"
    assert run([*ADD, "--force"]) == 0
    assert (GRID / "routing.grid.yaml.bak-1").read_text(encoding="utf-8") == "mine"
    assert load_grid(FILE).name == "routing"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["add-grid", "--no-input"], "Missing argument 'NAME', such as: scaffold add-grid help-desk-routing"),
        (["add-grid", "a b", "--no-input"], "try: a-b"),
        ([*ADD, "--repeat", "0"], "repeat: expected a whole number from 1 to 99, found '0'"),
        ([*ADD, "--model", " "], "model: the name must not be empty"),
        ([*ADD, "--model", "gpt-4o gpt4"], "the model 'gpt4' names no provider"),
    ],
    ids=["no name", "a bad name", "no repeat", "no model", "a bad model"],
)
def test_a_mistake_is_explained_and_nothing_is_written(
    arguments: list[str], words: str, empty: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2."""
    assert run(arguments) == 2
    assert words in capsys.readouterr().err
    assert list(empty.iterdir()) == []


def test_an_organisation_can_use_its_own_template(empty: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It must make the grid's file."""
    folder = empty / "own" / "{{ cookiecutter.prompt_name }}"
    folder.mkdir(parents=True)
    (empty / "own" / "cookiecutter.json").write_text("{}", encoding="utf-8")
    (folder / "notes.md").write_text("ours", encoding="utf-8")
    assert run([*ADD, "--template", "own"]) == 2
    assert "makes no routing.grid.yaml (mend the template)" in capsys.readouterr().err
    (folder / "{{ cookiecutter.prompt_name }}.grid.yaml").write_text(
        "name: {{ cookiecutter.prompt_name | yaml }}", encoding="utf-8"
    )
    assert run([*ADD, "--template", "own"]) == 0
    assert FILE.read_text(encoding="utf-8") == "name: routing"
