"""Rated outputs, found by their digests."""

import json
from pathlib import Path

import pytest

from judges.core.case import Case, Category, digest
from judges.run.rated import find_outputs


def case(ref: str, output: str | None = None) -> Case:
    return Case(ref=ref, title=ref, category=Category.ELEMENT, input={}, output=output)


def write_run(folder: Path, *lines: str) -> Path:
    (folder / "greeting").mkdir(parents=True)
    (folder / "greeting/records.jsonl").write_text("".join(line + "\n" for line in lines))
    return folder


def record(ref: str, output: str, **more: object) -> str:
    told = {"ref": ref, "output": output, "output_sha256": digest(output), **more}
    return json.dumps(told, separators=(",", ":"))


def want(*outputs: tuple[str, str]) -> dict[tuple[str, str], str]:
    return {(ref, digest(text)): text for ref, text in outputs}


def test_everywhere(tmp_path: Path) -> None:
    """Outputs are found in the cases, in those given, and in the records of runs."""
    older = write_run(tmp_path / "1", record("a", "first"), record("b", "second"))
    newer = write_run(tmp_path / "2", record("a", "third"))
    wanted = want(("a", "own"), ("b", "given"), ("a", "first"), ("b", "second"), ("a", "third"))
    found = find_outputs(wanted, [case("a", "own"), case("b")], {"b": "given"}, [newer, older])
    assert found == wanted


def test_only_what_is_wanted(tmp_path: Path) -> None:
    """An output is that of its case: the same text of another case is not meant."""
    run = write_run(tmp_path / "1", record("a", "text"), record("b", "other"))
    assert find_outputs(want(("b", "text"), ("c", "own")), [case("a", "own")], {}, [run]) == {}


def test_arms(tmp_path: Path) -> None:
    """A comparison's record holds the outputs of both arms."""
    arms = {name: {"output": name, "output_sha256": digest(name)} for name in ("one", "two")}
    run = write_run(tmp_path / "1", record("a", "two", arms=arms))
    assert find_outputs(want(("a", "one")), [case("a")], {}, [run]) == want(("a", "one"))


def test_runs_are_read_only_as_far_as_needed(tmp_path: Path) -> None:
    """When all is found no further run is looked at."""
    run = write_run(tmp_path / "1", record("a", "text"))

    def runs() -> object:
        yield run
        raise AssertionError("read on")

    assert find_outputs(want(("a", "text")), [case("a")], {}, runs()) == want(("a", "text"))


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(record("a", "text")[:-5], id="cut"),
        pytest.param(record("a", "forged").replace(digest("forged"), digest("text")), id="another text"),
        pytest.param(json.dumps([f'"output_sha256":"{digest("text")}"']), id="no record"),
        pytest.param(
            record("a", "x", note=1).replace('"x"', "null").replace(digest("x"), digest("text")), id="null"
        ),
    ],
)
def test_what_is_no_record(tmp_path: Path, line: str) -> None:
    """A line that is damaged, or whose text is another one, holds nothing; the others count."""
    run = write_run(tmp_path / "1", line)
    assert find_outputs(want(("a", "text")), [case("a")], {}, [run]) == {}
    whole = write_run(tmp_path / "2", line, record("a", "text"))
    assert find_outputs(want(("a", "text")), [case("a")], {}, [whole]) == want(("a", "text"))
