"""`scaffold schema`."""

import json
from pathlib import Path

import pytest

from judges.files.json_schema import SCHEMAS
from scaffold.__main__ import run
from scaffold.cli.schema import FORMATS

FILES = Path(__file__).parents[2] / "schemas"


def test_the_formats_are_those_of_the_engine() -> None:
    """The names in the help text, which loads no engine, are all there are, in the same order."""
    assert list(FORMATS) == list(SCHEMAS)


@pytest.mark.parametrize("name", FORMATS)
def test_what_is_printed_is_what_the_repository_holds(capsys: pytest.CaptureFixture[str], name: str) -> None:
    """`schemas/` has the text of the command, byte for byte."""
    assert run(["schema", name]) == 0
    assert capsys.readouterr().out == (FILES / f"{name}.schema.json").read_text(encoding="utf-8")


def test_no_other_file_is_among_them() -> None:
    """A schema that was given up is gone."""
    assert {path.name for path in FILES.iterdir()} == {f"{name}.schema.json" for name in FORMATS}


def test_without_a_name_it_is_that_of_a_suite(capsys: pytest.CaptureFixture[str]) -> None:
    """The format that most people write."""
    assert run(["schema"]) == 0
    assert json.loads(capsys.readouterr().out)["title"] == "prompt-meta.yaml"


def test_the_help_text_names_the_one_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    """The report is nothing that anybody edits, so it is not looked for among formats of files."""
    assert run(["schema", "--help"]) == 0
    assert "That of report is for programs: it describes what --json writes." in capsys.readouterr().out


def test_the_formats_can_be_listed(capsys: pytest.CaptureFixture[str]) -> None:
    """One a line, with what it is of."""
    assert run(["schema", "--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(FORMATS)
    assert lines[8] == "grid            a *.grid.yaml"
