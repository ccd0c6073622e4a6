"""Days in Bogotá."""

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

TIMEZONE = "America/Bogota"
BOGOTA = ZoneInfo(TIMEZONE)
ONE_DAY = timedelta(days=1)


def start_of(day: date) -> datetime:
    return datetime.combine(day, time.min, tzinfo=BOGOTA)


def day_of(timestamp: datetime) -> date:
    return timestamp.astimezone(BOGOTA).date()
