"""Files of JSON lines that are taken for one another."""

from collections.abc import Callable
from pathlib import Path

import pytest

from judges.core.errors import ConfigError
from judges.files.outputs import read_outputs
from judges.files.ratings import read_ratings
from judges.files.replay import read_replay

ANSWER = '{"ref": "a", "question": "criteria.tone", "answer": 4, "source": "me"}'
OUTPUT = '{"ref": "a", "output": "A", "model": "m"}'
RATING = '{"ref": "a", "criterion": "tone", "level": 4, "author": "me"}'
OTHERS = [
    pytest.param(
        read_ratings,
        ANSWER,
        "recorded answers, not ratings",
        "name the file replay.jsonl",
        id="answers as ratings",
    ),
    pytest.param(
        read_ratings,
        OUTPUT,
        "recorded outputs, not ratings",
        "name the file outputs.jsonl, or give it with --outputs",
        id="outputs as ratings",
    ),
    pytest.param(
        read_replay,
        RATING,
        "ratings, not recorded answers",
        "name the file ratings.jsonl",
        id="ratings as answers",
    ),
    pytest.param(
        read_outputs,
        ANSWER,
        "recorded answers, not recorded outputs",
        "name the file replay.jsonl",
        id="answers as outputs",
    ),
]


@pytest.mark.parametrize(("read", "line", "kinds", "hint"), OTHERS)
def test_another_file_is_known_by_its_lines(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    read: Callable[[Path], object],
    line: str,
    kinds: str,
    hint: str,
) -> None:
    """One sentence says what the file holds and what to call it, however many lines it has."""
    monkeypatch.chdir(tmp_path)
    Path("f.jsonl").write_text(f"{line}\n" * 60)
    with pytest.raises(ConfigError) as caught:
        read(Path("f.jsonl"))
    same = "the same in 59 more lines: 2, 3, 4, 5, 6, …"
    assert str(caught.value) == f"f.jsonl:1:1: these are {kinds}; {same} ({hint})"


READERS = {
    "answers": (read_replay, "answr", '{"ref": "a", "question": "q", "answer": 1, "answr": 2}'),
    "outputs": (read_outputs, "outptu", '{"ref": "a@", "output": "A", "outptu": 2}'),
}


@pytest.mark.parametrize(("read", "key", "line"), READERS.values(), ids=READERS.keys())
def test_one_slip_in_every_line_is_one_problem(
    tmp_path: Path, read: Callable[[Path], object], key: str, line: str
) -> None:
    """A key that is misspelled two hundred times does not hide the mistake in the last line."""
    path = tmp_path / "f.jsonl"
    lines = [line.replace("@", str(number)) for number in range(200)]
    path.write_text("\n".join(lines) + "\n[]\n")
    with pytest.raises(ConfigError) as caught:
        read(path)
    first, last = caught.value.problems
    assert (first.key, first.line, "; the same in 199 more lines: 2, 3" in first.message) == (key, 1, True)
    assert (last.line, last.message) == (201, "expected a mapping, found a list")
