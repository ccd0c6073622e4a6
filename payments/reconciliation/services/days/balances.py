"""What the bank says that the account had, and whether a statement covers the day."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from django.db.models import Min, QuerySet, Sum

from payments.core import money
from payments.core.business_days import business_days_after, is_business_day
from payments.core.days import ONE_DAY
from payments.ledger import services as ledger
from payments.ledger.services import system_balances
from payments.reconciliation.models import (
    BankAccount,
    Flow,
    StatementFile,
    StatementGap,
    StatementLine,
)
from payments.reconciliation.services.days.values import (
    NOTHING,
    Columns,
    Item,
    Kind,
    Record,
    at_once,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """
    opening  at the beginning of the day. None: no statement before says it.
    closing  as a statement that ends with the day wrote it.
    last     whether no later day has a statement.
    """

    opening: Decimal | None
    closing: Decimal | None
    is_covered: bool
    is_last: bool
    first_day: date | None


def read(account: BankAccount, day: date) -> Stated:
    files = StatementFile.objects.filter(account=account, is_complete=True)
    covering = list(files.filter(first_day__lte=day, last_day__gte=day).order_by("-pk"))
    ending = [one.closing for one in covering if one.last_day == day and one.closing is not None]
    return Stated(
        opening=_opening(account, day, files),
        closing=ending[0] if ending else None,
        is_covered=bool(covering),
        is_last=bool(covering) and not files.filter(last_day__gt=day).exists(),
        first_day=files.aggregate(day=Min("first_day"))["day"],
    )


def _opening(account: BankAccount, day: date, files: QuerySet[StatementFile]) -> Decimal | None:
    """The newest balance before the day, and the movements since."""
    begun = files.filter(first_day__lte=day, opening__isnull=False)
    since = begun.order_by("-first_day", "-pk").first()
    if since is None:
        return None
    if since.last_day < day and since.closing is not None:
        return since.closing + _moved(account, since.last_day + ONE_DAY, day)
    return (since.opening or NOTHING) + _moved(account, since.first_day, day)


def _moved(account: BankAccount, first: date, before: date) -> Decimal:
    rows = StatementLine.objects.filter(account=account, booked_on__gte=first, booked_on__lt=before)
    return rows.aggregate(total=Sum("amount"))["total"] or NOTHING


def coverage(account: BankAccount, day: date, today: date, stated: Stated) -> Item | None:
    """A business day that is over and that no statement has."""
    is_due = stated.first_day is not None and stated.first_day < day < today
    if stated.is_covered or not is_due or not is_business_day(day):
        return None
    accepted = StatementGap.objects.filter(account=account, first_day__lte=day, last_day__gte=day)
    if accepted.exists():
        return None
    return Item(
        flow=Flow.UNDECIDED,
        key="statement",
        columns=Columns(),
        kind=Kind.MISSING_THERE,
        cause="no_statement",
        facts={"day": day.isoformat()},
        records=(Record("reconciliation.bankaccount", account.pk),),
        due_on=business_days_after(day, 1),
        is_note=True,
    )


def check_stated(day: date, stated: Stated, moved: Decimal) -> Item | None:
    """Opening and movements lead to the balance that the bank wrote."""
    if stated.opening is None or stated.closing is None:
        return None
    if stated.opening + moved == stated.closing:
        return None
    return _wrong_sum(day, "statement_sum", stated.opening + moved, stated.closing)


def check_ledger(account: BankAccount, day: date, stated: Stated, moved: Decimal) -> Item | None:
    """On the last day with a statement the ledger has the same balance."""
    if not stated.is_last or stated.opening is None:
        return None
    code = ledger.bank(account.pk, money.BALANCE_OF_FIAT)
    booked = -system_balances.balance(code)
    closing = stated.opening + moved
    return None if booked == closing else _wrong_sum(day, "ledger_sum", booked, closing)


def _wrong_sum(day: date, cause: str, found: Decimal, wanted: Decimal) -> Item:
    return Item(
        flow=Flow.UNDECIDED,
        key=cause,
        columns=Columns(),
        kind=Kind.AMOUNT_DIFFERS,
        cause=cause,
        facts={"found": money.text(found), "wanted": money.text(wanted)},
        due_on=at_once(day),
        is_note=True,
    )
