"""What is added to files that people wrote."""

import json
from difflib import ndiff

import pytest
import yaml

from scaffold.init.merge import MergeError, add_hook, add_lines, add_schemas, check_include
from scaffold.init.wanted import REQUIREMENT, build_hooks

HOOK = build_hooks(REQUIREMENT)

RUFF = "- repo: https://example.com/ruff\n  rev: v1\n  hooks: [{id: ruff}]\n"
SCHEMAS = {"./a.json": ["**/a.yaml"], "./b.json": ["b.yaml"]}


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("", "runs/\ncache/\n"),
        ("# mine\n*.log", "# mine\n*.log\nruns/\ncache/\n"),
        ("cache/\r\n", "cache/\r\nruns/\r\n"),
        ("runs/\nother\ncache/", "runs/\nother\ncache/"),
    ],
    ids=["empty", "no end of line", "one, with CRLF", "both"],
)
def test_ignored_lines(text: str, whole: str) -> None:
    """Only what is missing comes to the end, with the file's own line ends."""
    assert add_lines(text, ["runs/", "cache/"]) == whole


@pytest.mark.parametrize(
    "text",
    [
        f"# ours\nrepos:\n{RUFF}",
        f"repos:\n{RUFF}# the end\n",
        f"repos:\n{RUFF}\nci: {{skip: [ruff]}}\n",
        "repos:\n    - repo: meta\n      hooks: [{id: identity}]",
        f"default_stages: [pre-commit]\r\nrepos:\r\n{RUFF}".replace("\r", "").replace("\n", "\r\n"),
    ],
    ids=["flush", "comment below", "key below", "deeper, no end of line", "CRLF"],
)
def test_a_hook_is_added(text: str) -> None:
    """The list has one more repo at its end, and every line of before is still there, in order."""
    whole = add_hook(text, HOOK)
    before, after = yaml.safe_load(text), yaml.safe_load(whole)
    assert after == {**before, "repos": [*before["repos"], HOOK]}
    assert [line for line in ndiff(text.splitlines(), whole.splitlines()) if line.startswith("-")] == []
    assert whole.count("\r\n") in (0, whole.count("\n"))
    assert add_hook(whole, HOOK) == whole


def test_a_hook_that_is_there_stays() -> None:
    """Its id tells, wherever it comes from."""
    text = "repos: [{repo: https://example.com/x, rev: v2, hooks: [{id: scaffold-validate}]}]\n"
    assert add_hook(text, HOOK) == text


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("repos: [", "is no YAML"),
        ("- repos\n", "has no list 'repos'"),
        ("repos: {}\n", "has no list 'repos'"),
        ("a: [1]\n", "has no list 'repos'"),
        ("repos: []\n", "stand in brackets"),
        ("repos: [{repo: meta, hooks: [{id: identity}]}]\n", "stand in brackets"),
    ],
    ids=str,
)
def test_hooks_for_a_person_to_add(text: str, why: str) -> None:
    """What cannot be added to safely is refused with the reason."""
    with pytest.raises(MergeError, match=why.replace("[", r"\[")):
        add_hook(text, HOOK)


SETTINGS = {
    "empty": "{}",
    "other keys": '{\n  "editor.rulers": [80, 110],\n  "a": {"b": {}}\n}\n',
    "tabs": '{\n\t"a": 1\n}\n',
    "one line": '{"a": "}"}',
    "empty section": '{\n    "yaml.schemas": {},\n    "z": 1\n}',
    "a section": '{\n    "yaml.schemas": {\n        "./mine.json": "*.yml"\n    }\n}\n',
    "one is there": '{"yaml.schemas": {"./a.json": "mine.yaml"}}',
    "CRLF": '{\r\n    "a": 1\r\n}\r\n',
}


@pytest.mark.parametrize("text", SETTINGS.values(), ids=SETTINGS)
def test_schemas_are_added(text: str) -> None:
    """All keys of before keep their values, and a second time adds nothing."""
    whole = add_schemas(text, SCHEMAS)
    before, after = json.loads(text), json.loads(whole)
    assert after == {**before, "yaml.schemas": {**SCHEMAS, **before.get("yaml.schemas", {})}}
    assert whole.count("\r\n") in (0, whole.count("\n"))
    assert add_schemas(whole, SCHEMAS) == whole


def test_the_way_settings_are_written_stays() -> None:
    """Only the new lines are new, indented as the others."""
    assert add_schemas('{\n  "rulers": [80, 110]\n}\n', {"./a.json": ["a.yaml"]}) == (
        '{\n  "rulers": [80, 110],\n  "yaml.schemas": {\n    "./a.json": ["a.yaml"]\n  }\n}\n'
    )
    assert add_schemas('{\n  "yaml.schemas": {\n    "./x": "y"\n  }\n}', {"./a.json": ["a.yaml"]}) == (
        '{\n  "yaml.schemas": {\n    "./a.json": ["a.yaml"],\n    "./x": "y"\n  }\n}'
    )


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{\n  // mine\n  "a": 1\n}', "holds comments, or is no JSON"),
        ('{"a": 1,}', "holds comments, or is no JSON"),
        ("", "holds comments, or is no JSON"),
        ("[]", "is no mapping"),
        ('{"yaml.schemas": ["x"]}', "is no mapping"),
        ('{"a": {"yaml.schemas": {}}, "yaml.schemas": {}}', "without changing something else"),
    ],
    ids=str,
)
def test_settings_for_a_person_to_change(text: str, why: str) -> None:
    """Comments, and whatever else cannot be kept, are left to their author."""
    with pytest.raises(MergeError, match=why):
        add_schemas(text, SCHEMAS)


def test_an_include_is_looked_for() -> None:
    """A pipeline that names the jobs' file is complete, another is for its author."""
    text = "include:\n  - local: /.gitlab/prompt-tests.yml\n"
    assert check_include(text, ".gitlab/prompt-tests.yml") == text
    with pytest.raises(MergeError, match=r"does not include \.gitlab/prompt-tests\.yml"):
        check_include("stages: [test]\n", ".gitlab/prompt-tests.yml")
