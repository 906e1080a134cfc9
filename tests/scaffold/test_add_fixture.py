"""`scaffold add-fixture`: what it writes is whole, right, and safe to run again."""

import json
import re
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judges.files.fixture import FixtureSuite, load_fixture
from judges.files.fixture_lint import lint_fixture
from judges.files.pass_conditions import asks_nothing
from judges.run.fixture_checks import check_patterns
from scaffold.__main__ import run
from scaffold.generate.render import find_template

pytestmark = pytest.mark.usefixtures("empty")

FILE = Path(".omniscitus/tests/fixtures/demo.fixture.md")


def load_clean(path: Path = FILE) -> FixtureSuite:
    """Read a fixture that has neither mistakes nor findings."""
    suite = load_fixture(path)
    check_patterns(suite)
    assert (lint_fixture(suite), suite.notices) == ((), ())
    return suite


@pytest.mark.parametrize("runs", ["1", "3", "1000"])
def test_a_generated_fixture_has_no_finding(runs: str) -> None:
    """However many replicas: it is right as it is, and has every family but the one that costs more."""
    assert run(["add-fixture", "demo", "--runs", runs]) == 0
    suite = load_clean()
    assert (suite.name, suite.meta.runs, suite.meta.model) == ("demo", int(runs), "claude-haiku-4-5-20251001")
    sections = dict(suite.meta.pass_conditions)
    assert sections.pop("semantic") == ()
    assert len(sections.pop("files")) == 1
    assert not any(map(asks_nothing, sections.values()))


def test_what_is_commented_out_is_right_too() -> None:
    """Each commented line is good YAML in its place."""
    assert run(["add-fixture", "demo"]) == 0
    text = FILE.read_text()
    keys = "run|workspace|setting_sources|plugin_dirs|max_cost_usd|order|semantic"
    text = re.sub(rf"^( *)# (?=(?:{keys}):)", r"\1", text, flags=re.MULTILINE)
    text = re.sub(r"^  # (?= +(?:- |\w+:|PASS|FAIL))", "  ", text, flags=re.MULTILINE)
    text = text.replace("isolation: sealed", "isolation: project")
    for folder in ("path/to/folder", "path/to/plugin"):
        Path(folder).mkdir(parents=True)
    FILE.write_text(text)
    meta = load_clean().meta
    assert (meta.run.serial, meta.workspace, meta.plugin_dirs) == (
        True,
        "path/to/folder",
        ("path/to/plugin",),
    )
    assert meta.pass_conditions.tool_calls.order == ("Read", "Write")
    (row,) = meta.pass_conditions.semantic
    assert (row.id, row.judge_model) == ("says-what-it-did", meta.model)
    assert row.rubric.splitlines()[1].startswith("FAIL if it does not")


ODD = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1).filter(str.strip)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ODD, ODD)
def test_any_description_and_model_read_back(description: str, model: str) -> None:
    """Whatever somebody types is quoted as YAML needs it, and never taken for a template."""
    arguments = [f"--description={description}", f"--model={model}"]
    assert run(["add-fixture", "demo", "--force", *arguments]) == 0
    meta = load_fixture(FILE).meta
    assert (meta.description, meta.model) == (description, model.strip())
    shutil.rmtree(".omniscitus")


