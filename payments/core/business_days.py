"""Days on which Colombian banks book: neither weekends nor holidays. Days are those of Bogotá."""

from datetime import date
from functools import cache

from payments.core.days import ONE_DAY

SATURDAY = 5


def is_business_day(day: date) -> bool:
    return day.weekday() < SATURDAY and day not in _holidays(day.year)


def business_days_after(day: date, count: int) -> date:
    """The day on which `count` business days have passed since `day`.

    With 0 the day itself, or the next business day: money of a weekend is booked then.
    """
    if count == 0 and is_business_day(day):
        return day
    for _ in range(max(count, 1)):
        day = _next(day)
    return day


def business_days_between(first: date, last: date) -> int:
    """How many business days have passed. 0 from a Friday to the Sunday after it.

    Raises ValueError if `last` is before `first`.
    """
    if last < first:
        raise ValueError(f"{last} is before {first}")
    passed, day = 0, first
    while (day := day + ONE_DAY) <= last:
        passed += is_business_day(day)
    return passed


def earliest_within(day: date, count: int) -> date:
    """The earliest day after which at most `count` business days have passed on `day`."""
    passed = int(is_business_day(day))
    while passed <= count:
        day -= ONE_DAY
        passed += is_business_day(day)
    return day


def _next(day: date) -> date:
    day += ONE_DAY
    while not is_business_day(day):
        day += ONE_DAY
    return day


@cache
def _holidays(year: int) -> frozenset[date]:
    import holidays  # 3 MB that few processes need

    return frozenset(holidays.country_holidays("CO", years=year))
