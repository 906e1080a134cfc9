"""Dates and times as people write them in files."""

from datetime import UTC, datetime, timedelta


def parse_time(text: str) -> datetime:
    """Return an ISO 8601 date or time; one without a zone is in UTC.

    Raises:
        ValueError: the text is neither; the message says what was expected.
    """
    try:
        time = datetime.fromisoformat(text.strip())
    except ValueError:
        raise ValueError(f"expected a date or time such as 2026-02-18T11:01:29Z, found '{text}'") from None
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def parse_end(text: str) -> datetime:
    """Return when something that holds until this date or time ends: a bare date counts to its last moment.

    Raises:
        ValueError: the text is neither a date nor a time.
    """
    return later(parse_time(text), days=1) if len(text.strip()) <= len("2026-02-18") else parse_time(text)


def later(time: datetime, days: int) -> datetime:
    """Return the time so many days later, or the last time that there is."""
    try:
        return time + timedelta(days=days)
    except OverflowError:
        return datetime.max.replace(tzinfo=UTC)
