"""Closes days: one row for each merchant, day and currency, with its event, in one transaction.

Repeatable: a closed day is found and left as it is. Nothing needs to run on time: what was not
closed one night is closed by the next run, the oldest day first.
"""

import time
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

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
from payments.settlement.services import events, taxes
from payments.settlement.services.day_totals import DayTotals, sum_day
from payments.settlement.services.period_balances import Balance

log = structlog.get_logger(__name__)
TASK = "payments.settlement.tasks.close_due"

# The first day of each balance that has postings and is not closed: a few steps on indexes for
# each account, however many postings it has.
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

# Only the service's own role writes to the books; a dump by another one holds up nothing.
_OLDEST_SQL = """
SELECT min(xact_start) FROM pg_stat_activity
WHERE datname = current_database() AND usename = current_user
    AND backend_type = 'client backend' AND pid <> pg_backend_pid()
"""

Due = tuple[str, str, date]  # merchant, currency, day


class DayIsOpen(ServiceError):
    """The day is not over in Bogotá, or something that began in it may still be booked."""

    code = "DAY_NOT_OVER"
    message = _("The day is not over.")


def close_due(*, now: datetime) -> int:
    """Closes what is over and not closed, oldest first. Returns how many days it closed.

    Works for SCANNER_BUDGET_SECONDS, then rings for the next run.
    """
    started, closed, failed = time.monotonic(), 0, set[Due]()
    if (since := unsettled_since(days.open_since(now))) is not None:
        log.warning("settlement.waiting", transaction_open_since=since.isoformat())
        return 0
    while due := [each for each in due_days(now) if each not in failed]:
        for merchant_id, currency, day in due:
            if time.monotonic() - started > settings.SCANNER_BUDGET_SECONDS:
                jobs.enqueue(TASK)
                return closed
            try:
                close_day(merchant_id=merchant_id, currency=currency, day=day, now=now)
                closed += 1
            except Exception:
                # One merchant's trouble must not keep the others' days open.
                failed.add((merchant_id, currency, day))
                log.exception("settlement.failed", merchant=merchant_id, day=day.isoformat())
    return closed


def due_days(now: datetime) -> list[Due]:
    """The oldest day to close of each balance."""
    values: dict[str, Any] = {"zone": days.TIMEZONE, "before": days.start_of(days.open_since(now))}
    with connection.cursor() as cursor:
        cursor.execute(_DUE_SQL, values)
        return [(merchant, currency, days.day_of(at)) for merchant, currency, at in cursor]


def unsettled_since(open_day: date) -> datetime | None:
    """When the oldest transaction began that may still book something on a day before `open_day`.

    No call of ours takes as long as SETTLEMENT_CLOSES_AFTER_MINUTES; what is open for longer than
    that waits for a lock, and might be booked on the day it began.
    """
    with connection.cursor() as cursor:
        cursor.execute(_OLDEST_SQL)
        oldest: datetime | None = cursor.fetchone()[0]
    grace = timedelta(minutes=settings.SETTLEMENT_CLOSES_AFTER_MINUTES)
    return oldest if oldest and oldest < days.start_of(open_day) + grace else None


@transaction.atomic
def close_day(*, merchant_id: str, currency: str, day: date, now: datetime) -> Settlement | None:
    """The settlement of the day: made now, or the one that was made before. None: nothing moved.

    Two at a time meet at the unique key: the second waits, and gets the row of the first. Raises
    DayIsOpen.
    """
    if day >= days.open_since(now):
        raise DayIsOpen
    found = sum_day(merchant_id=merchant_id, day=day, currency=currency)
    if found.is_empty:
        return None
    rules = taxes.rules_of(merchant_id=merchant_id, day=day)
    lines = taxes.taxes_of(fee=found.fee, currency=currency, rules=rules)
    row = _settlement(merchant_id, currency, day, found, _included(lines), now)
    Settlement.objects.bulk_create([row], ignore_conflicts=True)
    settlement = Settlement.objects.select_related("merchant").get(
        merchant=merchant_id, currency=currency, date=day
    )
    if settlement.pk == row.pk:
        _complete(settlement, lines, now)
    return settlement


def _included(lines: list[taxes.Tax]) -> Decimal:
    amounts = [line.amount for line in lines if line.rule.kind == TaxKind.INCLUDED]
    return sum(amounts, Decimal(0))


def _settlement(
    merchant_id: str, currency: str, day: date, found: DayTotals, tax: Decimal, now: datetime
) -> Settlement:
    return Settlement(
        merchant_id=merchant_id,
        date=day,
        currency=currency,
        collected=found.collected,
        fee=found.fee - tax,
        tax=tax,
        net=found.net,
        refunded=found.refunded,
        order_count=found.order_count,
        refund_count=found.refund_count,
        **_balance("opening", found.opening),
        **_balance("closing", found.closing),
        closed_at=now,
    )


def _balance(edge: str, balance: Balance) -> dict[str, Decimal]:
    return {f"{edge}_balance": balance.total, f"{edge}_held": balance.held}


def _complete(settlement: Settlement, lines: list[taxes.Tax], now: datetime) -> None:
    """What goes with a new row: its tax lines, its event, and the tax on the books."""
    SettlementLine.objects.bulk_create(
        SettlementLine(
            settlement=settlement,
            rule=line.rule,
            name=line.rule.name,
            kind=line.rule.kind,
            rate=line.rule.rate,
            base=line.base,
            amount=line.amount,
        )
        for line in lines
    )
    merchant: Merchant = settlement.merchant
    events.publish_closed(merchant=merchant, settlement=settlement, now=now)
    if settlement.tax:
        settled = recipes.SettledDay(
            merchant_id=merchant.pk,
            settlement_id=settlement.pk,
            day=settlement.date,
            currency=settlement.currency,
        )
        recipes.settlement_taxed(settled, tax=settlement.tax, now=now)
