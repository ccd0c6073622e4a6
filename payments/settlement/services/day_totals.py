"""The sums of one day of a merchant's balance. Reads only the postings of the day."""

from datetime import date
from decimal import Decimal

from django.db import connection

from payments.core.products import named
from payments.ledger.models import Account, Entry
from payments.settlement.days import Period
from payments.settlement.models import Settlement
from payments.settlement.services import period_balances

# The aggregate in LATERAL makes PostgreSQL read the fee of each order by its entry. For a join it
# could scan the fees' account, which has the orders of all merchants.
_COLLECTED_SQL = """
SELECT count(*), COALESCE(sum(posting.amount), 0), COALESCE(sum(ours.fee), 0)
FROM ledger_posting AS posting, LATERAL (
    SELECT sum(amount) AS fee FROM ledger_posting AS line
    WHERE line.entry_id = posting.entry_id AND line.account_id = %(fees)s
) AS ours
WHERE posting.account_id = %(available)s AND posting.kind = %(kind)s
    AND posting.balance_after IS NOT NULL
    AND posting.created_at >= %(start)s AND posting.created_at < %(end)s
"""

_REFUNDED_SQL = """
SELECT count(*), COALESCE(-sum(amount), 0) FROM ledger_posting
WHERE account_id = ANY(%(accounts)s) AND kind = %(kind)s AND balance_after IS NOT NULL
    AND created_at >= %(start)s AND created_at < %(end)s
"""


def sum_day(*, merchant_id: str, day: date, currency: str) -> tuple[Settlement, bool]:
    """An unsaved settlement of the postings of the day in Bogotá, and whether there were any.

    Its fee includes the tax (docs/gaps.md, Settlement).
    """
    period = Period(day, day)
    accounts = period_balances.accounts_of(merchant_id, currency)
    opening, closing = period_balances.find_edges(accounts, period)
    order_count, net, fee = _collected(accounts, period, currency)
    refund_count, refunded = _refunded(accounts, period)
    settlement = Settlement(
        merchant_id=merchant_id,
        date=day,
        currency=currency,
        collected=net + fee,
        fee=fee,
        net=net,
        refunded=refunded,
        order_count=order_count,
        refund_count=refund_count,
        opening_balance=opening.balance.total,
        opening_held=opening.balance.held,
        closing_balance=closing.balance.total,
        closing_held=closing.balance.held,
    )
    return settlement, opening.last != closing.last


def _collected(
    accounts: period_balances.Accounts, period: Period, currency: str
) -> tuple[int, Decimal, Decimal]:
    """How many orders were paid, what reached the balance, and our fee."""
    fees = Account.objects.filter(kind=Account.Kind.FEES, currency=currency)
    values = {
        "available": accounts.get(Account.Kind.AVAILABLE),
        "fees": fees.values_list("pk", flat=True).first(),
        "kind": Entry.Kind.COLLECT_SETTLED.value,
        "start": period.start,
        "end": period.end,
    }
    with connection.cursor() as cursor:
        cursor.execute(_COLLECTED_SQL, values)
        count, net, fee = cursor.fetchone()
    return count, net, fee


def _refunded(accounts: period_balances.Accounts, period: Period) -> tuple[int, Decimal]:
    with connection.cursor() as cursor:
        cursor.execute(
            _REFUNDED_SQL,
            {
                "accounts": list(accounts.values()),
                "kind": named("refund").entry_kind("completed"),
                "start": period.start,
                "end": period.end,
            },
        )
        count, refunded = cursor.fetchone()
    return count, refunded
