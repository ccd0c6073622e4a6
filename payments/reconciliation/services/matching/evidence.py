"""Credits without a reference: by amount, days in Bogotá, and document or name.

The amount alone is never enough, nor is a text alone. A person decides where more than one charge,
or more than one line, fits.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import F, QuerySet

from payments.collect.models import Order
from payments.core.business_days import business_days_between, earliest_within
from payments.core.days import ONE_DAY, day_of, start_of
from payments.core.money import BALANCE_OF_FIAT
from payments.ledger import services as ledger
from payments.reconciliation.models import AwaitedTransfer, LineStatus, MatchKind, StatementLine
from payments.reconciliation.services.matching import payers, references
from payments.reconciliation.services.matching.values import Candidate, Fact, Search, fact

WINDOW_DAYS = 3  # business days
# More equal amounts than this do not help.
SHOWN = 12
READ = 200
UNDECIDED = (LineStatus.NEW, LineStatus.AMBIGUOUS, LineStatus.UNMATCHED)


@dataclass(frozen=True, slots=True)
class _Found:
    transfer: AwaitedTransfer
    payer: payers.Payer
    agrees: tuple[Fact, ...]
    differs: tuple[Fact, ...]

    @property
    def is_same_payer(self) -> bool:
        names = {one["fact"] for one in self.agrees}
        against = {one["fact"] for one in self.differs}
        return bool(names & {"document", "name"}) and "document_differs" not in against

    @property
    def may_be_same_payer(self) -> bool:
        return self.is_same_payer or any(one["fact"] == "name_similar" for one in self.agrees)

    @property
    def is_paid(self) -> bool:
        return self.transfer.missing == 0 or self.payer.order.status == Order.Status.COMPLETED


def find(search: Search) -> Sequence[Candidate]:
    line = search.line
    if line.amount < 0 or not search.payins:
        return []
    found = _newest_of_orders(_in_window(search))
    fitting = [one for one in found if one.is_same_payer and not one.is_paid]
    is_only = len(fitting) == 1 and not any(
        one.may_be_same_payer for one in found if one not in fitting and not one.is_paid
    )
    certain = fitting[0] if is_only and not _has_rival(search, fitting[0]) else None
    shown = [one for one in found if not one.is_paid or one.is_same_payer]
    candidates = [_candidate(line, one, is_certain=one is certain) for one in shown]
    return sorted(candidates, key=lambda one: -one.weight)[:SHOWN]


def is_awaited(search: Search) -> bool:
    """Whether a payer was asked for the same amount in these days."""
    return _awaited(search).filter(amount=search.amount).exists()


def _awaited(search: Search) -> QuerySet[AwaitedTransfer]:
    booked_on = search.line.booked_on
    return AwaitedTransfer.objects.filter(
        account__in=search.payins,
        created_at__gte=start_of(earliest_within(booked_on, WINDOW_DAYS)),
        created_at__lt=start_of(booked_on + ONE_DAY),
    )


def _in_window(search: Search) -> list[_Found]:
    line, known = search.line, _awaited(search)
    whole = known.filter(amount=line.amount).order_by("-id")[:READ]
    rest = known.filter(received__gt=0, amount=F("received") + line.amount)
    transfers = [*whole, *rest[:READ]]
    of_payers = payers.read(transfers)
    found = []
    for transfer in transfers:
        if (payer := of_payers.get(transfer.pk)) is not None:
            agrees, differs = payers.compare(line, payer)
            found.append(_Found(transfer, payer, tuple(agrees), tuple(differs)))
    return found


def _newest_of_orders(found: list[_Found]) -> list[_Found]:
    """A payer who chose again has several references for one order. The newest one stands."""
    newest: dict[str, _Found] = {}
    for one in sorted(found, key=lambda one: one.transfer.pk):
        newest[one.payer.order.pk] = one
    return list(newest.values())


def _has_rival(search: Search, found: _Found) -> bool:
    """Whether another undecided line fits the charge as well."""
    line = search.line
    first = day_of(found.transfer.created_at)
    near = StatementLine.objects.filter(
        account_id=line.account_id,
        amount=line.amount,
        booked_on__gte=first,
        booked_on__lte=_last_day(first),
        status__in=UNDECIDED,
    ).exclude(pk=line.pk)
    for other in near[:READ]:
        agrees, differs = payers.compare(other, found.payer)
        rival = _Found(found.transfer, found.payer, tuple(agrees), tuple(differs))
        if rival.may_be_same_payer and not references.names_another(other, search):
            return True
    return False


def _last_day(first: date) -> date:
    """The window's end: weekends after its last business day belong to it."""
    last = first
    while business_days_between(first, last + ONE_DAY) <= WINDOW_DAYS:
        last += ONE_DAY
    return last


def _candidate(line: StatementLine, found: _Found, *, is_certain: bool) -> Candidate:
    transfer = found.transfer
    created = day_of(transfer.created_at)
    days = business_days_between(created, line.booked_on)
    amount = payers.amount_facts(line, transfer)
    is_equal = amount["fact"] == "amount"
    window = fact("days", ordered=created, days=days)
    paid = [fact("order_completed")] if found.payer.order.status == "COMPLETED" else []
    return Candidate(
        kind=MatchKind.CHARGE,
        subject_id=transfer.charge_id,
        to=ledger.clearing(transfer.account, BALANCE_OF_FIAT),
        facts=(*([amount] if is_equal else []), window, *found.agrees),
        differs=(*([] if is_equal else [amount]), *paid, *found.differs),
        is_certain=is_certain,
        transfer=transfer,
    )
