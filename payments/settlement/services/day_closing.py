"""Closes days: one row for each merchant, day and currency, with its event, in one transaction.

A closed day never changes. After a missed run the next one closes all that are left, oldest first.
"""

import time
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import NamedTuple

import structlog
from django.conf import settings
from django.db import connection, transaction
from django.utils.translation import gettext_noop as _

from merchants.models import Merchant
from payments.core import jobs
from payments.core.errors import ServiceError
from payments.ledger import recipes
from payments.settlement import days
from payments.settlement.models import Settlement, SettlementLine, TaxKind
from payments.settlement.payloads import SettlementPayload
from payments.settlement.services import taxes
from payments.settlement.services.day_totals import sum_day
from webhooks import services as webhooks
from webhooks.models import Event

log = structlog.get_logger(__name__)
KIND = "settlement.closed"
TASK = "payments.settlement.tasks.close_due"

# The first day of each balance that has postings and is not closed. It reads a few index entries of
# each account, however many postings there are.
_DUE_SQL = """
SELECT account.merchant_id, account.currency, min(first.created_at)
FROM ledger_account AS account
    CROSS JOIN LATERAL (
        SELECT max(date) AS date FROM settlement_settlement
        WHERE merchant_id = account.merchant_id AND currency = account.currency
    ) AS closed
    CROSS JOIN LATERAL (
        SELECT created_at FROM ledger_posting
        WHERE account_id = account.id AND balance_after IS NOT NULL
            AND created_at >= COALESCE(
                (closed.date + 1)::timestamp AT TIME ZONE %(zone)s, '-infinity'
            )
            AND created_at < %(before)s
        ORDER BY created_at, id LIMIT 1
    ) AS first
WHERE account.merchant_id IS NOT NULL
GROUP BY account.merchant_id, account.currency
ORDER BY 3
"""

# Only transactions of the service's own role count, because a dump by another role posts nothing.
_OLDEST_SQL = """
SELECT min(xact_start) FROM pg_stat_activity
WHERE datname = current_database() AND usename = current_user
    AND backend_type = 'client backend' AND pid <> pg_backend_pid()
"""


class Due(NamedTuple):
    merchant_id: str
    currency: str
    day: date


class Announced(NamedTuple):
    """`event` is None if neither the account nor an endpoint takes the kind."""

    settlement: Settlement
    event: Event | None


class DayIsOpen(ServiceError):
    """The day is not over in Bogotá, or a transaction that began in it may still commit."""

    code = "DAY_NOT_OVER"
    message = _("The day is not over.")


def close_due(*, now: datetime) -> int:
    """Closes the days that are over, oldest first. Returns how many it closed.

    After SCANNER_BUDGET_SECONDS it leaves the rest to another run.
    """
    started, closed, failed = time.monotonic(), 0, set[Due]()
    if (since := unsettled_since(days.open_since(now))) is not None:
        log.warning("settlement.waiting", transaction_open_since=since.isoformat())
        return 0
    while due := [each for each in due_days(now) if each not in failed]:
        for each in due:
            if time.monotonic() - started > settings.SCANNER_BUDGET_SECONDS:
                jobs.enqueue(TASK)
                return closed
            try:
                close_day(each, now=now)
                closed += 1
            except Exception:
                # A failure of one merchant must not stop the closing of other merchants' days.
                failed.add(each)
                log.exception(
                    "settlement.failed", merchant=each.merchant_id, day=each.day.isoformat()
                )
    return closed


def due_days(now: datetime) -> list[Due]:
    """The oldest open day of each balance."""
    before = days.start_of(days.open_since(now))
    with connection.cursor() as cursor:
        cursor.execute(_DUE_SQL, {"zone": days.TIMEZONE, "before": before})
        return [Due(merchant, currency, days.day_of(at)) for merchant, currency, at in cursor]


def unsettled_since(open_day: date) -> datetime | None:
    """When the oldest transaction began that may still post on a day before `open_day`.

    Our transactions take less than SETTLEMENT_CLOSES_AFTER_MINUTES. One that is open longer waits
    for a lock, and may post on the day on which it began.
    """
    with connection.cursor() as cursor:
        cursor.execute(_OLDEST_SQL)
        oldest: datetime | None = cursor.fetchone()[0]
    grace = timedelta(minutes=settings.SETTLEMENT_CLOSES_AFTER_MINUTES)
    return oldest if oldest and oldest < days.start_of(open_day) + grace else None


@transaction.atomic
def close_day(due: Due, *, now: datetime) -> Settlement | None:
    """The settlement of the day, new or existing. None for a day without postings.

    If two calls run at once, the second waits for the unique key and returns the row of the
    first. Raises DayIsOpen.
    """
    if due.day >= days.open_since(now):
        raise DayIsOpen
    row, lines, has_postings = _figures(due)
    if not has_postings:
        return None
    row.closed_at = now
    Settlement.objects.bulk_create([row], ignore_conflicts=True)
    settlement = Settlement.objects.select_related("merchant").get(
        merchant=due.merchant_id, currency=due.currency, date=due.day
    )
    if settlement.pk == row.pk:
        _complete(settlement, lines, now)
    return settlement


def announce_open_day(*, merchant: Merchant, currency: str, now: datetime) -> Announced:
    """Publishes the event of today as if today were over, for receivers that are being tested.

    Stores no settlement, and moves no money. Each call has an id and an event of its own. A day
    without movements has figures of zero.
    """
    row, _lines, _has_postings = _figures(Due(merchant.pk, currency, days.day_of(now)))
    row.closed_at = now
    with transaction.atomic():
        return Announced(row, _publish(row, merchant, now))


def _figures(due: Due) -> tuple[Settlement, list[SettlementLine], bool]:
    """The unsaved settlement and its tax lines, and whether the day has postings."""
    row, has_postings = sum_day(merchant_id=due.merchant_id, day=due.day, currency=due.currency)
    rules = taxes.rules_of(merchant_id=due.merchant_id, day=due.day)
    lines = taxes.taxes_of(fee=row.fee, currency=due.currency, rules=rules)
    row.tax = sum((line.amount for line in lines if line.kind == TaxKind.INCLUDED), Decimal(0))
    row.fee -= row.tax
    return row, lines, has_postings


def _complete(settlement: Settlement, lines: list[SettlementLine], now: datetime) -> None:
    """Adds the tax lines, publishes the event, and books the tax."""
    for line in lines:
        line.settlement = settlement
    SettlementLine.objects.bulk_create(lines)
    merchant: Merchant = settlement.merchant
    _publish(settlement, merchant, now, dedupe_key=f"{KIND}:{settlement.pk}")
    if settlement.tax:
        settled = recipes.SettledDay(
            merchant_id=merchant.pk,
            settlement_id=settlement.pk,
            day=settlement.date,
            currency=settlement.currency,
        )
        recipes.settlement_taxed(settled, tax=settlement.tax, now=now)


def _publish(
    settlement: Settlement, merchant: Merchant, now: datetime, dedupe_key: str | None = None
) -> Event | None:
    return webhooks.publish(
        webhooks.NewEvent(
            merchant=merchant,
            kind=KIND,
            # Nothing is stored of a day that is still open.
            subject_id=settlement.pk if dedupe_key else "",
            data=SettlementPayload(settlement).data,
            now=now,
            dedupe_key=dedupe_key,
        )
    )
