"""Recorded judgements in `replay.jsonl`."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.core.errors import ConfigError
from judges.core.replay import ReplayEntry
from judges.files.replay import read_replay, render_replay_entry

BAD = """\
{"ref": "a", "question": "q", "answer": 3.5}
{"ref": "a", "question": "q", "answer": null}
{"ref": "", "question": "q", "answer": "A", "replica": 0}
{"ref": "a", "question": "q", "answer": 1, "sourc": "me"}
{"ref": "a"
["a"]
"""


def test_entries_are_read_in_order(tmp_path: Path) -> None:
    """Every field is read; those left out have their defaults; `x-…` keys are free."""
    path = tmp_path / "replay.jsonl"
    path.write_text(
        '{"ref": "a", "question": "criteria.tone", "answer": 4, "arm": "b", "replica": 2,'
        ' "output_sha256": "f0", "reasoning": "r", "quotes": ["q"], "source": "me", "panel": "me, you"}\n\n'
        '{"ref": "a", "question": "declines", "answer": true, "x-note": 1}\n'
    )
    assert read_replay(path) == (
        ReplayEntry(
            ref="a",
            question="criteria.tone",
            answer=4,
            arm="b",
            replica=2,
            output_sha256="f0",
            reasoning="r",
            quotes=("q",),
            source="me",
            panel="me, you",
        ),
        ReplayEntry(ref="a", question="declines", answer=True),
    )


def test_bad_lines_are_explained_all_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each bad line gives its own sentences."""
    monkeypatch.chdir(tmp_path)
    Path("replay.jsonl").write_text(BAD)
    with pytest.raises(ConfigError) as caught:
        read_replay(Path("replay.jsonl"))
    expected = "expected a level (a whole number), true, false or a choice"
    assert [str(problem).removeprefix("replay.jsonl:") for problem in caught.value.problems] == [
        f"1:1: answer: {expected}, found 3.5",
        f"2:1: answer: {expected}, found nothing (give it a value, or remove the key)",
        "3:1: ref: must not be empty",
        "3:1: replica: must be at least 1, found 0",
        "4:1: sourc: unknown key (did you mean 'source'?)",
        "5:12: not valid JSON: Expecting ',' delimiter",
        "6:1: expected a mapping, found a list",
    ]


texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)


@given(
    st.builds(
        ReplayEntry,
        ref=texts,
        question=texts,
        answer=st.integers(1, 100) | st.booleans() | texts,
        arm=st.none() | texts,
        replica=st.integers(1, 9),
        output_sha256=st.none() | texts,
        asked_sha256=st.none() | texts,
        probabilities=st.none() | st.dictionaries(texts, st.floats(0, 1), min_size=1, max_size=2),
        confidence=st.none() | st.floats(0, 1),
        reasoning=st.none() | texts,
        quotes=st.lists(texts, max_size=2).map(tuple),
        source=st.none() | texts,
    )
)
def test_a_rendered_entry_is_read_back(tmp_path_factory: pytest.TempPathFactory, entry: ReplayEntry) -> None:
    """What is written is read as it was, types included, and takes one line."""
    path = tmp_path_factory.getbasetemp() / "rendered.jsonl"
    line = render_replay_entry(entry)
    path.write_text(line + "\n", encoding="utf-8", newline="")
    (read,) = read_replay(path)
    assert (read, type(read.answer)) == (entry, type(entry.answer))


def test_only_what_is_known_is_written() -> None:
    """Fields without a value are left out."""
    entry = ReplayEntry(ref="a", question="q", answer=False)
    assert render_replay_entry(entry) == '{"ref": "a", "question": "q", "answer": false, "replica": 1}'
