import json
from pathlib import Path

import pytest

import scaffold.generate.render as render_module
from judges.core.errors import ConfigError, ScaffoldError
from scaffold.generate.render import find_template, render_template

FOLDER = "{{ cookiecutter.prompt_name }}"


def _template(place: Path, files: dict[str, str], defaults: object = None) -> Path:
    template = place / "template"
    for name, text in files.items():
        file = template / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    (template / "cookiecutter.json").write_text(json.dumps({} if defaults is None else defaults))
    return template


def _render(template: Path, place: Path, **values: object) -> Path:
    return render_template(template, {"prompt_name": "demo", **values}, place / "out")


def test_values_fill_files_and_names(tmp_path: Path) -> None:
    """A template is filled below the given folder, and only there."""
    template = _template(
        tmp_path, {f"{FOLDER}/{{{{ cookiecutter.model }}}}.md": "by {{ cookiecutter.model }}"}
    )
    made = _render(template, tmp_path, model="m1")
    assert made == tmp_path / "out" / "demo"
    assert (made / "m1.md").read_text() == "by m1"


def test_a_value_is_never_a_template_itself(tmp_path: Path) -> None:
    """Braces in what a user typed stay braces."""
    template = _template(tmp_path, {f"{FOLDER}/a.md": "{{ cookiecutter.model }}"}, {"model": "x"})
    made = _render(template, tmp_path, model="{{ 1 + 1 }}{% raw %}")
    assert (made / "a.md").read_text() == "{{ 1 + 1 }}{% raw %}"


def test_a_template_may_have_variables_of_its_own(tmp_path: Path) -> None:
    """They take their defaults, which may be made from the name of the suite."""
    own = {"team": "{{ cookiecutter.prompt_name }}-team", "choice": ["first", "second"]}
    template = _template(
        tmp_path, {f"{FOLDER}/a.md": "{{ cookiecutter.team }} {{ cookiecutter.choice }}"}, own
    )
    assert (_render(template, tmp_path) / "a.md").read_text() == "demo-team first"


def test_every_template_can_quote_for_yaml(tmp_path: Path) -> None:
    """The filter is there without being asked for."""
    template = _template(tmp_path, {f"{FOLDER}/a.yaml": "m: {{ cookiecutter.model | yaml }}"})
    assert (_render(template, tmp_path, model="a: b") / "a.yaml").read_text() == "m: 'a: b'"


@pytest.mark.parametrize("hook", ["pre_prompt.py", "pre_gen_project.py", "post_gen_project.py"])
def test_hooks_are_not_run(tmp_path: Path, hook: str) -> None:
    """A template is text: no program of it is started, before or after."""
    ran = tmp_path / "ran"
    template = _template(
        tmp_path,
        {
            f"{FOLDER}/a.md": "text",
            f"hooks/{hook}": f"open({str(ran)!r}, 'w').close()\nraise SystemExit(1)\n",
        },
    )
    assert (_render(template, tmp_path) / "a.md").read_text() == "text"
    assert not ran.exists()


def test_no_settings_of_the_user_are_touched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cookiecutter's own configuration in HOME is neither read nor written."""
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / ".cookiecutterrc").write_text("default_context: {model: from-home}")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    template = _template(tmp_path, {f"{FOLDER}/a.md": "{{ cookiecutter.model }}"}, {"model": "own"})
    assert (_render(template, tmp_path) / "a.md").read_text() == "own"
    assert [path.name for path in (tmp_path / "home").iterdir()] == [".cookiecutterrc"]


@pytest.mark.parametrize(
    ("files", "message"),
    [
        pytest.param({"suite/a.md": "x"}, "has no folder named", id="no folder"),
        pytest.param(
            {f"{FOLDER}/a.md": "{{ cookiecutter.nothing }}"}, "has no attribute 'nothing'", id="undefined"
        ),
        pytest.param(
            {f"{FOLDER}/a.md": "one\n{% if %}"}, "a.md, line 2: Expected an expression", id="syntax"
        ),
        pytest.param({f"{FOLDER}/a.md": "{{ x | nope }}"}, "No filter named 'nope'", id="filter"),
        pytest.param(
            {f"{FOLDER}/a.md": "{{ 1 / 0 }}"}, "ZeroDivisionError: division by zero", id="arithmetic"
        ),
        pytest.param({f"{FOLDER}/a.md": "{{ 1 + 'a' }}"}, "TypeError", id="type"),
        pytest.param({f"{FOLDER}/{{{{ x.y }}}}.md": "x"}, "'x' is undefined", id="file name"),
        pytest.param({f"{FOLDER}/{{{{ .md": "x"}, "a file name, line 1", id="syntax of a file name"),
        pytest.param({f"{FOLDER}/a.md": "{% include 'gone' %}"}, "gone", id="include"),
    ],
)
def test_a_broken_template_is_explained(tmp_path: Path, files: dict[str, str], message: str) -> None:
    """The message names the template and what is wrong with it."""
    template = _template(tmp_path, files)
    with pytest.raises(ConfigError) as caught:
        _render(template, tmp_path)
    assert str(caught.value).startswith(str(template))
    assert message in str(caught.value)
    assert "mend the template" in str(caught.value)


@pytest.mark.parametrize(
    ("defaults", "message"),
    [
        ('{"_extensions": 1}', "TypeError"),
        ('{"_extensions": ["no.such"]}', "No module named 'no'"),
        ("[]", "must hold a JSON object"),
        ("{", "is not JSON"),
        (None, "cookiecutter.json: not found"),
    ],
)
def test_broken_defaults_are_explained(tmp_path: Path, defaults: str | None, message: str) -> None:
    """A template needs a cookiecutter.json with an object."""
    template = _template(tmp_path, {f"{FOLDER}/a.md": "x"})
    (template / "cookiecutter.json").unlink()
    if defaults is not None:
        (template / "cookiecutter.json").write_text(defaults)
    with pytest.raises(ConfigError, match=message):
        _render(template, tmp_path)


def test_the_template_beside_the_package_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wheel holds the templates in the package; a source tree holds them at its top."""
    module = tmp_path / "scaffold" / "generate" / "render.py"
    monkeypatch.setattr(render_module, "__file__", str(module))
    (tmp_path / "templates" / "one").mkdir(parents=True)
    assert find_template("one") == tmp_path / "templates" / "one"
    (tmp_path / "scaffold" / "templates" / "one").mkdir(parents=True)
    assert find_template("one") == tmp_path / "scaffold" / "templates" / "one"


def test_a_missing_template_is_a_broken_installation() -> None:
    """The user's files are not to blame, and the message says what to do."""
    with pytest.raises(ScaffoldError, match="install the package again"):
        find_template("no-such-template")
