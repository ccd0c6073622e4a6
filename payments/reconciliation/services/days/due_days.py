"""Which days are looked at again: everything that a resolved difference or a late file changes."""

import time
from collections.abc import Iterator
from datetime import date, datetime, timedelta

import structlog
from django.conf import settings
from django.db import connection

from payments.core import days
from payments.reconciliation.models import (
    AccountKind,
    DayDifference,
    ReconciledDay,
    StatementLine,
)
from payments.reconciliation.services.days.accounts import DayAccount, list_accounts
from payments.reconciliation.services.days.storing import reconcile_day
from payments.reconciliation.services.days.undecided import WAITING

log = structlog.get_logger(__name__)
# Days that are still within the window of some difference.
RECENT = timedelta(days=10)
# A day with differences is looked at again after this time.
AGAIN = timedelta(minutes=5)

# Days of a statement that were not looked at since its import.
_OF_FILES_SQL = """
SELECT DISTINCT of_file.day::date
FROM reconciliation_statementfile AS file,
    LATERAL generate_series(first_day, last_day, interval '1 day') AS of_file (day)
WHERE file.account_id = %(account)s AND NOT EXISTS (
    SELECT FROM reconciliation_reconciledday AS known
    WHERE known.account_kind = 'BANK' AND known.account = %(account)s
        AND known.day = of_file.day::date AND known.computed_at > file.imported_at
)
"""

# The days of payments and of disbursements of a file, the same.
_OF_DISBURSEMENTS_SQL = """
SELECT DISTINCT of_file.day FROM (
    SELECT account_id, day, created_at FROM reconciliation_disbursement
    WHERE account_id = %(account)s
    UNION ALL
    SELECT payment.account_id, paid_on, created_at
    FROM reconciliation_disbursementrow AS payment
        JOIN reconciliation_disbursement AS sent ON sent.id = payment.disbursement_id
    WHERE payment.account_id = %(account)s
) AS of_file
WHERE NOT EXISTS (
    SELECT FROM reconciliation_reconciledday AS known
    WHERE known.account_kind = 'ACQUIRER' AND known.account = %(account)s
        AND known.day = of_file.day AND known.computed_at > of_file.created_at
)
"""


def reconcile_due(*, now: datetime) -> int:
    """Looks at due days for SCANNER_BUDGET_SECONDS. Returns how many."""
    deadline, done = time.monotonic() + settings.SCANNER_BUDGET_SECONDS, 0
    today = days.day_of(now)
    for account, day in _due(now, today):
        try:
            reconcile_day(account=account, day=day, today=today, now=now)
            done += 1
        except Exception:
            # A failure of one day must not stop the others.
            log.exception("reconciliation.day_failed", account=account.slug, day=day.isoformat())
        if time.monotonic() > deadline:
            break
    return done


def _due(now: datetime, today: date) -> Iterator[tuple[DayAccount, date]]:
    for account in list_accounts():
        fresh = _looked_at(account, now - AGAIN)
        for day in sorted(_changed(account) | (_watched(account, today) - fresh)):
            if day <= today:
                yield account, day


def _looked_at(account: DayAccount, since: datetime) -> set[date]:
    rows = ReconciledDay.objects.filter(
        account_kind=account.kind, account=account.slug, computed_at__gt=since
    )
    return set(rows.values_list("day", flat=True))


def _changed(account: DayAccount) -> set[date]:
    is_bank = account.kind == AccountKind.BANK
    with connection.cursor() as cursor:
        cursor.execute(
            _OF_FILES_SQL if is_bank else _OF_DISBURSEMENTS_SQL, {"account": account.slug}
        )
        return {day for (day,) in cursor.fetchall()}


def _watched(account: DayAccount, today: date) -> set[date]:
    """Days with differences or undecided movements, and the newest."""
    rows = DayDifference.objects.filter(
        account_kind=account.kind, account=account.slug, closed_at=None
    )
    found = set(rows.values_list("day", flat=True))
    if account.kind == AccountKind.BANK:
        lines = StatementLine.objects.filter(account=account.slug, status__in=WAITING)
        found |= set(lines.values_list("booked_on", flat=True).distinct())
    newest = (today - timedelta(days=back) for back in range(RECENT.days))
    return found | set(newest)
