"""Recorded outputs for `run --outputs` and `run --recorded`."""

from pathlib import Path

import pytest

from judges.core.errors import ConfigError
from judges.files.outputs import OutputLine, RecordedOutputs, read_outputs, render_output


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
        "o.jsonl:3:1: output: the key is missing; the same in 1 more line: 5",
        "o.jsonl:4:1: output: expected a text, found 1 (put it in quotes)",
        "o.jsonl:5:1: ref: the key is missing",
    ]


def test_a_missing_file_is_explained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sentence names the file."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError, match=r"^o\.jsonl: does not exist \(check the path\)$"):
        read_outputs(Path("o.jsonl"))


LINES = [
    OutputLine(ref="a", output="A\n\ud800"),
    OutputLine(ref="a", output="A of x", model="x", made_sha256="f0", latency_ms=1.5, cost_usd=0.25),
    OutputLine(ref="a", output="B of x", arm="b", model="x"),
    OutputLine(ref="a", output="A of y", model="y", replica=2),
]


@pytest.mark.parametrize(
    ("trial", "expected"),
    [
        pytest.param(("a", None, "x", 1), LINES[1], id="of the model"),
        pytest.param(("a", None, "z", 1), LINES[0], id="whatever the model"),
        pytest.param(("a", "b", "x", 1), LINES[2], id="of the arm"),
        pytest.param(("a", None, "y", 2), LINES[3], id="of the repeat"),
        pytest.param(("a", "b", "y", 1), None, id="of no model"),
        pytest.param(("b", None, None, 1), None, id="of no case"),
    ],
)
def test_recorded_outputs_are_found_by_trial(
    tmp_path: Path, trial: tuple[str, str | None, str | None, int], expected: OutputLine | None
) -> None:
    """What was written is read as it was: that of exactly the trial, or else of any model."""
    path = tmp_path / "o.jsonl"
    path.write_text("".join(f"{render_output(line)}\n" for line in LINES), encoding="utf-8")
    outputs = RecordedOutputs(path)
    assert (outputs.find(*trial), outputs.models) == (expected, ("x", "y"))


def test_nothing_recorded_is_no_mistake(tmp_path: Path) -> None:
    """Without a file there is no output; one that is given twice is a mistake."""
    assert RecordedOutputs(tmp_path / "o.jsonl").find("a", None, None, 1) is None
    path = tmp_path / "twice.jsonl"
    path.write_text(f"{render_output(LINES[2])}\n" * 2, encoding="utf-8")
    with pytest.raises(ConfigError, match="'a' is given twice, first in line 1"):
        RecordedOutputs(path)
