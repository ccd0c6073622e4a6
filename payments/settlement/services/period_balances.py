"""A merchant's two accounts in a currency, and the limits of a period on them.

On one account ids and times ascend together. So a period is a range of ids, and a statement leaves
out postings that arrive while it is read.
"""

from dataclasses import dataclass, field
from decimal import Decimal
from typing import NamedTuple

from django.db import connection

from payments.ledger.models import Account
from payments.settlement.days import Period

Accounts = dict[str, int]  # {available | held: id of the account}

# One statement: both accounts at the same time.
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
    available: Decimal
    held: Decimal

    @property
    def total(self) -> Decimal:
        return self.available + self.held


@dataclass(slots=True)
class Edge:
    """The beginning or end of a period: the last posting before it on each account."""

    last: Accounts = field(default_factory=dict)
    balances: dict[str, Decimal] = field(default_factory=dict)

    @property
    def balance(self) -> Balance:
        kinds = (Account.Kind.AVAILABLE, Account.Kind.HELD)
        return Balance(*(self.balances.get(kind, Decimal(0)) for kind in kinds))


def accounts_of(merchant_id: str, currency: str) -> Accounts:
    rows = Account.objects.filter(merchant=merchant_id, currency=currency)
    return dict(rows.values_list("kind", "pk"))


def find_edges(of: Accounts, period: Period) -> tuple[Edge, Edge]:
    """The beginning and the end. A period that is not over ends with the last posting."""
    found = Edge(), Edge()
    with connection.cursor() as cursor:
        cursor.execute(
            _EDGES_SQL, {"accounts": list(of.values()), "start": period.start, "end": period.end}
        )
        for _account, kind, number, posting, balance in cursor.fetchall():
            found[number].last[kind] = posting
            found[number].balances[kind] = balance
    return found
