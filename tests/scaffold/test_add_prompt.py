"""`scaffold add-prompt`: what it writes runs as it is, what it says, and what it refuses."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from new_suite import SUITE, assert_clean, files, load

from judges.core.case import Category
from judges.files.evaluation_meta import EvaluationType
from judges.files.lint import lint
from judges.files.template import read_prompt
from scaffold.__main__ import run

pytestmark = pytest.mark.usefixtures("empty")


OPTIONS = {
    "defaults": [],
    "five cases": ["--cases", "5"],
    "many cases": ["--cases", "123"],
    "one criterion": ["--criterion", "tone:1"],
    "only safety": ["--criterion", "safety:1"],
    "a heavy criterion": ["--criterion", "tone:97", "--criterion", "Safety:3"],
    "own criteria": ["--criterion", "brand_voice:0.5", "--criterion", "x:0.3", "--criterion", "privacy:.2"],
    "thirds": ["--criterion", "a:1", "--criterion", "b:1", "--criterion", "c:1"],
    "odd models": ["--model", 'openai:"ird" #\n{{ 1 }} 🙂', "--judge-model", "anthropic:claude-haiku-4-5"],
    "markdown": ["--target", "prompts/a.md"],
    "markdown, few cases": ["--target", "prompts/a.md", "--cases", "7", "--criterion", "tone:3"],
    "markdown, many cases": ["--target", "prompts/a.md", "--cases", "60"],
    "text": ["--target", "prompts/b.txt"],
    "no variables": ["--target", "prompts/c.prompt"],
    "jinja": ["--target", "prompts/d.jinja"],
    "messages": ["--target", "prompts/e.yaml"],
}
PROMPTS = {
    "a.md": 'Translate {text} to {{ target_language }} for {userName}, in {{max_length}} words: {"a": 1}',
    "b.txt": "Reply to {message}",
    "c.prompt": "You are a helpful assistant.",
    "d.jinja": "{% for item in items %}{{ item }}{% endfor %} {{ topic }}",
    "e.yaml": "- {role: system, content: 'Be {tone}.'}\n- {role: user, content: '{question}'}\n",
}


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_a_generated_suite_loads_and_has_no_finding(empty: Path, options: list[str]) -> None:
    """Whatever the options: it can be run as it is."""
    (empty / "prompts").mkdir()
    for name, text in PROMPTS.items():
        (empty / "prompts" / name).write_text(text)
    assert run(["add-prompt", "demo", *options]) == 0
    assert_clean(load())


@pytest.mark.parametrize("kind", EvaluationType)
@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_a_suite_of_any_type_loads_and_has_no_finding(
    empty: Path, kind: EvaluationType, options: list[str]
) -> None:
    """Each type has what it needs, and nothing that has no effect with it."""
    (empty / "prompts").mkdir()
    for name, text in PROMPTS.items():
        (empty / "prompts" / name).write_text(text)
    assert run(["add-prompt", "demo", "--type", kind.value, *options]) == 0
    suite = load()
    assert suite.evaluation is kind
    assert_clean(suite)


def test_a_comparison_has_a_prompt_to_change(empty: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The second arm is a copy of the prompt, byte for byte; without a target it is another example."""
    (empty / "p.txt").write_bytes(b"Greet {name}.\r\n")
    assert run(["add-prompt", "demo", "--type", "comparison", "--target", "p.txt"]) == 0
    assert (SUITE / "candidate.txt").read_bytes() == b"Greet {name}.\r\n"
    assert "Arms        a is what there is, b is candidate.txt: put there" in capsys.readouterr().out
    assert run(["add-prompt", "other", "--type", "comparison"]) == 0
    folder = SUITE.with_name("other")
    assert (folder / "candidate.md").read_text() != (folder / "prompt.md").read_text()
    assert [arm.target and arm.target.name for arm in load(folder).arms] == ["prompt.md", "candidate.md"]


