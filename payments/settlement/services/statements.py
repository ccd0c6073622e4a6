"""Statements: opening balance + every movement = closing balance."""

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from itertools import islice

from django.db import connection
from django.utils.translation import gettext_noop as _

from payments.core.errors import ValidationFailed
from payments.ledger.models import Posting
from payments.ledger.services import Movement, read_movements
from payments.settlement import days
from payments.settlement.days import Period
from payments.settlement.models import SettlementLine
from payments.settlement.services import period_balances
from payments.settlement.services.period_balances import Accounts, Balance, Edge

CHUNK_SIZE = 1000

_TOTALS_SQL = """
SELECT kind, count(*), sum(amount) FROM ledger_posting
WHERE account_id = %(account)s AND id > %(after)s AND id <= %(upto)s
GROUP BY kind
"""


@dataclass(frozen=True, slots=True)
class Total:
    """The number of movements of a kind, and their change of the balance."""

    kind: str
    movements: int
    change: Balance


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A merchant's balance in one currency over a period in Bogotá.

    opening + movements = closing, on each account and in total. A period that is not over ends with
    the last posting at `made_at`.
    """

    merchant_id: str
    currency: str
    period: Period
    opening: Balance
    closing: Balance
    totals: list[Total]
    accounts: Accounts
    edges: tuple[Edge, Edge]
    made_at: datetime

    @property
    def ends_at(self) -> datetime:
        return min(self.period.end, self.made_at)

    @property
    def movement_count(self) -> int:
        return sum(total.movements for total in self.totals)

    def movements(self) -> Iterator[tuple[Movement, Decimal]]:
        """Each with the total balance (available and held) after it, oldest first.

        Reads in short queries: one long query would stay open while the reader is slow.
        """
        balance = self.opening.total
        kinds = {pk: kind for kind, pk in self.accounts.items()}
        postings = heapq.merge(*(self._postings(kind) for kind in self.accounts))
        while chunk := list(islice(postings, CHUNK_SIZE)):
            for movement in read_movements([pk for _at, pk in chunk], kinds):
                balance += movement.amount
                yield movement, balance

    def _postings(self, kind: str) -> Iterator[tuple[datetime, int]]:
        """(created_at, id) of an account's postings."""
        after, upto = (edge.last.get(kind, 0) for edge in self.edges)
        rows = Posting.objects.filter(account=self.accounts[kind], pk__lte=upto).order_by("pk")
        while chunk := list(rows.filter(pk__gt=after).values_list("created_at", "pk")[:CHUNK_SIZE]):
            yield from chunk
            after = chunk[-1][1]


def make_statement(*, merchant_id: str, currency: str, period: Period, now: datetime) -> Statement:
    """Raises ValidationFailed when the period ends before it begins, or after today."""
    if period.last < period.first:
        raise ValidationFailed({"to": _("Must not be before the first day.")})
    if period.last > days.day_of(now):
        raise ValidationFailed({"to": _("Must not be after today in Bogotá.")})
    accounts = period_balances.accounts_of(merchant_id, currency)
    opening, closing = period_balances.find_edges(accounts, period)
    return Statement(
        merchant_id=merchant_id,
        currency=currency,
        period=period,
        opening=opening.balance,
        closing=closing.balance,
        totals=_totals(accounts, opening, closing),
        accounts=accounts,
        edges=(opening, closing),
        made_at=now,
    )


def tax_lines(statement: Statement) -> list[SettlementLine]:
    """The lines of closed days in the period, oldest first, each with its settlement."""
    lines = SettlementLine.objects.filter(
        settlement__merchant=statement.merchant_id,
        settlement__currency=statement.currency,
        settlement__date__range=statement.period,
    )
    return list(lines.select_related("settlement").order_by("settlement__date", "pk"))


def _totals(accounts: Accounts, opening: Edge, closing: Edge) -> list[Total]:
    found: dict[str, Total] = {}
    nothing = Balance(Decimal(0), Decimal(0))
    for account, pk in sorted(accounts.items()):
        after, upto = (edge.last.get(account, 0) for edge in (opening, closing))
        with connection.cursor() as cursor:
            cursor.execute(_TOTALS_SQL, {"account": pk, "after": after, "upto": upto})
            for kind, count, amount in cursor.fetchall():
                total = found.get(kind, Total(kind, 0, nothing))
                change = total.change._replace(**{account: amount})
                found[kind] = Total(kind, total.movements + count, change)
    return [found[kind] for kind in sorted(found)]
