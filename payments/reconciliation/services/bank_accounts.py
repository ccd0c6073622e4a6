"""The operator's own bank accounts. What payers and payouts use is in provider accounts."""

import json
import re
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_noop as _

from payments.core import audit
from payments.core.errors import ServiceError
from payments.rails.models import ProviderAccount
from payments.reconciliation.models import BankAccount

# The rails of one's own bank. Their credentials have `bank_code` and `account_number`.
BANK_RAILS = ("bankfile", "pabfile")


@dataclass(frozen=True, slots=True, kw_only=True)
class NewBankAccount:
    slug: str
    label: str
    bank_code: str
    number: str
    account_type: str
    holder: str
    document: str


class AccountExists(ServiceError):
    status = 409
    code = "CONFLICT"
    message = _("A bank account has this name already, or this bank and number.")


@transaction.atomic
def create_bank_account(
    *, new: NewBankAccount, actor: str, reason: str, now: datetime
) -> BankAccount:
    """Raises AccountExists and ValidationError."""
    account = BankAccount(
        slug=new.slug,
        label=new.label,
        bank_code=new.bank_code,
        number=new.number,
        account_type=new.account_type,
        holder=new.holder,
        document=new.document,
        created_by=actor,
        created_at=now,
    )
    account.full_clean(validate_unique=False, validate_constraints=False)
    is_named = BankAccount.objects.filter(pk=new.slug).exists()
    if is_named or bank_account_of(new.number, new.bank_code) is not None:
        raise AccountExists
    account.save(force_insert=True)
    audit.record(
        actor=actor,
        action="bank_account.created",
        subject=account,
        reason=reason,
        bank_code=account.bank_code,
        number=account.number,
    )
    return account


def bare_number(number: str) -> str:
    """Digits without the zeros on the left, because some banks fill the field with them."""
    return re.sub(r"\D", "", number).lstrip("0")


def accounts_numbered(number: str) -> list[BankAccount]:
    """Of whatever bank, because few formats name it."""
    bare = bare_number(number)
    accounts = BankAccount.objects.order_by("pk")
    return [account for account in accounts if bare and bare_number(account.number) == bare]


def bank_account_of(number: str, bank: str) -> BankAccount | None:
    """`bank` is a code of ACH Colombia, such as 1007."""
    found = (one for one in accounts_numbered(number) if one.bank_code == bank)
    return next(found, None)


def accounts_of(account: BankAccount) -> dict[str, list[str]]:
    """Slugs of the provider accounts that use the bank account, by type of rail."""
    found: dict[str, list[str]] = {rail: [] for rail in BANK_RAILS}
    for one in ProviderAccount.objects.filter(provider__in=BANK_RAILS).order_by("pk"):
        if _bank_account(one) == account:
            found[one.provider].append(one.pk)
    return found


def bank_account_of_rail(slug: str) -> BankAccount | None:
    """The bank account that a provider account uses."""
    found = ProviderAccount.objects.filter(pk=slug, provider__in=BANK_RAILS).first()
    return _bank_account(found) if found is not None else None


def _bank_account(account: ProviderAccount) -> BankAccount | None:
    credentials = json.loads(account.credentials)
    return bank_account_of(credentials.get("account_number", ""), credentials.get("bank_code", ""))
