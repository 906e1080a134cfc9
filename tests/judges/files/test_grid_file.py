"""Grids: every mistake where it stands, and every file that a grid may name."""

from collections.abc import Callable, Mapping
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.core.errors import ConfigError
from judges.files.evaluation_meta import ModelSpec
from judges.files.grid import load_grid, parse_grid
from judges.files.grid_lint import lint_grid
from judges.files.grid_suite import GridArm, GridSuite

FOLDER = Path(".omniscitus", "tests", "grids", "routing")
GRID = """\
name: routing
arms:
  baseline: {prompt: prompts/baseline.txt, control: true}
  skill: {prompt: prompts/skill.txt, projected_from: go-routing}
models: models.yaml
tasks: tasks.jsonl
labels: labels.json
"""
FILES: Mapping[str, str] = {
    "prompts/baseline.txt": "One of fix, review.\n{{input}}\n",
    "prompts/skill.txt": "Rules {first}: {{ input }}\r\n{{input}} {{other}}\n",
    "models.yaml": "- gpt-4.1-mini\n- {name: 'anthropic:claude-haiku-4-5', temperature: 0}\n",
    "labels.json": '["fix", "review"]',
    "tasks.jsonl": "".join(
        f'{{"input": "{text}", "golden_label": "{label}"}}\n'
        for text, label in [
            ("It is broken", "fix"),
            ("Look at this", "review"),
            ("Error 500", "fix"),
            ("Read my text", "review"),
        ]
    ),
}
SCORED = """\
name: prose
arms:
  a: {prompt: prompts/baseline.txt, control: true}
  b: {prompt: prompts/skill.txt}
models: models.yaml
tasks: tasks.jsonl
measure: score
criteria:
  - name: safety
    weight: 1
    rubric: "Is it safe?\\n5: yes\\n4: mostly\\n3: half\\n2: hardly\\n1: no"
judge: {model: "openai:gpt-4o"}
thresholds: {pass: 75}
"""

Load = Callable[..., GridSuite]


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Load:
    """Return a function that writes a grid with its files, but for those that are None, and loads it."""
    monkeypatch.chdir(tmp_path)

    def load(text: str = GRID, **files: str | bytes | None) -> GridSuite:
        named = {_KEYS.get(key, key): content for key, content in files.items()}
        for name, content in {**FILES, **named}.items():
            place = FOLDER / name
            place.parent.mkdir(parents=True, exist_ok=True)
            if content is not None:
                place.write_bytes(content.encode() if isinstance(content, str) else content)
        (FOLDER / "routing.grid.yaml").write_text(dedent(text), encoding="utf-8")
        return load_grid(FOLDER / "routing.grid.yaml")

    return load


_KEYS = {
    "tasks": "tasks.jsonl",
    "labels": "labels.json",
    "models": "models.yaml",
    "baseline": "prompts/baseline.txt",
    "skill": "prompts/skill.txt",
}


def problems(load: Load, text: str = GRID, **files: str | bytes | None) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        load(text, **files)
    return [
        str(each).replace(f"{FOLDER}/", "").replace("routing.grid.yaml", "GRID")
        for each in caught.value.problems
    ]


def test_everything_that_a_grid_names_is_read(load: Load, tmp_path: Path) -> None:
    """Paths start at the folder of the file; the root is the project's."""
    grid = load()
    assert (grid.name, grid.root, grid.repeat, grid.calls) == ("routing", tmp_path, 3, 2 * 2 * 4 * 3)
    assert [(arm.name, arm.control, arm.projected_from) for arm in grid.arms] == [
        ("baseline", True, None),
        ("skill", False, "go-routing"),
    ]
    assert grid.control.name == "baseline"
    assert [model.name for model in grid.models] == ["gpt-4.1-mini", "anthropic:claude-haiku-4-5"]
    assert grid.labels == ("fix", "review")
    first = grid.tasks[0]
    assert (first.id, first.variables, first.golden_label) == (
        "it-is-broken",
        {"input": "It is broken"},
        "fix",
    )
    assert (first.file, first.line) == (str(FOLDER / "tasks.jsonl"), 1)
    assert (first.case.ref, first.case.title, first.case.input) == (
        "it-is-broken",
        "It is broken",
        {"input": "It is broken"},
    )
    assert grid.judged is None


def test_only_variables_of_the_task_are_substituted(load: Load) -> None:
    """Single braces, other names and line ends are sent as they stand."""
    grid = load()
    assert grid.arms[1].render({"input": "A {{other}} {{input}}"}) == (
        "Rules {first}: A {{other}} {{input}}\r\nA {{other}} {{input}} {{other}}\n"
    )


