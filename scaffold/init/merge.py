"""Adds to texts that people wrote what they lack, with every other byte as it was.

Each function returns the text as it is where it lacks nothing, and refuses what it cannot add to safely.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from judges.core.errors import ConfigError, ScaffoldError
from judges.files.document import Document
from judges.files.yaml import compose_yaml
from scaffold.yaml_text import block_end, render_block

REPOS = "repos"
SCHEMAS = "yaml.schemas"

_UNSAFE = "nothing can be added without changing something else"
_INDENT = re.compile(r'^([ \t]+)"', re.MULTILINE)
_OPENING = re.compile(rf'"{re.escape(SCHEMAS)}"\s*:\s*{{\s*')


class MergeError(ScaffoldError):
    """A person has to add to this text; says why."""


def add_lines(text: str, lines: Sequence[str]) -> str:
    """Return the text with those of the lines at its end that it does not hold."""
    there = {line.strip() for line in text.splitlines()}
    missing = [line for line in lines if line not in there]
    return _joined(text, "".join(f"{line}\n" for line in missing)) if missing else text


def add_hook(text: str, repo: Mapping[str, Any]) -> str:
    """Return the text of a `.pre-commit-config.yaml` with one more repo, unless it has a hook of that id.

    Raises:
        MergeError: it is no such file, or its list cannot be added to.
    """
    try:
        document = compose_yaml(text, "")
    except ConfigError as error:
        raise MergeError(f"is no YAML ({error.problems[0].message})") from None
    repos, node = _find_repos(document)
    if any(hook.get("id") == repo["hooks"][0]["id"] for hook in _hooks(repos)):
        return text
    if node.flow_style:
        raise MergeError(f"its '{REPOS}' stand in brackets")
    at = block_end(text, node.end_mark.index, node.start_mark.column)
    whole = _joined(text[:at], render_block([repo], node.start_mark.column)) + text[at:]
    if compose_yaml(whole, "").value != {**document.value, REPOS: [*repos, repo]}:
        raise MergeError(_UNSAFE)
    return whole


def add_schemas(text: str, schemas: Mapping[str, Sequence[str]]) -> str:
    """Return the text of VS Code's `settings.json` with the schemas that it does not name.

    Raises:
        MergeError: it holds comments, or is no such file.
    """
    try:
        settings = json.loads(text)
    except ValueError:
        raise MergeError("holds comments, or is no JSON") from None
    there = settings.get(SCHEMAS, {}) if isinstance(settings, dict) else None
    if not isinstance(there, dict):
        raise MergeError(f"is no mapping with '{SCHEMAS}'")
    missing = {name: list(files) for name, files in schemas.items() if name not in there}
    if not missing:
        return text
    whole = _insert_schemas(text, missing, settings)
    if json.loads(whole) != {**settings, SCHEMAS: {**there, **missing}}:
        raise MergeError(_UNSAFE)
    return whole


def check_include(text: str, path: str) -> str:
    """Return the text of a `.gitlab-ci.yml` that includes a file.

    Raises:
        MergeError: it does not; what it includes, and in which order, is its author's to say.
    """
    if path not in text:
        raise MergeError(f"does not include {path}")
    return text


def _find_repos(document: Document) -> tuple[list[Any], Any]:
    """Return the list of repos, and its node."""
    repos = document.value.get(REPOS) if isinstance(document.value, dict) else None
    if not isinstance(repos, list) or document.problems:
        raise MergeError(f"has no list '{REPOS}'")
    node: Any = document.node
    return repos, next(value for key, value in node.value if key.value == REPOS)


def _hooks(repos: Sequence[Any]) -> Iterator[Mapping[str, Any]]:
    for repo in repos:
        hooks = repo.get("hooks") if isinstance(repo, dict) else None
        yield from (hook for hook in hooks or () if isinstance(hook, dict))


def _insert_schemas(text: str, missing: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    found = _INDENT.search(text)
    step = found[1] if found else "    "
    newline = _newline(text)
    entries = f",{newline}".join(
        f"{step * 2}{json.dumps(name)}: {json.dumps(files)}" for name, files in missing.items()
    )
    if opening := _OPENING.search(text):
        head, rest = text[: opening.end()].rstrip(), text[opening.end() :]
        end = f",{newline}{step * 2}" if settings[SCHEMAS] else f"{newline}{step}"
        return f"{head}{newline}{entries}{end}{rest}"
    brace = text.rindex("}")
    head = text[:brace].rstrip() + ("," if settings else "")
    section = f"{step}{json.dumps(SCHEMAS)}: {{{newline}{entries}{newline}{step}}}"
    return f"{head}{newline}{section}{newline}{text[brace:]}"


def _joined(before: str, block: str) -> str:
    newline = _newline(before)
    gap = "" if not before or before.endswith("\n") else newline
    return before + gap + block.replace("\n", newline)


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