def test_the_report_says_what_is_there_and_what_next(empty: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One thing a line; the first suite of a project brings what git ignores."""
    assert run(["add-fixture", "demo", "--no-input"]) == 0
    assert capsys.readouterr().out == (
        f"Fixture     demo\nProject     {empty} (.omniscitus/ is new)\n"
        "Files       .omniscitus/tests/fixtures/\n  demo.fixture.md\n"
        "Model       claude-haiku-4-5-20251001\nRuns        3, quorum majority\n\n"
        "Next:\n  scaffold validate demo\n"
        "  scaffold run demo           (says what it would do and cost)\n"
        "  scaffold run demo --live    (starts 3 sessions of claude)\n"
    )
    assert Path(".omniscitus/.gitignore").read_text() == "# what runs leave behind\nruns/\ncache/\n"


def test_fixtures_stand_beside_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    """A second one leaves the first alone, from any folder of the project."""
    assert run(["add-fixture", "demo"]) == 0
    before = FILE.read_bytes()
    assert run(["add-fixture", "other", "--runs", "1"]) == 0
    assert FILE.read_bytes() == before
    assert load_clean(FILE.with_name("other.fixture.md")).meta.runs == 1
    assert "is new" not in capsys.readouterr().out.partition("other")[2]


def test_no_file_is_ever_overwritten(capsys: pytest.CaptureFixture[str]) -> None:
    """It is refused; with --force the old file is kept beside."""
    assert run(["add-fixture", "demo"]) == 0
    FILE.write_text("mine")
    assert run(["add-fixture", "demo"]) == 2
    assert "demo.fixture.md: exists already (choose another name, or use --force" in capsys.readouterr().err
    assert FILE.read_text() == "mine"
    assert run(["add-fixture", "demo", "--force"]) == 0
    assert "demo.fixture.md (the old one is now demo.fixture.md.bak-1)" in capsys.readouterr().out
    assert FILE.with_name("demo.fixture.md.bak-1").read_text() == "mine"
    load_clean()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Missing argument 'NAME', such as: scaffold add-fixture smoke-echo"),
        (["a/b"], "the name 'a/b' may hold only letters"),
        (["demo", "--runs", "0"], "runs: expected a whole number from 1 to 1000, found '0'"),
        (["demo", "--runs", "three"], "runs: expected a whole number from 1 to 1000, found 'three'"),
        (["demo", "--model", " "], "model: the name must not be empty"),
        (["demo", "--template", "nowhere"], "'nowhere' does not exist"),
    ],
)
def test_what_cannot_be_is_refused(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """With a sentence, and nothing is written."""
    assert run(["add-fixture", *arguments]) == 2
    assert message in capsys.readouterr().err
    assert not Path(".omniscitus").exists()


def own_template(name: str, text: str) -> None:
    folder = Path("own/{{ cookiecutter.prompt_name }}")
    folder.mkdir(parents=True)
    (folder.parent / "cookiecutter.json").write_text(json.dumps({"prompt_name": "x"}))
    (folder / name).write_text(text)


def test_an_own_template_is_filled() -> None:
    """With the same values as the built-in one."""
    own_template(
        "{{ cookiecutter.prompt_name }}.fixture.md",
        "---\nmodel: {{ cookiecutter.model | yaml }}\nruns: {{ cookiecutter.runs }}\n"
        "description: {{ cookiecutter.description | yaml }}\n"
        "pass_conditions: {run: {must_succeed: true}}\n---\n# Prompt body\n\nHi\n",
    )
    assert run(["add-fixture", "demo", "--template", "own", "--runs", "2", "--description", "a: b"]) == 0
    meta = load_fixture(FILE).meta
    assert (meta.runs, meta.description) == (2, "a: b")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("other.md", "", "own: makes no demo.fixture.md (mend the template)"),
        (
            "{{ cookiecutter.prompt_name }}.fixture.md",
            "{{ cookiecutter.nope | yaml }}",
            "own: Unable to create file '{{ cookiecutter.prompt_name }}.fixture.md': 'dict object' has no "
            "attribute 'nope' (mend the template)",
        ),
    ],
)
def test_a_broken_template_is_refused(
    name: str, text: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A template without the file, or with an unknown variable, is said to be broken; nothing is written."""
    own_template(name, text)
    assert run(["add-fixture", "demo", "--template", "own"]) == 2
    assert capsys.readouterr().err == f"Error: {message}\n"
    assert not Path(".omniscitus").exists()


def test_the_template_is_part_of_the_installation() -> None:
    """It is found where the program looks for it."""
    assert (find_template("fixture") / "cookiecutter.json").is_file()
