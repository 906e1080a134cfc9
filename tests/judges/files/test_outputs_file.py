"""Recorded outputs for `run --outputs`."""

from pathlib import Path

import pytest

from judges.core.errors import ConfigError
from judges.files.outputs import read_outputs


def test_outputs_are_found_by_ref(tmp_path: Path) -> None:
    """Each ref has its output, whatever newlines and characters it holds, in any order and more than once."""
    path = tmp_path / "o.jsonl"
    path.write_text('{"ref": "a", "output": "A\\n"}\r\n\n{"ref": "b/ü", "output": "ß"}\n', encoding="utf-8")
    outputs = read_outputs(path)
    assert [outputs["b/ü"], outputs["a"], outputs["b/ü"]] == ["ß", "A\n", "ß"]
    assert (list(outputs), len(outputs), outputs.get("c")) == (["a", "b/ü"], 2, None)


def test_bad_lines_are_explained_all_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A ref that is given twice, a missing output and a wrong type are told together."""
    monkeypatch.chdir(tmp_path)
    Path("o.jsonl").write_text(
        '{"ref": "a", "output": "A"}\n{"ref": "a", "output": "B"}\n'
        '{"ref": "c"}\n{"ref": "d", "output": 1}\n{}\n'
    )
    with pytest.raises(ConfigError) as caught:
        read_outputs(Path("o.jsonl"))
    assert [str(problem) for problem in caught.value.problems] == [
        "o.jsonl:2:1: ref: 'a' is given twice, first in line 1",
        "o.jsonl:3:1: output: the key is missing",
        "o.jsonl:4:1: output: expected a text, found 1 (put it in quotes)",
        "o.jsonl:5:1: ref: the key is missing",
        "o.jsonl:5:1: output: the key is missing",
    ]


def test_a_missing_file_is_explained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sentence names the file."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError, match=r"^o\.jsonl: does not exist \(check the path\)$"):
        read_outputs(Path("o.jsonl"))
