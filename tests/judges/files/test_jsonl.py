"""JSON lines: streamed, and each bad line explained."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.core.errors import ConfigError
from judges.files.jsonl import parse_json, read_lines, read_records


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": ', "f.jsonl:7:7: not valid JSON: Expecting value"),
        ('{"a": 1}}', "f.jsonl:7:9: not valid JSON: Extra data"),
        ('{"a": NaN}', "f.jsonl:7:1: not valid JSON: NaN is not a JSON number"),
        ('{"a": 1, "a": 2}', "f.jsonl:7:1: not valid JSON: the key 'a' is given twice"),
        ("[" * 100_000, "f.jsonl:7:1: is nested too deep"),
        ("9" * 5000, "f.jsonl:7:1: not valid JSON: a number with 5000 digits is too long"),
    ],
    ids=["cut", "more", "nan", "twice", "deep", "digits"],
)
def test_bad_json_is_explained(text: str, message: str) -> None:
    """Each kind of bad JSON gives one sentence with the line in the file."""
    with pytest.raises(ConfigError) as caught:
        parse_json(text, "f.jsonl", 7)
    assert str(caught.value) == message


def test_lines_have_numbers_and_offsets(tmp_path: Path) -> None:
    """Blank lines are passed over but counted, and reading can start at any line."""
    path = tmp_path / "f.jsonl"
    path.write_bytes("\ufeffé\r\n\n  b  \nc".encode())
    lines = list(read_lines(path))
    assert [(line.number, line.offset, line.text) for line in lines] == [
        (1, 0, "é"),
        (3, 8, "b"),
        (4, 14, "c"),
    ]
    assert next(read_lines(path, lines[1].offset)).text == "b"


def test_a_line_that_is_too_long_is_refused(tmp_path: Path) -> None:
    """A file may have any size, a line may not."""
    path = tmp_path / "f.jsonl"
    path.write_text("{}\n" + "x" * 10_000_001)
    with pytest.raises(ConfigError, match=r"f\.jsonl:2: the line is longer than 10 MB$"):
        list(read_lines(path))


def test_the_problems_of_all_lines_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bad line does not hide the next; more than a hundred kinds of mistakes are counted."""
    monkeypatch.chdir(tmp_path)
    lines = "".join(f'{{"{key}": 1, "{key}": 2}}\n' for key in range(150))
    Path("f.jsonl").write_text(f"1\n{{\n2\n{lines}")
    with pytest.raises(ConfigError) as caught:
        read_records(Path("f.jsonl"), lambda document: document.value)
    problems = [str(problem) for problem in caught.value.problems]
    assert problems[0].startswith("f.jsonl:2:2: not valid JSON: ")
    assert (len(problems), problems[-1]) == (101, "further problems, not shown: 51")


@given(st.text())
def test_any_text_is_json_or_refused(text: str) -> None:
    """Whatever the text, there is a document or a ConfigError."""
    try:
        value: Any = parse_json(text, "f").value
        assert value is None or isinstance(value, bool | int | float | str | list | dict)
    except ConfigError as error:
        assert len(error.problems) == 1
