"""The files of a setup are what the program reads."""

import json
import re
from fnmatch import fnmatch
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator

from judges.files.config import ProjectConfig, read_config
from judges.files.json_schema import SCHEMAS, config_schema
from judges.files.project import MARKER
from scaffold.init.wanted import EDITED, HOOK, REQUIREMENT, Ci, Parts, list_wanted

ALL = Parts(ci=Ci.GITHUB, claude_code=True)
HOOKS = Path(__file__).parents[2] / ".pre-commit-hooks.yaml"


def texts(parts: Parts = ALL) -> dict[str, str]:
    return {file.path.as_posix(): file.text for file in list_wanted(parts)}


def test_the_settings_do_nothing_until_somebody_wants_it(tmp_path: Path) -> None:
    """All keys are comments; without the marks each is a key of the format, and its value is fine."""
    text = texts()[f"{MARKER}/config.yaml"]
    (tmp_path / MARKER).mkdir()
    (tmp_path / MARKER / "config.yaml").write_text(text)
    assert read_config(tmp_path) == ProjectConfig()
    settings = yaml.safe_load(re.sub(r"(?m)^# (?=[a-z_]+:|  )", "", text.split("\n\n", 1)[1]))
    assert set(settings) == set(ProjectConfig.model_fields)
    Draft202012Validator(config_schema()).validate(settings)
    ProjectConfig(**settings)


@pytest.mark.parametrize(
    ("parts", "lacking"),
    [
        (Parts(ci=None), {".github/workflows/prompt-tests.yml"}),
        (Parts(ci=Ci.GITHUB, pre_commit=False), {".pre-commit-config.yaml"}),
        (Parts(ci=Ci.GITHUB, editor=False), {".vscode/settings.json"}),
        (Parts(ci=Ci.GITHUB), set()),
    ],
    ids=["no CI", "no hook", "no editor", "no commands"],
)
def test_parts_can_be_left_out(parts: Parts, lacking: set[str]) -> None:
    """Each by itself; the commands of Claude Code come on demand."""
    commands = {".claude/commands/test-add/prompt.md", ".claude/commands/test-prompt-harness.md"}
    assert set(texts()) - set(texts(parts)) == lacking | commands


def test_every_schema_is_there_and_used_for_a_file() -> None:
    """All formats have one, and editors are told of those that people write as YAML."""
    names = {name for name in texts() if name.startswith(f"{MARKER}/schemas/")}
    assert names == {f"{MARKER}/schemas/{name}.schema.json" for name in SCHEMAS}
    used = json.loads(texts()[".vscode/settings.json"])["yaml.schemas"]
    assert {name.removeprefix("./") for name in used} < names
    assert set(EDITED) < set(SCHEMAS)
    for (pattern,), path in zip(used.values(), ("x/prompt-meta.yaml", "x/a.grid.yaml"), strict=False):
        assert fnmatch(path, pattern)


def test_the_hook_is_the_published_one() -> None:
    """Whether somebody takes it from the repository or from the setup, it is the same hook."""
    published = {hook["id"]: hook for hook in yaml.safe_load(HOOKS.read_text())}
    there = published[HOOK["id"]]
    assert {**HOOK, "description": there["description"]} == there


@pytest.mark.parametrize(
    "requirement", [REQUIREMENT, "prompt-scaffold @ git+https://git.example.com/scaffold@v1#egg=scaffold"]
)
def test_what_is_installed(requirement: str) -> None:
    """The package is named alike in every file that installs it: this version, or as it is asked for."""
    for ci in Ci:
        written = texts(Parts(ci=ci, requirement=requirement))
        assert not [name for name, text in written.items() if "{{ requirement" in text]
        (repo,) = yaml.safe_load(written[".pre-commit-config.yaml"])["repos"]
        assert repo["hooks"][0]["additional_dependencies"] == [requirement]
        jobs = {Ci.GITHUB: ".github/workflows/prompt-tests.yml", Ci.GITLAB: ".gitlab/prompt-tests.yml"}[ci]
        installs = re.findall(r"pip install \"(.*?)\"", written[jobs])
        assert set(installs) == {requirement}
        assert f'pip install "{requirement}"' in str(yaml.safe_load(written[jobs]))
