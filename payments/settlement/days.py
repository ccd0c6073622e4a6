"""The settlement day: midnight to midnight in Bogotá (contract, Events: settlement.closed)."""

from datetime import date, datetime, timedelta
from typing import NamedTuple

from django.conf import settings

from payments.core.days import BOGOTA, ONE_DAY, TIMEZONE, day_of, start_of

__all__ = ["BOGOTA", "ONE_DAY", "TIMEZONE", "Period", "day_of", "open_since", "start_of"]


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


def open_since(now: datetime) -> date:
    """The first day that may not be closed yet: at 00:09 still yesterday, at 00:10 today.

    A transaction that began before midnight has ten minutes to commit.
    """
    return day_of(now - timedelta(minutes=settings.SETTLEMENT_CLOSES_AFTER_MINUTES))
