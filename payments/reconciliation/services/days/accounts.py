"""The accounts that are reconciled by day."""

from datetime import date
from typing import NamedTuple

from django.utils.translation import gettext_noop as _

from payments.core.errors import NotFound
from payments.rails.models import ProviderAccount
from payments.reconciliation.models import AccountKind, BankAccount
from payments.reconciliation.services.days import acquirer_day, bank_day
from payments.reconciliation.services.days.values import DayReport
from payments.reconciliation.settlement_formats import PARSERS


class DayAccount(NamedTuple):
    """`slug` is the name in URLs."""

    kind: AccountKind
    slug: str
    label: str


class UnknownAccount(NotFound):
    message = _("There is no such account.")


def list_accounts() -> list[DayAccount]:
    """Bank accounts first."""
    banks = BankAccount.objects.order_by("pk").values_list("pk", "label")
    acquirers = ProviderAccount.objects.filter(provider__in=PARSERS).order_by("pk")
    return [
        *(DayAccount(AccountKind.BANK, pk, label) for pk, label in banks),
        *(
            DayAccount(AccountKind.ACQUIRER, pk, label)
            for pk, label in acquirers.values_list("pk", "label")
        ),
    ]


def find_account(slug: str, kind: str = "") -> DayAccount:
    """Of two with one name, the bank account. Raises UnknownAccount."""
    for one in list_accounts():
        if one.slug == slug and kind in ("", one.kind):
            return one
    raise UnknownAccount


def compute_day(account: DayAccount, day: date, today: date) -> DayReport:
    """Reads only. Raises UnknownAccount."""
    if account.kind == AccountKind.BANK:
        bank = BankAccount.objects.filter(pk=account.slug).first()
        if bank is None:
            raise UnknownAccount
        return bank_day.compute(bank, day, today)
    acquirer = ProviderAccount.objects.filter(pk=account.slug).first()
    if acquirer is None:
        raise UnknownAccount
    return acquirer_day.compute(acquirer, day, today)
