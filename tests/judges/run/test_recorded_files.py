"""The files beside a suite that stand for all calls: where they are, and what they are bound to."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from judges.core.case import Case, Category, RunRecord, Trial
from judges.files.evaluation_meta import ModelSpec
from judges.files.template import Role
from judges.run.recorded import digest_program, digest_prompt, find_recording

CASE = Case(ref="a", title="A", category=Category.ELEMENT, input={"name": "Ann"})


class Greeting:
    """A prompt."""

    def __init__(self, text: str = "Greet") -> None:
        self.text = text

    def render(self, variables: Mapping[str, Any]) -> tuple[tuple[Role, str], ...]:
        return (("user", f"{self.text} {variables['name']}"),)


@pytest.mark.parametrize(
    ("suite", "files", "name"),
    [
        pytest.param("notes/prompt-meta.yaml", ("outputs.jsonl", "replay.jsonl"), "notes", id="prompt"),
        pytest.param("g/go.grid.yaml", ("go.outputs.jsonl", "go.replay.jsonl"), "go", id="grid"),
        pytest.param(
            "two words/prompt-meta.yaml", ("outputs.jsonl", "replay.jsonl"), "'two words'", id="quoted"
        ),
    ],
)
def test_where_the_files_are(suite: str, files: tuple[str, str], name: str) -> None:
    """Beside the suite; grids may share a folder."""
    path = Path(suite)
    found = find_recording(path)
    assert (found.outputs, found.answers) == (path.parent / files[0], path.parent / files[1])
    assert found.hint == f"to record it: scaffold run {name} --record-all"


@pytest.mark.parametrize(
    ("there", "outputs", "answers", "missing"),
    [
        pytest.param([], True, True, "no outputs.jsonl and no replay.jsonl", id="both"),
        pytest.param(["outputs.jsonl"], True, True, "no replay.jsonl", id="one"),
        pytest.param([], False, True, "no replay.jsonl", id="the one that is needed"),
        pytest.param(["outputs.jsonl", "replay.jsonl"], True, True, None, id="none"),
        pytest.param([], False, False, None, id="none is needed"),
    ],
)
def test_what_is_missing(
    tmp_path: Path, there: list[str], outputs: bool, answers: bool, missing: str | None
) -> None:
    """Only the files that a suite needs, with the command that writes them."""
    for name in there:
        (tmp_path / name).touch()
    found = find_recording(tmp_path / "prompt-meta.yaml")
    why = f"not recorded: there is {missing}; {found.hint}"
    assert found.why_idle(outputs=outputs, answers=answers) == (missing and why)


def test_an_output_is_bound_to_what_it_was_made_from(tmp_path: Path) -> None:
    """That of a trial with the same digest is taken, with what making it took; any other is told of."""
    line = {"ref": "a", "output": "Hi", "made_sha256": "f0", "latency_ms": 5, "cost_usd": 0.5}
    (tmp_path / "outputs.jsonl").write_text(json.dumps(line) + "\n")
    found = find_recording(tmp_path / "prompt-meta.yaml")
    outputs = found.read_outputs()
    record = outputs.find(Trial(CASE), "f0")
    assert (record.output, record.latency_ms, record.usage.calls) == ("Hi", 5.0, 0)
    assert str(record.cost_usd) == "0.5"
    changed = "no recorded output: what it is made from has changed since it was recorded"
    assert outputs.find(Trial(CASE), "f1") == RunRecord(
        output=None, source="recorded", error=f"{changed}; {found.hint}"
    )
    none = RunRecord(output=None, source="recorded", error=f"no recorded output; {found.hint}")
    assert outputs.find(Trial(CASE, replica=2), "f0") == none


@pytest.mark.parametrize(
    ("text", "model", "name", "same"),
    [
        pytest.param("Greet", {}, "Ann", True, id="nothing"),
        pytest.param("Greet", {"name": "other:model"}, "Ann", True, id="the name, which stands beside it"),
        pytest.param("Meet", {}, "Ann", False, id="the prompt"),
        pytest.param("Greet", {}, "Bob", False, id="the input"),
        pytest.param("Greet", {"temperature": 1}, "Ann", False, id="the temperature"),
        pytest.param("Greet", {"max_tokens": 9}, "Ann", False, id="the limit"),
        pytest.param("Greet", {"system": "Be kind."}, "Ann", False, id="the system message"),
    ],
)
def test_what_an_output_is_made_from(text: str, model: dict[str, Any], name: str, *, same: bool) -> None:
    """All that the model is sent changes the digest, and nothing else does."""
    known = digest_prompt(Greeting(), ModelSpec(name="a:b"), {"name": "Ann"})
    spec = ModelSpec(**{"name": "a:b", **model})
    assert (digest_prompt(Greeting(text), spec, {"name": name}) == known) is same


def test_what_a_program_makes_an_output_from(tmp_path: Path) -> None:
    """Its text and the input, in whatever order its keys stand."""
    program = tmp_path / "run.py"
    program.write_text("1")
    known = digest_program(program, {"a": 1, "b": [2]})
    assert digest_program(program, {"b": [2], "a": 1}) == known
    assert digest_program(program, {"a": 1, "b": [3]}) != known
    program.write_text("2")
    assert digest_program(program, {"a": 1, "b": [2]}) != known
