"""Checks that are Python functions."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from judges.check.context import Assertion, CheckContext
from judges.check.python import load_check
from judges.core.errors import ConfigError, RunError

CODE = """
from __future__ import annotations
import json as library
from dataclasses import dataclass

@dataclass
class Limit:
    most: int

def short(output, input, json):
    return len(output) <= Limit(input["most"]).most

def message(output, input, json):
    return "too long:\\n  by far"

def parsed(output, input, json):
    return json == {"a": [1, None]}

def not_json(output, input, json):
    return json is None

def greedy(output, input, json):
    input["list"].clear()
    return True

def nothing(output, input, json): pass
def blank(output, input, json): return " "
def number(output, input, json): return 1
def raises(output, input, json): return library.loads("{")
def leaves(output, input, json): raise SystemExit
def two(output, input): return True
def more(output, input, json, extra=1): return True
value = 3
"""

Load: TypeAlias = Callable[[str], Assertion]

RESULTS: dict[str, tuple[str, str, dict[str, Any], str | None]] = {
    "true": ("short", "Hello", {"most": 5}, None),
    "false": (
        "short",
        "Hello",
        {"most": 4},
        'python:own.py:short returned False; the output (5 characters) is "Hello"',
    ),
    "message": ("message", "", {}, "too long: by far"),
    "json": ("parsed", '{"a": [1, null]}', {}, None),
    "not json": ("not_json", "Hello", {}, None),
    "defaults": ("more", "", {}, None),
}

FAULTS = {
    "nothing": "python:own.py:nothing must return True, False or a message; it returned None",
    "blank": "python:own.py:blank must return True, False or a message; it returned an empty message",
    "number": "python:own.py:number must return True, False or a message; it returned a value of type int",
    "raises": "raises raised JSONDecodeError: Expecting property name enclosed in double quotes: "
    "line 1 column 2 (char 1)",
    "leaves": "leaves raised SystemExit",
}

REFUSED = {
    "shape": ("python:own.py", "found 'python:own.py', expected python:FILE:function", None),
    "no name": ("python:own.py:a b", "found 'python:own.py:a b', expected python:FILE:function", None),
    "outside": (
        "python:../own.py:short",
        "'../own.py' leaves the project root {root}",
        "move it inside, or pass --allow-outside",
    ),
    "absolute": (
        "python:/etc/passwd:short",
        "'/etc/passwd' leaves the project root {root}",
        "move it inside, or pass --allow-outside",
    ),
    "missing": ("python:none.py:short", "none.py does not exist", "check the path"),
    "folder": ("python:.:short", ". does not exist", "check the path"),
    "wrong code": (
        "python:broken.py:short",
        "broken.py cannot be run: SyntaxError: '(' was never closed (broken.py, line 1)",
        None,
    ),
    "failing code": (
        "python:failing.py:short",
        "failing.py cannot be run: ZeroDivisionError: division by zero",
        None,
    ),
    "leaving code": ("python:leaving.py:short", "leaving.py cannot be run: SystemExit: 3", None),
    "unknown function": ("python:few.py:shrt", "few.py has no function 'shrt'", "it has short, long"),
    "no function": (
        "python:none_at_all.py:short",
        "none_at_all.py has no function 'short'",
        "it has no function at all",
    ),
    "value": ("python:own.py:value", "own.py has no function 'value'", None),
    "two arguments": (
        "python:own.py:two",
        "'two' does not take output, input, json",
        "write def two(output, input, json)",
    ),
}


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with files that hold checks, which is the working directory."""
    files = {
        "own.py": CODE,
        "broken.py": "def short(",
        "failing.py": "1 / 0",
        "leaving.py": "raise SystemExit(3)",
        "few.py": "def short(output, input, json): ...\ndef long(output, input, json): ...\n",
        "none_at_all.py": "",
    }
    folder = tmp_path / "project"
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text)
    (tmp_path / "own.py").write_text(CODE)
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize(("name", "output", "variables", "sentence"), RESULTS.values(), ids=RESULTS)
def test_a_function_decides(
    root: Path, name: str, output: str, variables: dict[str, Any], sentence: str | None
) -> None:
    """True passes, False fails, a message fails in its own words."""
    check = load_check(f"python:own.py:{name}", root, root)
    assert check(CheckContext(output=output, input=variables)) == sentence


@pytest.mark.parametrize(("name", "message"), FAULTS.items(), ids=FAULTS)
def test_a_function_that_cannot_tell_is_an_error(root: Path, name: str, message: str) -> None:
    """An exception, and a result that is neither, is no verdict."""
    check = load_check(f"python:own.py:{name}", root, root)
    with pytest.raises(RunError) as caught:
        check(CheckContext(output="Hello", input={}))
    assert str(caught.value) == message


@pytest.mark.parametrize(("rule", "message", "hint"), REFUSED.values(), ids=REFUSED)
def test_a_function_that_is_not_there_is_refused(
    root: Path, rule: str, message: str, hint: str | None
) -> None:
    """Whatever is wrong with the file or the function is found when it is read."""
    with pytest.raises(ConfigError) as caught:
        load_check(rule, root, root)
    (problem,) = caught.value.problems
    assert problem.message == message.format(root=root)
    assert hint is None or problem.hint == hint


def test_a_file_outside_can_be_allowed(root: Path) -> None:
    """Leaving the project root is possible where the caller allows it."""
    check = load_check("python:../own.py:not_json", root, root, allow_outside=True)
    assert check(CheckContext(output="Hello", input={})) is None


def test_a_function_cannot_change_the_case(root: Path) -> None:
    """The function gets a copy of the input."""
    variables = {"list": [1, 2]}
    check = load_check("python:own.py:greedy", root, root)
    assert check(CheckContext(output="", input=variables)) is None
    assert variables == {"list": [1, 2]}


def test_nothing_is_left_beside_the_file(root: Path) -> None:
    """Loading a check writes no cache folder into the author's tree."""
    load_check("python:own.py:short", root, root)
    assert not (root / "__pycache__").exists()
