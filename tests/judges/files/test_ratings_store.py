"""Adding a person's rating to `ratings.jsonl`, and taking it back."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.core.errors import ConfigError
from judges.core.rating import Rating
from judges.files.ratings import read_ratings, render_rating
from judges.files.ratings_store import append_rating, remove_rating

RATING = Rating(
    ref="a",
    criterion="tone",
    level=4,
    output_sha256="f0",
    rubric_sha256="e1",
    author="jane@example.com",
    timestamp=datetime(2026, 2, 18, 11, 1, 29, tzinfo=UTC),
    blind=True,
)
LINE = render_rating(RATING)
OTHER = replace(RATING, ref="b")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(None, f"{LINE}\n", id="no file"),
        pytest.param("", f"{LINE}\n", id="an empty file"),
        pytest.param("\n", f"\n{LINE}\n", id="a blank line"),
        pytest.param(render_rating(OTHER), f"{render_rating(OTHER)}\n{LINE}\n", id="no line end"),
        pytest.param(f"{LINE}\r\n", f"{LINE}\r\n{LINE}\n", id="CRLF"),
    ],
)
def test_where_a_rating_goes(tmp_path: Path, before: str | None, after: str) -> None:
    """It is a further line; what stands before it is as it was."""
    path = tmp_path / "ratings.jsonl"
    if before is not None:
        path.write_bytes(before.encode())
    append_rating(path, RATING)
    assert path.read_bytes().decode() == after
    assert [each.name for each in tmp_path.iterdir()] == ["ratings.jsonl"]


def test_a_wrong_file_is_refused(tmp_path: Path) -> None:
    """Nothing is added to a file that nobody can read."""
    path = tmp_path / "ratings.jsonl"
    path.write_text("{")
    with pytest.raises(ConfigError, match="not valid JSON"):
        append_rating(path, RATING)
    assert path.read_text() == "{"


def test_taking_back(tmp_path: Path) -> None:
    """The last line with the very rating goes, and no other; what is not there cannot go."""
    path = tmp_path / "ratings.jsonl"
    path.write_bytes(f"{LINE}\r\n\n{LINE}\n{render_rating(OTHER)}".encode())
    assert remove_rating(path, RATING)
    assert path.read_bytes() == f"{LINE}\r\n\n{render_rating(OTHER)}".encode()
    assert remove_rating(path, RATING)
    assert not remove_rating(path, RATING)
    assert read_ratings(path) == (OTHER,)


def test_several_at_once(tmp_path: Path) -> None:
    """They are added in their order, after a last line that had no end, and each can be taken back."""
    path = tmp_path / "ratings.jsonl"
    path.write_text(LINE)
    append_rating(path, OTHER, RATING)
    assert read_ratings(path) == (RATING, OTHER, RATING)
    assert remove_rating(path, OTHER)
    assert read_ratings(path) == (RATING, RATING)


@given(author=st.text(min_size=1), ref=st.text(min_size=1))
def test_any_text_reads_back(tmp_path_factory: pytest.TempPathFactory, author: str, ref: str) -> None:
    """Whatever people and cases are called, their ratings read back and can be taken back."""
    path = tmp_path_factory.mktemp("ratings") / "ratings.jsonl"
    rating = replace(RATING, author=author, ref=ref)
    append_rating(path, rating)
    append_rating(path, RATING)
    assert read_ratings(path) == (rating, RATING)
    assert remove_rating(path, rating)
    assert len(read_ratings(path)) == 1
