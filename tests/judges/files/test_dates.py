"""Dates and times in files."""

from datetime import UTC, datetime

import pytest

from judges.files.dates import later, parse_end, parse_time


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("2026-02-18T11:01:29Z", "2026-02-18T11:01:29+00:00"),
        ("2026-02-18T11:01:29", "2026-02-18T11:01:29+00:00"),
        ("2026-02-18 11:01", "2026-02-18T11:01:00+00:00"),
        ("2026-02-18T11:01:29+09:00", "2026-02-18T11:01:29+09:00"),
        ("2026-02-18", "2026-02-18T00:00:00+00:00"),
        (" 2026-02-18 ", "2026-02-18T00:00:00+00:00"),
    ],
)
def test_iso_times_are_read(text: str, time: str) -> None:
    """A time without a zone is in UTC."""
    assert parse_time(text).isoformat() == time


@pytest.mark.parametrize("text", ["yesterday", "18.2.2026", "2026-13-01", ""])
def test_other_times_are_refused(text: str) -> None:
    """The message shows what was expected."""
    with pytest.raises(
        ValueError, match=f"^expected a date or time such as 2026-02-18T11:01:29Z, found '{text}'$"
    ):
        parse_time(text)


@pytest.mark.parametrize(
    ("text", "end"),
    [("2026-02-18", "2026-02-19T00:00:00+00:00"), ("2026-02-18T11:00Z", "2026-02-18T11:00:00+00:00")],
)
def test_a_bare_date_counts_to_its_end(text: str, end: str) -> None:
    """What holds until a day holds on that day."""
    assert parse_end(text).isoformat() == end


def test_the_end_of_time_is_no_error() -> None:
    """A date near the last one cannot overflow."""
    assert later(datetime(9999, 12, 31, tzinfo=UTC), days=180) == datetime.max.replace(tzinfo=UTC)
    assert later(datetime(2026, 2, 18, tzinfo=UTC), days=180) == datetime(2026, 8, 17, tzinfo=UTC)
