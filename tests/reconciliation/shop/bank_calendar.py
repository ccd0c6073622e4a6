"""Days on which Colombian banks work. A table of its own: the service's calendar is not trusted."""

import calendar
from datetime import date, datetime, time, timedelta, timezone

BOGOTA = timezone(timedelta(hours=-5))
# Holidays on weekdays of the months that the shop knows.
HOLIDAYS = frozenset(
    date.fromisoformat(day)
    for day in (
        "2026-01-01",
        "2026-01-12",
        "2026-03-23",
        "2026-04-02",
        "2026-04-03",
        "2026-05-01",
        "2026-05-18",
        "2026-06-08",
        "2026-06-15",
        "2026-06-29",
        "2026-07-20",
    )
)
MONTHS = (date(2026, 1, 1), date(2026, 3, 1), date(2026, 4, 1), date(2026, 5, 1), date(2026, 6, 1))


def days_of(month: date) -> list[date]:
    length = calendar.monthrange(month.year, month.month)[1]
    return [month + timedelta(days=number) for number in range(length)]


def is_business_day(day: date) -> bool:
    return day.weekday() < 5 and day not in HOLIDAYS


def next_business_day(day: date) -> date:
    """The first one after the day."""
    day += timedelta(days=1)
    while not is_business_day(day):
        day += timedelta(days=1)
    return day


def moment(day: date, hours: float) -> datetime:
    """Hours after midnight in Bogotá, to the second."""
    start = datetime.combine(day, time(), BOGOTA)
    return (start + timedelta(hours=hours)).replace(microsecond=0)
