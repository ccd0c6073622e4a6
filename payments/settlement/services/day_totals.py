"""The sums of one day of a merchant's balance. Reads only the postings of the day."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from django.db import connection

from payments.ledger.models import Account, Entry
from payments.settlement.days import Period
from payments.settlement.services import period_balances
from payments.settlement.services.period_balances import Balance

Kind = Entry.Kind

# The fee of each order is read by its entry: the fees' account has the orders of all merchants,
# and a join could be planned as a scan of all of them. An aggregate in LATERAL cannot.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class DayTotals:
    """In the currency of the balance. `fee` includes its tax. `is_empty`: without postings."""

    net: Decimal
    fee: Decimal
    order_count: int
    refunded: Decimal
    refund_count: int
    opening: Balance
    closing: Balance
    is_empty: bool

    @property
    def collected(self) -> Decimal:
        """What payers paid for completed orders."""
        return self.net + self.fee


def sum_day(*, merchant_id: str, day: date, currency: str) -> DayTotals:
    """Sums the postings that were booked on the day in Bogotá (docs/gaps.md, Settlement)."""
    period = Period(day, day)
    accounts = period_balances.accounts_of(merchant_id, currency)
    opening, closing = period_balances.find_edges(accounts, period)
    order_count, net, fee = _collected(accounts, period, currency)
    refund_count, refunded = _refunded(accounts, period)
    return DayTotals(
        net=net,
        fee=fee,
        order_count=order_count,
        refunded=refunded,
        refund_count=refund_count,
        opening=opening.balance,
        closing=closing.balance,
        is_empty=opening.last == closing.last,
    )


def _collected(
    accounts: period_balances.Accounts, period: Period, currency: str
) -> tuple[int, Decimal, Decimal]:
    fees = Account.objects.filter(kind=Account.Kind.FEES, currency=currency)
    values = {
        "available": accounts.get(Account.Kind.AVAILABLE),
        "fees": fees.values_list("pk", flat=True).first(),
        "kind": Kind.COLLECT_SETTLED.value,
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
                "kind": Kind.REFUND_COMPLETED.value,
                "start": period.start,
                "end": period.end,
            },
        )
        count, refunded = cursor.fetchone()
    return count, refunded
