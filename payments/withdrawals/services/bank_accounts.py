"""A merchant has one current bank account. Earlier ones stay as its history."""

from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext_noop as _

from merchants.legal import services as legal
from merchants.models import Merchant
from payments.console import four_eyes
from payments.core import audit, states
from payments.core.errors import NotAllowed, ServiceError
from payments.core.kept_files import NewFile
from payments.core.reasons import MoveReason, ReasonCode
from payments.outgoing import beneficiary_validation
from payments.payout.models import Payout
from payments.payout.services import approvals, catalogue
from payments.withdrawals.models import CURRENT, AccountCertificate, BankAccount, Withdrawal

Status = BankAccount.Status


class LegalDataMissing(ServiceError):
    code = "LEGAL_DATA_MISSING"
    message = _("Set the legal data of the merchant first: the account must have the same NIT.")


class WrongAccount(ServiceError):
    code = "WRONG_ACCOUNT"
    message = _("This is no account number of that bank: 6 to 20 digits, or a mobile of a wallet.")


@dataclass(frozen=True, slots=True, kw_only=True)
class NewAccount:
    """The console asks for the bank's certificate. Without it, an operator has to get it."""

    merchant: Merchant
    bank: str
    account_type: str
    account_number: str
    certificate: NewFile | None = None


def current(merchant: Merchant) -> BankAccount | None:
    found = BankAccount.objects.filter(merchant=merchant, status__in=CURRENT)
    return found.select_related("bank").first()


@transaction.atomic
def enter(*, new: NewAccount, actor: str, reason: str, now: datetime) -> BankAccount:
    """Replaces the current account. The new one waits for verification by an operator.

    Ends withdrawals to the former one that wait for approval.
    Raises LegalDataMissing, WrongAccount, FileRefused.
    """
    certificate = None
    if new.certificate is not None:
        certificate = new.certificate.values(
            most=settings.BANK_CERTIFICATE_MAX_BYTES,
            unnamed="certificate",
            added_by=actor,
            added_at=now,
        )
    # The merchant's row is the lock, because the first account has no other.
    Merchant.objects.select_for_update(no_key=True).defer("webhook_secret").get(pk=new.merchant.pk)
    data = legal.find(new.merchant)
    if data is None:
        raise LegalDataMissing
    bank = catalogue.find_bank(new.bank)
    if bank is None:
        raise WrongAccount
    number = beneficiary_validation.account_number(new.account_number, bank.slug)
    if number is None:
        raise WrongAccount
    rows = BankAccount.objects.filter(merchant=new.merchant, status__in=CURRENT)
    old = rows.select_for_update(no_key=True).first()
    if old is not None:
        states.move(old, Status.REPLACED, now=now, actor=actor, reason=reason)
        _end_waiting(old, actor, reason, now)
    account = BankAccount.objects.create(
        merchant=new.merchant,
        bank=bank,
        account_type=new.account_type,
        account_number=number,
        holder_name=data.legal_name,
        nit=data.nit,
        entered_by=actor,
        created_at=now,
    )
    if certificate is not None:
        AccountCertificate.objects.create(account=account, **certificate)
    audit.record(
        actor=actor,
        action="bank_account.entered",
        subject=account,
        reason=reason,
        merchant=new.merchant.pk,
        account=str(account),
        replaces=old.pk if old else "",
        certificate=certificate["sha256"] if certificate else "",
    )
    return account


@transaction.atomic
def verify(*, account: BankAccount, actor: str, reason: str, now: datetime) -> None:
    """An operator has seen the bank's certificate. Raises NotAllowed."""
    _decide(account, Status.VERIFIED, actor, reason, now)


@transaction.atomic
def reject(*, account: BankAccount, actor: str, reason: str, now: datetime) -> None:
    """Also of a verified account. Ends withdrawals to it that wait for approval.

    Raises NotAllowed.
    """
    _decide(account, Status.REJECTED, actor, reason, now)
    _end_waiting(account, actor, reason, now)


def _end_waiting(account: BankAccount, actor: str, reason: str, now: datetime) -> None:
    """The others are refused when a worker sends them."""
    waiting = Withdrawal.objects.filter(account=account, payout__status=Payout.Status.PENDING)
    for payout_id in waiting.order_by("pk").values_list("pk", flat=True):
        approvals.end_held_back(
            payout_id=payout_id,
            actor=actor,
            reason=reason,
            now=now,
            why=MoveReason(ReasonCode.ACCOUNT_NOT_VERIFIED),
        )


def _decide(account: BankAccount, status: str, actor: str, reason: str, now: datetime) -> None:
    locked = BankAccount.objects.select_for_update(no_key=True).get(pk=account.pk)
    if status not in BankAccount.MOVES.get(locked.status, frozenset()):
        raise NotAllowed(_("This account does not wait for a decision."))
    if status == Status.VERIFIED:
        four_eyes.check(actor=actor, asked_by=locked.entered_by)
    states.move(locked, status, now=now, actor=actor, reason=reason, decided_by=actor)
    action = "bank_account.verified" if status == Status.VERIFIED else "bank_account.rejected"
    audit.record(
        actor=actor, action=action, subject=locked, reason=reason, merchant=locked.merchant_id
    )
