"""Withdraws a merchant's balance to its own verified account: an ordinary payout."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import ROUND_FLOOR, Decimal

from django.contrib.auth.models import User
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from merchants.legal import tax_ids
from merchants.legal.models import LegalData
from merchants.models import Merchant
from payments.core import audit
from payments.core.errors import NotAllowed, ServiceError
from payments.core.reasons import MoveReason, ReasonCode
from payments.ledger.services import accounts as ledger
from payments.outgoing.creation import PaymentRequest
from payments.outgoing.models import BalanceCurrency
from payments.payout.models import Network, Payout
from payments.payout.services import by_hand, catalogue, payouts
from payments.payout.services.payouts import NewPayout
from payments.withdrawals.models import BankAccount, Withdrawal

# The idempotency keys of withdrawals, among those of the merchant's API requests.
KEY_PREFIX = "withdrawal-"
DESCRIPTION = "Retiro a cuenta propia"


class AccountNotVerified(ServiceError):
    code = "BANK_ACCOUNT_NOT_VERIFIED"
    message = _("An operator has to verify the bank account first.")


class NothingToWithdraw(ServiceError):
    code = "NOTHING_TO_WITHDRAW"
    message = _("The balance is not enough for the fee of a withdrawal.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """`amount` in pesos. `token` of the form: one withdrawal for each."""

    account: BankAccount
    amount: Decimal
    token: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """What the page shows before the person asks."""

    available: Decimal
    most: Decimal
    fee: Decimal


def offer(merchant: Merchant) -> Offer:
    """The most that the balance and the bank's cap allow, and its fee."""
    found = ledger.balances(merchant.pk).get(BalanceCurrency.COPM, {})
    available = found.get("available", Decimal(0))
    method = catalogue.method_of(Network.BANK)
    most = min(available, method.max_amount).to_integral_value(ROUND_FLOOR)
    # A fee that is a part of the amount is lower for a lower amount, so this is never too much.
    most = max(
        Decimal(0), min(most, (available - method.fee_of(most)).to_integral_value(ROUND_FLOOR))
    )
    return Offer(available=available, most=most, fee=method.fee_of(most))


def draft(account: BankAccount, *, amount: Decimal, now: datetime) -> Payout:
    """The payout of a withdrawal that is sent now, not saved. Raises what create_payout raises for
    the request.
    """
    wanted = _payout_of(account, amount)
    return payouts.price(merchant=account.merchant, wanted=wanted, now=now)


def withdraw(*, wanted: Wanted, user: User, now: datetime) -> tuple[Payout, bool]:
    """Creates the payout once for each token. Returns it and whether it existed.

    It waits for the merchant's team as a payout by hand does. Raises AccountNotVerified,
    NothingToWithdraw, NotAllowed, and what create_payout raises.
    """
    account, name = wanted.account, user.get_username()
    merchant = account.merchant
    if not (merchant.is_active and merchant.payout_enabled):
        # It would wait, unsent, and keep its money from the balance.
        raise NotAllowed(_("The account may not make payouts now."))
    if (earlier := made_with(merchant, wanted.token)) is not None:
        return earlier, True
    if wanted.amount <= 0:
        raise NothingToWithdraw
    request = PaymentRequest(
        merchant=merchant,
        requester=by_hand.Person(name),
        idempotency_key=f"{KEY_PREFIX}{wanted.token}",
        wanted=_payout_of(account, wanted.amount),
    )

    def check(payout: Payout) -> None:
        _check_verified(account)
        by_hand.hold_back(payout, merchant, name, now)
        Withdrawal.objects.create(
            payout_id=payout.pk, account=account, asked_by=name, created_at=now
        )
        audit.record(actor=name, action="withdrawal.asked", subject=payout, account=account.pk)

    return payouts.create_payout(request, now=now, check=check)


def made_with(merchant: Merchant, token: str) -> Payout | None:
    """The withdrawal that the form of this token made. After it, "all" is another amount."""
    key = f"{KEY_PREFIX}{token}"
    return Payout.objects.filter(merchant=merchant, idempotency_key=key).first()


def titles(payout_ids: Sequence[str]) -> dict[str, str]:
    """{id of a payout: its title}, of those that are withdrawals. One query."""
    rows = Withdrawal.objects.filter(pk__in=payout_ids).select_related("account__bank")
    return {row.pk: gettext("Withdrawal to %s") % row.account for row in rows}


def refusal(payout: Payout, now: datetime) -> str:
    """Before it is sent: a withdrawal goes to the account that was verified when it was made.

    If the merchant has another account or another NIT by now, the withdrawal ends unsent.
    """
    if not payout.idempotency_key.startswith(KEY_PREFIX):
        return ""
    rows = Withdrawal.objects.select_related("account").filter(pk=payout.pk)
    found = rows.first()
    if found is None or is_verified(found.account):
        return ""
    return MoveReason(ReasonCode.ACCOUNT_NOT_VERIFIED)


def _check_verified(account: BankAccount) -> None:
    """Under the lock of the account, so that it is not replaced before the payout exists."""
    if not is_verified(BankAccount.objects.select_for_update(no_key=True).get(pk=account.pk)):
        raise AccountNotVerified


def is_verified(account: BankAccount) -> bool:
    """With the NIT that the merchant has now."""
    nit = LegalData.objects.filter(merchant=account.merchant_id).values_list("nit", flat=True)
    return account.status == BankAccount.Status.VERIFIED and nit.first() == account.nit


def _payout_of(account: BankAccount, amount: Decimal) -> NewPayout:
    return NewPayout(
        amount=amount,
        currency=BalanceCurrency.COPM,
        recipient_name=account.holder_name,
        recipient_doc_type="NIT",
        # As every payout to a NIT has it: the legal data keep it without the check digit.
        recipient_doc_number=account.nit + tax_ids.check_digit(account.nit),
        network=Network.BANK,
        bank=account.bank_id,
        account_type=account.account_type,
        account_number=account.account_number,
        key_type=None,
        key_value=None,
        description=DESCRIPTION,
    )