@given(st.text(), st.dictionaries(st.sampled_from(["input", "a", "b-c"]), st.text(), min_size=1))
def test_a_prompt_without_mentions_is_byte_exact(text: str, variables: dict[str, str]) -> None:
    """Whatever stands between mentions is left alone."""
    text = text.replace("{{", "")
    assert GridArm(name="a", text=text).render(variables) == text
    mention = f"{text}{{{{input}}}}{text}"
    expected = f"{text}{variables['input']}{text}" if "input" in variables else mention
    assert GridArm(name="a", text=mention).render(variables) == expected


MISTAKES: Mapping[str, tuple[str, list[str]]] = {
    "an unknown key": (
        GRID + "repeats: 3\n",
        ["GRID:8:1: repeats: unknown key (did you mean 'repeat'?)"],
    ),
    "an unknown key of an arm": (
        GRID.replace("control: true", "controll: true"),
        ["GRID:3:44: arms.baseline.controll: unknown key (did you mean 'control'?)"],
    ),
    "no control": (
        GRID.replace(", control: true", ""),
        ["GRID:3:3: arms: no arm is the control (give the one to compare with 'control: true')"],
    ),
    "two controls": (
        GRID.replace("go-routing}", "go-routing, control: true}"),
        ["GRID:4:75: arms.skill.control: 'baseline' is the control already (there is one control)"],
    ),
    "one arm": (
        GRID.replace("  skill: {prompt: prompts/skill.txt, projected_from: go-routing}\n", ""),
        ["GRID:3:3: arms: a grid compares at least two arms (add one)"],
    ),
    "an arm of nothing": (
        GRID.replace("prompt: prompts/skill.txt, projected_from: go-routing", "control: false"),
        ["GRID:4:10: arms.skill: needs exactly one of 'prompt' and 'fixture'"],
    ),
    "an arm with a slash": (
        GRID.replace("skill:", "a/b:"),
        ["GRID:4:3: arms['a/b']: expected a letter, then up to 47 letters, digits, '_' or '-', found 'a/b'"],
    ),
    "a block id": (
        GRID.replace("go-routing}", "Go}"),
        [
            "GRID:4:54: arms.skill.projected_from: expected a block's id: a small letter, then small "
            "letters, digits or '-', found 'Go'"
        ],
    ),
    "a fixture that is none": (
        GRID.replace("prompt: prompts/skill.txt, projected_from: go-routing", "fixture: labels.json"),
        ["GRID:4:20: arms.skill.fixture: expected a file named *.fixture.md"],
    ),
    "files that are missing": (
        GRID.replace("skill.txt", "gone.txt").replace("tasks.jsonl", "gone.jsonl"),
        [
            "GRID:4:19: arms.skill.prompt: prompts/gone.txt: does not exist (check the path)",
            "GRID:6:8: tasks: gone.jsonl: does not exist (check the path)",
        ],
    ),
    "no labels": (
        GRID.replace("labels: labels.json\n", ""),
        ["GRID:1:1: measure 'label' needs 'labels'"],
    ),
    "no criteria": (
        GRID.replace("labels: labels.json\n", "measure: score\n"),
        ["GRID:1:1: measure 'score' needs 'criteria'"],
    ),
    "keys of the other measure": (
        GRID + "judge: {model: gpt-4o}\n",
        ["GRID:1:1: 'judge' belongs to measure 'score', not to 'label'"],
    ),
    "a model twice": (
        GRID.replace("models.yaml", "[gpt-4o, gpt-4o]"),
        ["GRID:5:18: models[1]: 'gpt-4o' is there already, in line 5"],
    ),
    "inline labels that differ by case": (
        GRID.replace("labels.json", "[fix, review, Fix]"),
        ["GRID:7:23: labels[2]: 'Fix' is there already, in line 7: case does not count"],
    ),
    "a repeat of nothing": (
        GRID + "repeat: 0\n",
        ["GRID:8:9: repeat: must be at least 1, found 0"],
    ),
}


