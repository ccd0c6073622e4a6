"""A day of a bank account in three columns. It reads with a fixed number of queries."""

from collections.abc import Iterator
from datetime import date
from decimal import Decimal

from django.db.models import F, Sum

from payments.reconciliation.models import AccountKind, BankAccount, DayDifference
from payments.reconciliation.services.days import (
    balances,
    collected,
    decided,
    disbursed,
    paid_out,
    undecided,
)
from payments.reconciliation.services.days.bank_lines import BankDay, read_day
from payments.reconciliation.services.days.values import (
    NOTHING,
    Columns,
    DayReport,
    Item,
    difference,
    sum_flows,
)

READERS = (collected.items, disbursed.items, paid_out.items, decided.items, undecided.items)


def compute(account: BankAccount, day: date, today: date) -> DayReport:
    """As it is known now. What was resolved since the day is no difference of it."""
    found = read_day(account, day, today)
    stated = balances.read(account, day)
    items = [item for read in READERS for item in read(found)]
    items += _checks(found, stated)
    return DayReport(
        account_kind=AccountKind.BANK,
        account=account.pk,
        day=day,
        today=today,
        opening=_opening(account, day, stated.opening),
        flows=sum_flows(items),
        differences=[
            difference(item, day=day, today=today) for item in items if item.is_difference
        ],
        stated=stated.closing,
        is_covered=stated.is_covered,
    )


def _checks(found: BankDay, stated: balances.Stated) -> Iterator[Item]:
    moved = sum((line.amount for line in found.lines), NOTHING)
    checks = (
        balances.coverage(found.account, found.day, found.today, stated),
        balances.check_stated(found.day, stated, moved),
        balances.check_ledger(found.account, found.day, stated, moved),
    )
    yield from (item for item in checks if item is not None)


def _opening(account: BankAccount, day: date, bank: Decimal | None) -> Columns | None:
    """Our books and the provider have what the bank has, and what earlier days still differ in."""
    if bank is None:
        return None
    earlier = DayDifference.objects.filter(
        account_kind=AccountKind.BANK, account=account.pk, day__lt=day, closed_at=None
    )
    apart = earlier.aggregate(
        books=Sum(F("books") - F("bank")), provider=Sum(F("provider") - F("bank"))
    )
    return Columns(
        books=bank + (apart["books"] or NOTHING),
        provider=bank + (apart["provider"] or NOTHING),
        bank=bank,
    )
