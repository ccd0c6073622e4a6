"""Days on which Colombian banks book."""

from datetime import date

import pytest

from payments.core.business_days import (
    business_days_after,
    business_days_between,
    earliest_within,
    is_business_day,
)

# 2026: Thursday and Friday before Easter are 2 and 3 April; Saint Joseph is moved to 23 March.
HOLIDAYS = ["2026-01-01", "2026-01-12", "2026-03-23", "2026-04-02", "2026-04-03", "2026-12-08"]


@pytest.mark.parametrize("day", HOLIDAYS)
def test_holidays_and_weekends_are_none(day):
    assert not is_business_day(date.fromisoformat(day))


def test_saints_day_that_is_moved_is_an_ordinary_day():
    assert is_business_day(date(2026, 3, 19))
    assert not is_business_day(date(2026, 3, 21))  # a Saturday


def test_easter_and_its_weekend_are_one_step():
    wednesday, monday = date(2026, 4, 1), date(2026, 4, 6)
    assert business_days_between(wednesday, monday) == 1
    assert business_days_after(wednesday, 1) == monday
    assert business_days_between(wednesday, date(2026, 4, 5)) == 0


def test_money_of_a_weekend_is_booked_on_the_next_business_day():
    assert business_days_after(date(2026, 5, 2), 0) == date(2026, 5, 4)


@pytest.mark.parametrize("day", [date(2026, 5, 1), date(2026, 5, 2), date(2026, 5, 6)])
def test_day_after_some_business_days_is_so_many_away(day):
    for count in (1, 2, 3):
        assert business_days_between(day, business_days_after(day, count)) == count


@pytest.mark.parametrize("count", [0, 1, 3])
@pytest.mark.parametrize("day", [date(2026, 4, 6), date(2026, 4, 4), date(2026, 5, 6)])
def test_earliest_day_is_the_last_that_is_still_within(day, count):
    first = earliest_within(day, count)
    assert business_days_between(first, day) <= count
    assert business_days_between(date.fromordinal(first.toordinal() - 1), day) == count + 1


def test_days_in_the_wrong_order_are_refused():
    with pytest.raises(ValueError, match="before"):
        business_days_between(date(2026, 4, 2), date(2026, 4, 1))
