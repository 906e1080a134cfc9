"""The files that a project is set up with: where each goes, what it holds, and how it is added to."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import judges
from judges.core.report import SuiteKind
from judges.files.config import CONFIG_FILE
from judges.files.gated import REGISTRY_FILE
from judges.files.json_schema import SCHEMAS, render_schema, schema_file
from judges.files.project import MARKER, SUFFIXES, SUITE_FILE
from scaffold.generate.grid import MODELS
from scaffold.generate.render import find_template
from scaffold.generate.shared import IGNORED
from scaffold.init.merge import add_hook, add_lines, add_schemas, check_include
from scaffold.yaml_text import render_block

Merge: TypeAlias = Callable[[str], str]
"""Returns the text with what it lacks. Raises MergeError where a person has to add it."""

REQUIREMENT = f"prompt-scaffold=={judges.__version__}"
SCHEMA_FOLDER = Path(MARKER, "schemas")
GITLAB_JOBS = Path(".gitlab", "prompt-tests.yml")

HOOK: Mapping[str, Any] = {
    "id": "scaffold-validate",
    "name": "suites of prompts are free of mistakes",
    "entry": "scaffold validate --strict --allow-empty",
    "language": "python",
    "files": rf"^\{MARKER}/",
    "pass_filenames": False,
}

EDITED = {
    "prompt-meta": f"**/{SUITE_FILE}",
    "grid": f"**/*{SUFFIXES[SuiteKind.GRID]}",
    "overrides": "**/overrides/overrides.yaml",
    "config": f"{MARKER}/{CONFIG_FILE}",
    "gated": REGISTRY_FILE.as_posix(),
    "models": f"{MARKER}/{MODELS.as_posix()}",
}
"""Which files editors hold to which schema: those that people write, in YAML."""


class Ci(StrEnum):
    """Where a project's tests run."""

    GITHUB = "github"
    GITLAB = "gitlab"


@dataclass(frozen=True, slots=True)
class Parts:
    """What of a setup is wanted, besides `.omniscitus/` itself; `requirement` is what pip is to install."""

    ci: Ci | None
    requirement: str = REQUIREMENT
    pre_commit: bool = True
    editor: bool = True
    claude_code: bool = False


@dataclass(frozen=True, slots=True)
class WantedFile:
    """A file of the setup. `path` starts at the project's root; without `merge` one that is there stays."""

    path: Path
    text: str
    merge: Merge | None = None


def list_wanted(parts: Parts) -> Iterator[WantedFile]:
    """Yield the files of a setup.

    Raises:
        ScaffoldError: a template is missing from this installation.
    """
    yield WantedFile(Path(MARKER, CONFIG_FILE), _read("config.yaml"))
    _, *lines = IGNORED.splitlines()
    yield WantedFile(Path(MARKER, ".gitignore"), IGNORED, partial(add_lines, lines=lines))
    yield from _CI[parts.ci](parts.requirement)
    if parts.pre_commit:
        repo = build_hooks(parts.requirement)
        text = f"repos:\n{render_block([repo], 2)}"
        yield WantedFile(Path(".pre-commit-config.yaml"), text, partial(add_hook, repo=repo))
    if parts.editor:
        schemas = {f"./{(SCHEMA_FOLDER / schema_file(name)).as_posix()}": [at] for name, at in EDITED.items()}
        text = json.dumps({"yaml.schemas": schemas}, indent=4) + "\n"
        yield WantedFile(Path(".vscode", "settings.json"), text, partial(add_schemas, schemas=schemas))
    if parts.claude_code:
        commands = Path(".claude", "commands")
        yield WantedFile(commands / "test-add" / "prompt.md", _read("test-add-prompt.md"))
        yield WantedFile(commands / "test-prompt-harness.md", _read("test-prompt-harness.md"))
    for name in SCHEMAS:  # last, as they are long and of no interest in a diff
        yield WantedFile(SCHEMA_FOLDER / schema_file(name), render_schema(name))


def build_hooks(requirement: str) -> Mapping[str, Any]:
    """Return what pre-commit is told: a list of hooks of which ours, which pip installs, is the only one."""
    return {"repo": "local", "hooks": [{**HOOK, "additional_dependencies": [requirement]}]}


def _github(requirement: str) -> Iterator[WantedFile]:
    yield WantedFile(Path(".github", "workflows", "prompt-tests.yml"), _read("github.yml", requirement))


def _gitlab(requirement: str) -> Iterator[WantedFile]:
    yield WantedFile(GITLAB_JOBS, _read("gitlab.yml", requirement))
    check = partial(check_include, path=GITLAB_JOBS.as_posix())
    yield WantedFile(Path(".gitlab-ci.yml"), _read("gitlab-ci.yml"), check)


_CI: Mapping[Ci | None, Callable[[str], Iterator[WantedFile]]] = {
    Ci.GITHUB: _github,
    Ci.GITLAB: _gitlab,
    None: lambda _: iter(()),
}


def _read(name: str, requirement: str = "") -> str:
    text = (find_template("project") / name).read_text(encoding="utf-8")
    return text.replace("{{ requirement }}", requirement)
