"""Deterministic checks as rows."""

from pathlib import Path
from typing import Any

import pytest

from judges.check.build import build_check
from judges.check.context import CheckContext
from judges.core.errors import ConfigError
from judges.core.row import Row
from judges.core.verdict import Verdict
from judges.files.prompt_meta import DeterministicCheck

ROWS: dict[str, tuple[dict[str, Any], str, Row]] = {
    "rule passes": (
        {"name": "output_not_empty", "rule": "output.length > 0"},
        "Hello",
        Row(
            id="checks.output_not_empty",
            kind="checks",
            verdict=Verdict.PASS,
            spec={"rule": "output.length > 0", "severity": "error"},
        ),
    ),
    "rule fails": (
        {"name": "output_not_empty", "rule": "output.length > 0"},
        "",
        Row(
            id="checks.output_not_empty",
            kind="checks",
            verdict=Verdict.FAIL,
            actual_excerpt="output_not_empty failed: output.length > 0; the output is empty",
            spec={"rule": "output.length > 0", "severity": "error"},
        ),
    ),
    "rule of several lines warns": (
        {"name": "short", "rule": "output.length <\n  3\n", "severity": "warn"},
        "a\nbc",
        Row(
            id="checks.short",
            kind="checks",
            verdict=Verdict.WARN,
            actual_excerpt='short failed: output.length < 3; the output (4 characters) is "a\\nbc"',
            spec={"rule": "output.length <\n  3\n", "severity": "warn"},
        ),
    ),
    "rule throws": (
        {"name": "priced", "rule": "json.price > 0", "severity": "warn"},
        "Hello",
        Row(
            id="checks.priced",
            kind="checks",
            verdict=Verdict.ERROR,
            error="priced could not be checked: the rule threw TypeError: cannot read property 'price' of "
            "undefined (the output is not JSON, so json is undefined)",
            spec={"rule": "json.price > 0", "severity": "warn"},
        ),
    ),
    "strategy fails": (
        {"name": "polite", "strategy": "contains", "value": ["Hi", "regards"]},
        "Hi Ann",
        Row(
            id="checks.polite",
            kind="checks",
            verdict=Verdict.FAIL,
            actual_excerpt='polite failed: expected to find "regards"; the output (6 characters) is "Hi Ann"',
            spec={"strategy": "contains", "value": ["Hi", "regards"], "severity": "error"},
        ),
    ),
    "strategy cannot tell": (
        {"name": "quick", "strategy": "max_latency_ms", "value": 2000},
        "Hello",
        Row(
            id="checks.quick",
            kind="checks",
            verdict=Verdict.ERROR,
            error="quick could not be checked: no latency was recorded for this output",
            spec={"strategy": "max_latency_ms", "value": 2000, "severity": "error"},
        ),
    ),
    "function fails": (
        {"name": "own", "rule": "python:checks.py:no_digits"},
        "7",
        Row(
            id="checks.own",
            kind="checks",
            verdict=Verdict.FAIL,
            actual_excerpt="own failed: digits: 7",
            spec={"rule": "python:checks.py:no_digits", "severity": "error"},
        ),
    ),
}

REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "rule": (
        {"rule": "output.length >"},
        "rule: check 'mine': is not a JavaScript expression: unexpected token in expression: ')' "
        "(write one expression, such as output.length > 0)",
    ),
    "function": (
        {"rule": "python:../checks.py:mine"},
        "rule: check 'mine': '../checks.py' leaves the project root {root} "
        "(move it inside, or pass --allow-outside)",
    ),
    "value": (
        {"strategy": "max_length", "value": "ten"},
        "value: check 'mine': found 'ten', expected a whole number from 0",
    ),
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project with a file of checks."""
    code = (
        "def no_digits(output, input, json):\n    return f'digits: {output}' if output.isdigit() else True\n"
    )
    (tmp_path / "checks.py").write_text(code)
    return tmp_path


@pytest.mark.parametrize(("spec", "output", "row"), ROWS.values(), ids=ROWS)
def test_a_check_gives_a_row(root: Path, spec: dict[str, Any], output: str, row: Row) -> None:
    """The row says what was asked, and in a sentence what was found."""
    check = build_check(DeterministicCheck(type="deterministic", **spec), root, root)
    assert check(CheckContext(output=output, input={})) == row


@pytest.mark.parametrize(("spec", "message"), REFUSED.values(), ids=REFUSED)
def test_a_check_that_cannot_work_is_refused(root: Path, spec: dict[str, Any], message: str) -> None:
    """The problem names the check, the key and what to do."""
    with pytest.raises(ConfigError) as caught:
        build_check(DeterministicCheck(name="mine", type="deterministic", **spec), root, root)
    assert str(caught.value) == message.format(root=root)
