"""A month of an account for a calendar."""

import calendar
from collections.abc import Sequence
from datetime import date, timedelta
from typing import NamedTuple

from payments.reconciliation.models import DayDifference, DayStatus, ReconciledDay
from payments.reconciliation.services.days.accounts import DayAccount


class MonthDay(NamedTuple):
    day: date
    status: DayStatus
    # Open differences.
    differences: int


def read_month(account: DayAccount, month: date) -> Sequence[Sequence[MonthDay | None]]:
    """Weeks from Monday. Days of other months are None. Days that are to come are grey."""
    first = month.replace(day=1)
    weeks = calendar.Calendar().monthdatescalendar(first.year, first.month)
    whose = {"account_kind": account.kind, "account": account.slug}
    limits = (first, first + timedelta(days=31))
    known = dict(
        ReconciledDay.objects.filter(**whose, day__range=limits).values_list("day", "status")
    )
    counts: dict[date, int] = {}
    rows = DayDifference.objects.filter(**whose, day__range=limits, closed_at=None)
    for day in rows.values_list("day", flat=True):
        counts[day] = counts.get(day, 0) + 1
    return [
        [
            MonthDay(day, DayStatus(known.get(day, DayStatus.GREY)), counts.get(day, 0))
            if day.month == first.month
            else None
            for day in week
        ]
        for week in weeks
    ]


def read_open(most: int) -> tuple[list[DayDifference], int]:
    """The oldest open differences of all accounts, and how many are open."""
    rows = DayDifference.objects.filter(closed_at=None)
    return list(rows.order_by("day", "id")[:most]), rows.count()


def neighbours(account: DayAccount, day: date, today: date) -> tuple[date | None, date | None]:
    """The days with open differences before and after the day."""
    rows = DayDifference.objects.filter(
        account_kind=account.kind, account=account.slug, closed_at=None
    )
    before = rows.filter(day__lt=day).order_by("-day").values_list("day", flat=True).first()
    after = rows.filter(day__gt=day, day__lte=today).order_by("day")
    return before, after.values_list("day", flat=True).first()
