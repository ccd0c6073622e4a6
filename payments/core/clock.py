"""Services take `now` as an argument; only views, tasks and commands read the clock."""

from datetime import UTC, datetime


def now() -> datetime:
    return datetime.now(UTC)


def iso(timestamp: datetime | None) -> str | None:
    """ISO 8601 in UTC with milliseconds and `Z`: 2026-01-31T15:04:05.123Z."""
    if timestamp is None:
        return None
    if timestamp.tzinfo is not UTC:
        timestamp = timestamp.astimezone(UTC)
    # Not strftime: it writes the year 999 with three digits. The end is `+00:00`.
    return f"{timestamp.isoformat(timespec='milliseconds')[:-6]}Z"
