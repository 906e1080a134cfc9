"""People's ratings in `ratings.jsonl`."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.core.errors import ConfigError
from judges.core.rating import RaterKind, Rating
from judges.files.ratings import read_ratings, render_rating

RATING = Rating(
    ref="english/articles",
    criterion="tone",
    level=4,
    output_sha256="f0",
    rubric_sha256="e1",
    author="jane@example.com",
    timestamp=datetime(2026, 2, 18, 11, 1, 29, tzinfo=UTC),
    blind=True,
)
LINE = (
    '{"ref": "english/articles", "criterion": "tone", "level": 4, "output_sha256": "f0", '
    '"rubric_sha256": "e1", "author": "jane@example.com", "timestamp": "2026-02-18T11:01:29Z", '
    '"blind": true, "rater_kind": "person"}'
)
BAD = """\
{"ref": "a", "criterion": "c", "level": 0, "output_sha256": "f", "rubric_sha256": "e", "author": "", \
"timestamp": "2026-01-01", "blind": true}
{"ref": "a", "criterion": "c", "level": 3.5, "output_sha256": "f", "rubric_sha256": "e", "author": "j", \
"timestamp": "2026-01-01", "blind": "yes"}
{"ref": "a", "criterion": "c", "level": 3, "output_sha256": "f", "rubric_sha256": "e", "author": "j", \
"timestamp": "yesterday", "blind": false}
{"level": 3}
{"ref": "a", "criterion": "c", "level": 3, "output_sha256": "f", "rubric_sha256": "e", "author": "j", \
"timestamp": "2026-01-01", "blind": true, "rater_kind": "robot"}
"""


def test_a_line(tmp_path: Path) -> None:
    """A rating is a line, and the line is the rating; `x-…` keys are free."""
    path = tmp_path / "ratings.jsonl"
    path.write_text(f"{LINE}\n\n" + LINE.replace("{", '{"x-why": "kind", ').replace(": 4", ": 5") + "\n")
    assert read_ratings(path) == (RATING, replace(RATING, level=5))
    assert render_rating(RATING) == LINE


def test_who_rated(tmp_path: Path) -> None:
    """A person, where a line does not say that it was a model."""
    path = tmp_path / "ratings.jsonl"
    unsaid, model = LINE.replace(', "rater_kind": "person"', ""), LINE.replace('"person"', '"model"')
    path.write_text(f"{unsaid}\n{model}\n")
    by_model = replace(RATING, rater_kind=RaterKind.MODEL)
    assert read_ratings(path) == (RATING, by_model)
    assert render_rating(by_model) == model


def test_the_page(tmp_path: Path) -> None:
    """The line that the how-to page shows is a rating."""
    page = Path(__file__).parents[3] / "docs/how-to/qualify-a-judge.md"
    _, _, rest = page.read_text(encoding="utf-8").partition("```json\n")
    path = tmp_path / "ratings.jsonl"
    path.write_text(rest.partition("```")[0], encoding="utf-8")
    (rating,) = read_ratings(path)
    assert (rating.ref, rating.level, rating.blind) == ("refund-in-time", 4, True)


def test_bad_lines_are_explained_all_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each bad line gives its own sentences."""
    monkeypatch.chdir(tmp_path)
    Path("ratings.jsonl").write_text(BAD)
    with pytest.raises(ConfigError) as caught:
        read_ratings(Path("ratings.jsonl"))
    missing = ("author", "blind", "criterion", "output_sha256", "ref", "rubric_sha256", "timestamp")
    assert sorted(str(each).removeprefix("ratings.jsonl:") for each in caught.value.problems) == [
        "1:1: author: must not be empty",
        "1:1: level: must be at least 1, found 0",
        "2:1: blind: expected true or false, found 'yes'",
        "2:1: level: expected a whole number, found 3.5",
        "3:1: timestamp: expected a date or time such as 2026-02-18T11:01:29Z, found 'yesterday'",
        *(f"4:1: {name}: the key is missing" for name in missing),
        "5:1: rater_kind: expected person or model, found 'robot'",
    ]


texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)
moments = st.datetimes(
    datetime(1970, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC) | st.just(timezone(timedelta(hours=9)))
)


@given(
    st.builds(
        Rating,
        ref=texts,
        criterion=texts,
        level=st.integers(1, 100),
        output_sha256=texts,
        rubric_sha256=texts,
        author=texts,
        timestamp=moments,
        blind=st.booleans(),
        rater_kind=st.sampled_from(RaterKind),
    )
)
def test_a_rendered_rating_is_read_back(tmp_path_factory: pytest.TempPathFactory, rating: Rating) -> None:
    """What is written is read as it was, and takes one line."""
    path = tmp_path_factory.getbasetemp() / "ratings.jsonl"
    path.write_text(render_rating(rating) + "\n", encoding="utf-8", newline="")
    assert read_ratings(path) == (rating,)
