"""Time as the API shows it. Services take `now` as an argument; only doors read the clock."""

from datetime import UTC, datetime

from django.utils import timezone


def now() -> datetime:
    """The present, aware, in UTC."""
    return timezone.now()


def iso(moment: datetime | None) -> str | None:
    """ISO 8601 in UTC with milliseconds and `Z`: 2026-01-31T15:04:05.123Z."""
    if moment is None:
        return None
    # Not strftime: it writes the year 999 with three digits.
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