@pytest.mark.parametrize(("text", "expected"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_explained_where_it_stands(load: Load, text: str, expected: list[str]) -> None:
    """With what was found, what was expected, and what to do."""
    assert problems(load, text) == expected


def test_the_mistakes_of_all_files_are_reported_at_once(load: Load) -> None:
    """One round is enough."""
    found = problems(
        load,
        GRID.replace(", control: true", ""),
        tasks='{"input": "a", "golden_label": "revew"}\n{"inpt": "b"}\n',
        models="- [gpt-4o]\n",
        skill=" \n",
    )
    assert found == [
        "models.yaml:1:3: [0]: expected the name of a model, found a list",
        "GRID:3:3: arms: no arm is the control (give the one to compare with 'control: true')",
        "GRID:4:19: arms.skill.prompt: the prompt prompts/skill.txt is empty (write the prompt)",
        "tasks.jsonl:1:1: golden_label: 'revew' is none of the labels (did you mean 'review'?)",
        "tasks.jsonl:2:1: inpt: unknown key (did you mean 'input'?)",
    ]


def test_paths_stay_inside_the_project(load: Load, tmp_path: Path) -> None:
    """A grid reads nothing that does not belong to it, unless it is allowed to."""
    outside = tmp_path.parent / "outside.txt"
    outside.write_text("{{input}}", encoding="utf-8")
    text = GRID.replace("prompts/skill.txt", "../../../../../outside.txt")
    (found,) = problems(load, text)
    assert "leaves the project root" in found
    grid = parse_grid(text, FOLDER / "routing.grid.yaml", allow_outside=True)
    assert grid.arms[1].text == "{{input}}"


def test_a_fixture_may_be_an_arm(load: Load) -> None:
    """Its file is found; it has no prompt."""
    text = GRID.replace("prompt: prompts/skill.txt, projected_from: go-routing", "fixture: go.fixture.md")
    grid = load(text, **{"go.fixture.md": "---\n"})
    arm = grid.arms[1]
    assert arm.fixture is not None
    assert (arm.fixture.name, arm.prompt, arm.text) == ("go.fixture.md", None, "")


def test_prose_is_judged_by_criteria(load: Load) -> None:
    """The part that judges is a prompt suite whose cases are the tasks."""
    tasks = '{"vars": {"input": "Hi", "x-tone": 2}, "expected_behavior": "Greets.", "id": "hi"}\n'
    grid = load(SCORED, tasks=tasks, **{"judge.md": "Be fair."})
    judged = grid.judged
    assert judged is not None
    assert ([each.name for each in judged.criteria], judged.context) == (["safety"], "Be fair.")
    assert (judged.meta.judge.model, float(judged.thresholds.pass_)) == ("openai:gpt-4o", 75)
    (case,) = judged.cases
    assert (case.ref, case.expected_behavior, case.input) == ("hi", "Greets.", {"input": "Hi", "x-tone": 2})


def test_criteria_of_a_grid_are_checked_as_those_of_a_suite(load: Load) -> None:
    """Anchors, weights and minimums."""
    text = SCORED.replace("weight: 1", "weight: 0").replace("{pass: 75}", "{per_criterion: {safty: 50}}")
    found = problems(load, text.replace("1: no", "9: no"), tasks='{"input": "Hi", "golden_label": "x"}\n')
    assert [each.split(": ", 1)[1] for each in found] == [
        "criteria[0].weight: all weights are 0 (give one criterion a weight)",
        "criteria[0].rubric: level 9 is outside the scale 1..5",
        "thresholds.per_criterion.safty: there is no such criterion (did you mean 'safety'?)",
        "golden_label: belongs to measure 'label', not to 'score'",
    ]


FINDINGS: Mapping[str, tuple[str, dict[str, str], list[str]]] = {
    "nothing": (GRID, {"skill": "Rules: {{input}}"}, []),
    "inline models": (
        GRID.replace("models.yaml", "[gpt-4o]"),
        {"skill": "Rules: {{input}}"},
        ["the models stand here: keep them in one file, which all grids name"],
    ),
    "few tasks, one label, once": (
        GRID + "repeat: 1\n",
        {"skill": "Rules: {{input}}", "tasks": '{"input": "a", "golden_label": "fix"}\n'},
        [
            "there are 1 tasks: fewer than 4 say little",
            "each task is given once: nothing tells how steady the outputs are",
            "'fix' is right in every task: an arm that says nothing else is perfect",
        ],
    ),
    "the same prompt twice": (
        GRID,
        {"skill": FILES["prompts/baseline.txt"]},
        ["'skill' has the same prompt as the control 'baseline'"],
    ),
    "variables that do not fit": (
        GRID,
        {"skill": "Rules: {{text}}"},
        [
            "no task sets 'text', which 'skill' has as {{text}}",
            "'skill' has no {{input}}, which tasks set",
        ],
    ),
    "a threshold without effect": (
        SCORED.replace("{pass: 75}", "{pass_rate: 75}"),
        {
            "skill": "Rules: {{input}}",
            "tasks": "".join(f'{{"input": "{number}"}}\n' for number in range(4)),
        },
        ["'pass_rate' has no effect in a grid"],
    ),
}


@pytest.mark.parametrize(("text", "files", "expected"), FINDINGS.values(), ids=FINDINGS)
def test_what_often_goes_wrong_is_found(
    load: Load, text: str, files: dict[str, str], expected: list[str]
) -> None:
    """Findings are no mistakes."""
    assert [finding.text for finding in lint_grid(load(text, **files), {})] == expected


def test_models_of_a_grid_are_those_of_prompt_suites(load: Load) -> None:
    """A mapping may set all that the model of a prompt suite has."""
    assert load().models[1] == ModelSpec(name="anthropic:claude-haiku-4-5", temperature=0)
