"""The settlement day: midnight to midnight in Bogotá (contract, Events: settlement.closed)."""

from datetime import date, datetime, time, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from django.conf import settings

TIMEZONE = "America/Bogota"
BOGOTA = ZoneInfo(TIMEZONE)
ONE_DAY = timedelta(days=1)


class Period(NamedTuple):
    """Days in Bogotá, both included."""

    first: date
    last: date

    @property
    def start(self) -> datetime:
        return start_of(self.first)

    @property
    def end(self) -> datetime:
        """Excluded."""
        return start_of(self.last + ONE_DAY)


def start_of(day: date) -> datetime:
    return datetime.combine(day, time.min, tzinfo=BOGOTA)


def day_of(at: datetime) -> date:
    return at.astimezone(BOGOTA).date()


def open_since(now: datetime) -> date:
    """The first day that may not be closed yet: at 00:09 still yesterday, at 00:10 today.

    A transaction that began before midnight has ten minutes to commit.
    """
    return day_of(now - timedelta(minutes=settings.SETTLEMENT_CLOSES_AFTER_MINUTES))
