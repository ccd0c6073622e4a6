"""A statement as one line for each operation that changed the balance.

An operation is an entry of the ledger. Money that is reserved or released stays in the balance, so
a payout is one line, on the day on which it left.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from itertools import groupby, islice

from django.db.models import Sum

from payments.console.subjects import NOTHING, SubjectFacts, facts_of
from payments.ledger.models import Account, Posting
from payments.ledger.services.movements import Movement
from payments.settlement.services.statements import Statement

BATCH_SIZE = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """gross - fee = net. An amount below zero left the balance.

    balance   available and held, after the operation.
    """

    at: datetime
    kind: str
    subject_id: str
    fee: Decimal
    net: Decimal
    balance: Decimal
    facts: SubjectFacts

    @property
    def gross(self) -> Decimal:
        return self.net + self.fee


@dataclass(frozen=True, slots=True)
class _Change:
    entry_id: str
    movement: Movement
    net: Decimal
    balance: Decimal


def operations(statement: Statement) -> Iterator[Operation]:
    """Oldest first. Reads in short queries, each about BATCH_SIZE operations."""
    changes = _changes(statement)
    while batch := list(islice(changes, BATCH_SIZE)):
        fees = _fees(batch, statement.currency)
        facts = facts_of(change.movement.subject_id for change in batch)
        for change in batch:
            yield Operation(
                at=change.movement.created_at,
                kind=change.movement.kind,
                subject_id=change.movement.subject_id,
                fee=fees.get(change.entry_id, Decimal(0)),
                net=change.net,
                balance=change.balance,
                facts=facts.get(change.movement.subject_id, NOTHING),
            )


def _changes(statement: Statement) -> Iterator[_Change]:
    """Entries that change the total of both accounts. Postings of an entry follow each other."""
    for entry_id, lines in groupby(statement.movements(), lambda line: line[0].entry_id):
        found = list(lines)
        net = sum((movement.amount for movement, _balance in found), Decimal(0))
        if net:
            movement, balance = found[-1]
            yield _Change(entry_id, movement, net, balance)


def _fees(batch: list[_Change], currency: str) -> dict[str, Decimal]:
    """{entry: what it moved to our fees in this currency}"""
    postings = Posting.objects.filter(
        entry__in=[change.entry_id for change in batch],
        account__kind=Account.Kind.FEES,
        currency=currency,
    )
    sums = postings.order_by().values_list("entry_id").annotate(fee=Sum("amount"))
    return dict(sums)
