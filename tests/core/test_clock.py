"""Moments as the API writes them."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from payments.core import clock

BOGOTA = timezone(timedelta(hours=-5))


@pytest.mark.parametrize(
    ("moment", "text"),
    [
        (datetime(2026, 1, 31, 15, 4, 5, 123999, UTC), "2026-01-31T15:04:05.123Z"),
        (datetime(2026, 1, 31, 23, 0, tzinfo=BOGOTA), "2026-02-01T04:00:00.000Z"),
        (datetime(1, 1, 1, tzinfo=UTC), "0001-01-01T00:00:00.000Z"),
        (datetime(999, 12, 31, 23, 59, 59, 999999, UTC), "0999-12-31T23:59:59.999Z"),
        (None, None),
    ],
)
def test_timestamp_is_written_in_utc_with_milliseconds(
    moment: datetime | None, text: str | None
) -> None:
    assert clock.iso(moment) == text