def test_a_comparison_of_source_code_takes_recorded_outputs(
    empty: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What only the author can run is recorded, in a file for each arm."""
    (empty / "reply.ts").write_text("export const reply = () => 1")
    assert run(["add-prompt", "demo", "--type", "comparison", "--target", "reply.ts"]) == 0
    assert [arm.outputs for arm in load().arms] == [{}, {}]
    assert "scaffold run demo    (once outputs-a.jsonl and outputs-b.jsonl hold" in capsys.readouterr().out


def test_the_runner_of_a_comparison_is_told_the_arm(empty: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Both arms are one program."""
    assert run(["add-prompt", "demo", "--type", "comparison", "--runner", "python"]) == 0
    assert [arm.runner and arm.runner.name for arm in load().arms] == ["runner.py", "runner.py"]
    assert not (SUITE / "candidate.md").exists()
    assert "Arms        a and b: the runner is told which" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("kind", "lines"),
    [
        ("binary", ["  correctness", "Thresholds  70 % of the cases must pass"]),
        ("comparison", ["  correctness", "Thresholds  b must win 50 % of the cases; a tie counts half"]),
        (
            "regression",
            [
                "  0.4       correctness",
                "Thresholds  no case may lose more than one level, nor all of them on average",
                "  scaffold baseline accept    (makes that run what later ones are measured against)",
            ],
        ),
    ],
)
def test_the_report_is_that_of_the_type(
    kind: str, lines: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Weights only where they count, the thresholds that decide, and the commands that come next."""
    assert run(["add-prompt", "demo", "--type", kind]) == 0
    out = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line not in out] == []


@given(
    name=st.text(st.characters(exclude_categories=["Cs"], exclude_characters="/\0"), min_size=1, max_size=40),
    variable=st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,20}", fullmatch=True),
)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_targets_may_have_odd_names(
    tmp_path_factory: pytest.TempPathFactory, name: str, variable: str
) -> None:
    """Quotes, colons, braces, line breaks, other scripts: the suite names the same file again."""
    folder = tmp_path_factory.mktemp("project")
    os.chdir(folder)
    target = folder / "prompts" / f"{name}.md"
    target.parent.mkdir()
    target.write_text(f"Do it: {{{variable}}}")
    assert run(["add-prompt", "demo", "--target", str(target)]) == 0
    suite = load(folder / SUITE)
    assert suite.target == target
    assert next(iter(suite.cases)).input.keys() == {variable}
    assert_clean(suite)


def test_the_report_says_what_was_written_and_what_comes_next(capsys: pytest.CaptureFixture[str]) -> None:
    """Files, models, type, criteria with weights, cases by category, thresholds, logs, the next command."""
    assert run(["add-prompt", "demo", "--criterion", "tone:3", "--criterion", "wit:1", "--cases", "10"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Suite       demo",
        f"Project     {Path.cwd()} (.omniscitus/ is new)",
        "Files       .omniscitus/tests/prompts/demo/",
        "  judge.md",
        "  overrides/overrides.yaml",
        "  prompt-meta.yaml",
        "  prompt.md",
        "Target      .omniscitus/tests/prompts/demo/prompt.md",
        "Models      gpt-4.1-mini under test, gpt-4o judges",
        "Type        multi_criteria",
        "Criteria",
        "  0.6       tone (scaled from 3)",
        "  0.2       wit (scaled from 1)",
        "  0.2       safety (added: every suite needs one)",
        "Cases       10",
        "  6         element",
        "  2         mixed",
        "  1         edge",
        "  1         zero_condition",
        "Thresholds  pass 70, warn 50",
        "  75        safety, regardless of the score",
        "Logs        .omniscitus/runs/ (for copies see logs: in prompt-meta.yaml)",
        "",
        "Next:",
        "  scaffold validate demo",
        "  scaffold run demo --dry-run",
        "  scaffold run demo",
    ]


def test_runs_and_caches_are_not_for_git() -> None:
    """A new project folder ignores what runs leave behind; an existing one is left as it is."""
    run(["add-prompt", "demo"])
    ignored = Path(".omniscitus/.gitignore")
    assert ignored.read_text().splitlines()[1:] == ["runs/", "cache/"]
    ignored.unlink()
    run(["add-prompt", "other"])
    assert not ignored.exists()


def test_the_default_suite_covers_all_four_categories() -> None:
    """From the everyday to the absurd."""
    run(["add-prompt", "demo"])
    assert {case.category for case in load().cases} == set(Category)


def test_a_source_file_is_tested_through_a_runner(empty: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its variables cannot be inferred: the report says so, and the cases hold plain example text."""
    (empty / "reply.ts").write_text("export const reply = (text: string) => `Reply to ${text}`")
    assert run(["add-prompt", "demo", "--target", "reply.ts"]) == 0
    assert capsys.readouterr().out.splitlines()[-6:] == [
        "Note: reply.ts is not a prompt template: name a runner that calls it.",
        "The input of the cases is a guess: put a real one there.",
        "",
        "Next:",
        "  scaffold validate demo",
        "  scaffold run demo --outputs FILE.jsonl",
    ]
    suite = load()
    assert {tuple(case.input) for case in suite.cases} == {("text",)}
    assert lint(suite, read_prompt(empty / "reply.ts")) == ()


def test_a_template_that_wants_more_than_text_is_mentioned(
    empty: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Attributes of a Jinja variable cannot be guessed."""
    (empty / "p.jinja").write_text("Dear {{ user.name }}")
    assert run(["add-prompt", "demo", "--target", "p.jinja"]) == 0
    assert "Note: the prompt cannot be rendered" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["../up"], "the name '../up' may hold only letters", id="escaping name"),
        pytest.param(["nul"], "device on Windows (try: nul-prompt)", id="device"),
        pytest.param([], "Missing argument 'NAME'", id="no name"),
        pytest.param(["demo", "--cases", "4"], "whole number from 5 to 1000, found '4'", id="few cases"),
        pytest.param(
            ["demo", "--cases", "many"], "whole number from 5 to 1000, found 'many'", id="no number"
        ),
        pytest.param(["demo", "--cases", "\u0661\u0660"], "whole number from 5 to 1000", id="other digits"),
        pytest.param(["demo", "--type", "best"], "'best' is not one of", id="no type"),
        pytest.param(["demo", "--model", " "], "must not be empty", id="no model"),
        pytest.param(["demo", "--model", "gpt4"], "the model 'gpt4' names no provider", id="model"),
        pytest.param(
            ["demo", "--runner", "python", "--judge-model", "gpt4"], "'gpt4' names no provider", id="judge"
        ),
        pytest.param(["demo", "--model", "opneai:gpt-4o"], "did you mean openai:gpt-4o?", id="provider"),
        pytest.param(["demo", "--criterion", "tone"], "expected name:weight", id="criterion"),
        pytest.param(["demo", "--target", "gone.md"], "gone.md: no such file", id="no target"),
        pytest.param(["demo", "--target", "empty.md"], "the prompt is empty", id="empty target"),
        pytest.param(["demo", "--target", "bad.jinja"], "not valid Jinja", id="broken target"),
        pytest.param(["demo", "--template", "gone"], "does not exist", id="no template"),
        pytest.param(["demo", "--template", "."], "cookiecutter.json: not found", id="not a template"),
    ],
)
def test_a_mistake_is_explained_and_nothing_is_written(
    empty: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    """Exit code 2, one sentence, and the folder is as it was."""
    (empty / "empty.md").write_text("")
    (empty / "bad.jinja").write_text("{% if %}")
    before = files(empty)
    assert run(["add-prompt", *arguments]) == 2
    assert message in capsys.readouterr().err
    assert files(empty) == before
    assert not (empty / ".omniscitus").exists()


def test_an_existing_suite_is_not_touched(empty: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without --force not a byte changes, and every file in the way is named."""
    run(["add-prompt", "demo"])
    before = files(empty)
    assert run(["add-prompt", "demo", "--cases", "20"]) == 2
    assert files(empty) == before
    assert capsys.readouterr().err.count("exists already (choose another name, or use --force") == 4


def test_force_keeps_the_old_files_beside(empty: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every byte that was there is still there, under a name that the report says."""
    run(["add-prompt", "demo"])
    (SUITE / "overrides" / "overrides.yaml").write_text("[]  # my own")
    (SUITE / "mine.txt").write_text("mine")
    before = files(empty)
    assert run(["add-prompt", "demo", "--cases", "20", "--force"]) == 0
    after = files(empty)
    assert set(before.values()) <= set(after.values())
    assert "prompt-meta.yaml (the old one is now prompt-meta.yaml.bak-1)" in capsys.readouterr().out
    assert after[f"{SUITE}/overrides/overrides.yaml.bak-1"] == b"[]  # my own"
    assert len(list(load().cases)) == 20


def test_a_suite_goes_to_the_project_root(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also when the command runs in a subfolder, and the target is named from there."""
    (empty / ".git").mkdir()
    (empty / "sub").mkdir()
    (empty / "sub" / "p.md").write_text("{text}")
    monkeypatch.chdir(empty / "sub")
    assert run(["add-prompt", "demo", "--target", "p.md"]) == 0
    assert load(empty / SUITE).meta.target == "sub/p.md"


def test_an_organisation_can_use_its_own_template(empty: Path) -> None:
    """Its files are filled, its hooks are not run, and only what it makes is written."""
    template = empty / "house"
    folder = template / "{{ cookiecutter.prompt_name }}"
    (template / "hooks").mkdir(parents=True)
    folder.mkdir()
    (template / "cookiecutter.json").write_text('{"team": "search"}')
    (template / "hooks" / "post_gen_project.py").write_text(f"open({str(empty / 'ran')!r}, 'w').close()")
    (folder / "prompt-meta.yaml").write_text("prompt_name: {{ cookiecutter.prompt_name }}\ncases: []\n")
    (folder / "OWNERS").write_text("{{ cookiecutter.team }}")
    assert run(["add-prompt", "demo", "--template", "house"]) == 0
    assert sorted(files(empty / SUITE)) == ["OWNERS", "prompt-meta.yaml"]
    assert (SUITE / "OWNERS").read_text() == "search"
    assert not (empty / "ran").exists()


def test_a_template_without_a_suite_file_is_refused(empty: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder without prompt-meta.yaml is no suite."""
    (empty / "house" / "{{ cookiecutter.prompt_name }}").mkdir(parents=True)
    (empty / "house" / "cookiecutter.json").write_text("{}")
    assert run(["add-prompt", "demo", "--template", "house"]) == 2
    assert "house: makes no prompt-meta.yaml" in capsys.readouterr().err
    assert not SUITE.exists()
