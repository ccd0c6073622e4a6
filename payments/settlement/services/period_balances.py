"""A merchant's two accounts in a currency, and where a period begins and ends on them.

On one account ids and moments ascend together, so that a period is a range of ids: what is posted
meanwhile is outside of it, and a statement is of one moment however long it takes to read.
"""

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, NamedTuple

from django.db import connection

from payments.ledger.models import Account
from payments.settlement.days import Period

Accounts = dict[str, int]  # {available | held: id of the account}

# One statement: both accounts as they were at one moment.
_EDGES_SQL = """
SELECT account.id, account.kind, edge.number, last.id, last.balance_after
FROM ledger_account AS account
    CROSS JOIN (VALUES (0, %(start)s::timestamptz), (1, %(end)s::timestamptz)) AS edge (number, at)
    CROSS JOIN LATERAL (
        SELECT id, balance_after FROM ledger_posting
        WHERE account_id = account.id AND balance_after IS NOT NULL AND created_at < edge.at
        ORDER BY created_at DESC, id DESC LIMIT 1
    ) AS last
WHERE account.id = ANY(%(accounts)s)
"""


class Balance(NamedTuple):
    """What a merchant has: what may be spent, and what is on its way out."""

    available: Decimal
    held: Decimal

    @property
    def total(self) -> Decimal:
        return self.available + self.held


@dataclass(slots=True)
class Edge:
    """The moment at which a period begins or ends: the last posting before it on each account."""

    last: Accounts = field(default_factory=dict)
    balances: dict[str, Decimal] = field(default_factory=dict)

    @property
    def balance(self) -> Balance:
        """Nothing where nothing was posted yet."""
        nothing = Decimal(0)
        return Balance(
            self.balances.get(Account.Kind.AVAILABLE, nothing),
            self.balances.get(Account.Kind.HELD, nothing),
        )


def accounts_of(merchant_id: str, currency: str) -> Accounts:
    """Those that the merchant has had postings on, or is about to have."""
    rows = Account.objects.filter(merchant=merchant_id, currency=currency)
    return dict(rows.values_list("kind", "pk"))


def find_edges(of: Accounts, period: Period) -> tuple[Edge, Edge]:
    """Where the period begins and where it ends; an open period ends with the last posting."""
    found = Edge(), Edge()
    values: dict[str, Any] = {
        "accounts": list(of.values()),
        "start": period.start,
        "end": period.end,
    }
    with connection.cursor() as cursor:
        cursor.execute(_EDGES_SQL, values)
        for _account, kind, number, posting, balance in cursor.fetchall():
            found[number].last[kind] = posting
            found[number].balances[kind] = balance
    return found
