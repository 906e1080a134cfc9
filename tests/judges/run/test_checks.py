"""The checks of a whole suite: in order, and every mistake in one at its place."""

from pathlib import Path

import pytest

from judges.check.context import CheckContext
from judges.core.errors import ConfigError
from judges.core.verdict import Verdict
from judges.files.load import load_suite
from judges.run.checks import build_checks, check_files

HEAD = (
    "prompt_name: greet\ncriteria: [{name: safety, weight: 1, rubric: 'Is it safe?'}]\ncases: []\nchecks:\n"
)


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for a suite, as the working directory."""
    folder = tmp_path / "project"
    (folder / ".omniscitus").mkdir(parents=True)
    monkeypatch.chdir(folder)
    return folder / "prompt-meta.yaml"


def write_suite(path: Path, *checks: str) -> None:
    path.write_text(
        HEAD + "".join(f"  - {{name: c{number}, {each}}}\n" for number, each in enumerate(checks))
    )


def test_checks_keep_their_order(write: Path) -> None:
    """Deterministic checks become functions in the suite's order; questions to the judge are left out."""
    (write.parent / "own.py").write_text("def short(output, input, json):\n    return len(output) < 3\n")
    write_suite(
        write,
        "type: deterministic, rule: output.length > 0",
        "type: llm_judge, prompt: Is it kind?, pass_condition: 'YES'",
        "type: deterministic, rule: 'python:own.py:short'",
    )
    rows = [check(CheckContext(output="long", input={})) for check in build_checks(load_suite(write))]
    assert [(row.id, row.verdict) for row in rows] == [
        ("checks.c0", Verdict.PASS),
        ("checks.c2", Verdict.FAIL),
    ]


def test_every_mistake_is_told_at_its_place(write: Path) -> None:
    """A rule, a pattern, a value or a function that cannot work is named with file, line and column."""
    (write.parent / "own.py").write_text("def short(output, input, json):\n    return True\n")
    write_suite(
        write,
        "type: deterministic, rule: 'output.length >'",
        "type: deterministic, rule: output.length > 0",
        "type: deterministic, strategy: regex, value: '(a'",
        "type: deterministic, rule: 'python:gone.py:f'",
        "type: deterministic, rule: 'python:own.py:long'",
        "type: deterministic, strategy: max_length, value: long",
    )
    with pytest.raises(ConfigError) as caught:
        build_checks(load_suite(write))
    assert [str(problem) for problem in caught.value.problems] == [
        "prompt-meta.yaml:5:43: checks[0].rule: check 'c0': is not a JavaScript expression: unexpected token "
        "in expression: ')' (write one expression, such as output.length > 0)",
        "prompt-meta.yaml:7:61: checks[2].value: check 'c2': is not a JavaScript regular expression: "
        "expecting ')'",
        "prompt-meta.yaml:8:43: checks[3].rule: check 'c3': gone.py does not exist (check the path)",
        "prompt-meta.yaml:9:43: checks[4].rule: check 'c4': own.py has no function 'long' (it has short)",
        "prompt-meta.yaml:10:66: checks[5].value: check 'c5': found 'long', expected a whole number from 0",
    ]


def test_files_of_python_checks(write: Path) -> None:
    """The author's own functions are found; rules of other kinds name no file."""
    write_suite(
        write,
        "type: deterministic, rule: 'output.startsWith(\"python:a.py:f\")'",
        "type: deterministic, strategy: contains, value: 'python:a.py:f'",
        "type: deterministic, rule: ' python:sub/own.py:f'",
        "type: deterministic, rule: 'python:own.py'",
    )
    assert [path.relative_to(write.parent).as_posix() for path in check_files(load_suite(write))] == [
        "sub/own.py"
    ]


def test_files_of_checks_stay_inside_the_project(write: Path) -> None:
    """A function from outside is refused, and taken when that is allowed."""
    (write.parent.parent / "outside.py").write_text("def f(output, input, json):\n    return True\n")
    write_suite(write, "type: deterministic, rule: 'python:../outside.py:f'")
    with pytest.raises(ConfigError, match="leaves the project root"):
        build_checks(load_suite(write))
    assert len(build_checks(load_suite(write, allow_outside=True))) == 1
