"""A shop that is paid by transfer: its days, its statements, and the report of a day."""

from collections.abc import Iterable
from datetime import date
from decimal import Decimal

from payments.core import clock
from payments.core.days import day_of
from payments.reconciliation.models import DayDifference, StatementFile
from payments.reconciliation.services.days import accounts
from payments.reconciliation.services.days.storing import reconcile_day
from payments.reconciliation.services.days.values import DayReport
from tests.reconciliation import own_csv
from tests.reconciliation.own_csv import Row
from tests.reconciliation.shopping import match

MONDAY, TUESDAY, WEDNESDAY = date(2026, 11, 9), date(2026, 11, 10), date(2026, 11, 11)
THURSDAY, FRIDAY = date(2026, 11, 12), date(2026, 11, 13)
PAID = "50025"


def bring(*rows: Row, opening: str = "0", gap: str = "") -> StatementFile:
    """A statement is imported and its lines are looked at."""
    file = own_csv.give(own_csv.statement(rows, opening), f"{opening}-{rows[0].day}", "main", gap)
    match()
    return file


def report(day: date, account: str = "main") -> DayReport:
    """As of the present day, stored."""
    now = clock.now()
    found = accounts.find_account(account)
    return reconcile_day(account=found, day=day, today=day_of(now), now=now)


def differences(day: date, account: str = "main") -> list[tuple[str, str, bool]]:
    found = report(day, account).differences
    return [(one.kind.value, one.cause, one.is_overdue) for one in found]


def ends(day: date, account: str = "main") -> tuple[Decimal, ...]:
    closing = report(day, account).closing
    assert closing is not None
    return tuple(closing)


def open_causes() -> list[str]:
    rows = DayDifference.objects.filter(closed_at=None).order_by("pk")
    return list(rows.values_list("cause", flat=True))


def total(rows: Iterable[Row]) -> Decimal:
    return sum((Decimal(row.amount) for row in rows), Decimal(0))
