"""A disbursement at the bank: candidates for a line, and the moves that a match makes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from itertools import groupby

from django.db import transaction

from payments.core import money, states
from payments.core.business_days import business_days_after, business_days_between
from payments.ledger import services as ledger
from payments.reconciliation.models import Disbursement, StatementLine
from payments.reconciliation.services.disbursements.imports import WINDOW_DAYS

Status = Disbursement.Status
# Older ones are offered no longer. An operator may still name one.
OFFERED_FOR = timedelta(days=45)
# More disbursements on their way than these do not come as one sum.
TOGETHER_MAX = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """Disbursements of one account whose net amounts are the line's amount.

    business_days  from the newest of them to the line.
    """

    disbursements: tuple[Disbursement, ...]
    business_days: int

    @property
    def account(self) -> str:
        return self.disbursements[0].account_id

    @property
    def subject_id(self) -> str:
        """For LineMatch. The others are found by `arrived_with`."""
        return self.disbursements[0].pk

    @property
    def target(self) -> ledger.AccountRef:
        return ledger.transit(self.account, money.BALANCE_OF_FIAT)

    @property
    def is_in_window(self) -> bool:
        """Only these may be matched without a person."""
        return self.business_days <= WINDOW_DAYS


def find_disbursement(line: StatementLine) -> list[Arrival]:
    """Those whose net amount is the line's, oldest first; else sums of neighbouring days.

    A statement has the days of the bank, so a disbursement may be of an earlier day, never later.
    """
    return find_arrivals(amount=line.amount, booked_on=line.booked_on)


def find_arrivals(*, amount: Decimal, booked_on: date) -> list[Arrival]:
    if amount == 0:
        return []
    waiting = Disbursement.objects.exclude(status=Status.ARRIVED).filter(
        day__range=(booked_on - OFFERED_FOR, booked_on)
    )
    single = list(waiting.filter(net=amount).order_by("day", "pk"))
    if single:
        return [_arrival([one], booked_on) for one in single]
    earliest = booked_on - timedelta(days=3 * WINDOW_DAYS)
    recent = list(waiting.filter(day__gte=earliest).order_by("account_id", "day", "pk")[:500])
    return [
        _arrival(together, booked_on)
        for _account, rows in groupby(recent, key=lambda row: row.account_id)
        for together in _sums(list(rows), amount)
        if business_days_after(together[0].day, WINDOW_DAYS) >= booked_on
    ]


def _sums(rows: Sequence[Disbursement], amount: Decimal) -> Iterator[Sequence[Disbursement]]:
    """Neighbours in the order of days, at least two."""
    for start in range(len(rows)):
        total = rows[start].net
        for end in range(start + 1, min(len(rows), start + TOGETHER_MAX)):
            total += rows[end].net
            if total == amount:
                yield rows[start : end + 1]


def _arrival(rows: Sequence[Disbursement], booked_on: date) -> Arrival:
    passed = business_days_between(rows[-1].day, booked_on)
    return Arrival(disbursements=tuple(rows), business_days=passed)


@transaction.atomic
def arrive(*, arrival: Arrival, booked_on: date, actor: str, now: datetime) -> None:
    """The match is made. Raises IllegalMove if one of them has arrived in the meantime."""
    head = arrival.disbursements[0]
    for one in sorted(arrival.disbursements, key=lambda row: row.pk):
        states.move(
            one,
            Status.ARRIVED,
            now=now,
            actor=actor,
            arrived_on=booked_on,
            arrived_with=head if one.pk != head.pk else None,
        )


@transaction.atomic
def take_back(*, disbursement_id: str, actor: str, reason: str, now: datetime) -> None:
    """The match is taken back. Raises IllegalMove."""
    together = Disbursement.objects.filter(arrived_with=disbursement_id)
    rows = [*Disbursement.objects.filter(pk=disbursement_id), *together]
    for one in sorted(rows, key=lambda row: row.pk):
        states.move(
            one,
            Status.ANNOUNCED,
            now=now,
            actor=actor,
            reason=reason,
            arrived_on=None,
            arrived_with=None,
        )


def mark_late(*, today: date, now: datetime) -> int:
    """Disbursements whose window at the bank is over. Returns how many are late since now."""
    due = Disbursement.objects.filter(status=Status.ANNOUNCED, due_on__lt=today)
    marked = 0
    for one in due.order_by("due_on", "pk")[:1000]:
        try:
            with transaction.atomic():
                states.move(one, Status.LATE, now=now, actor="system")
        except states.IllegalMove:
            continue  # it arrived in the meantime
        marked += 1
    return marked
