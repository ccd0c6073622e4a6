"""Payouts are priced, checked against the catalogue and created."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import partial

from django.conf import settings

from merchants.models import Merchant
from payments.core.errors import ValidationFailed
from payments.core.text import normalised_document
from payments.outgoing import creation
from payments.outgoing.creation import PaymentRequest
from payments.outgoing.models import BalanceCurrency
from payments.payout.models import Bank, Network, Payout, PayoutMethod
from payments.payout.services import catalogue
from payments.payout.services.engine import PRODUCT
from payments.payout.services.errors import PayoutDisabled, PayoutProviderUnavailable
from payments.providers import breaker, registry
from payments.rates import services as rates


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPayout:
    """What POST /payout asks for. `amount` in pesos; `currency` is the balance that pays."""

    amount: Decimal
    currency: str
    recipient_name: str
    recipient_doc_type: str
    recipient_doc_number: str
    network: str
    bank: str | None
    account_type: str | None
    account_number: str | None
    key_type: str | None
    key_value: str | None
    description: str


def create_payout(request: PaymentRequest[NewPayout], *, now: datetime) -> tuple[Payout, bool]:
    """Creates a payout, PENDING, and holds amount and fee in the same transaction.

    Returns it and whether it was replayed. Raises
    IdempotencyKeyReused, PayoutDisabled, PayoutProviderUnavailable, PayoutMethodNotAvailable,
    AmountAboveLimit, AmountBelowMinimum, ValidationFailed (bank), StaleRate, InsufficientBalance.
    """
    build = partial(_build, request.merchant, request.wanted, now)
    return creation.create(PRODUCT, request, build=build, now=now)


def _build(merchant: Merchant, new: NewPayout, now: datetime) -> Payout:
    method, bank = _check_catalogue(new)
    payout = _new_payout(method, bank, new, now)
    payout.needs_approval = _needs_approval(merchant, payout.amount)
    payout.next_action_at = None if payout.needs_approval else now
    return payout


def _check_catalogue(new: NewPayout) -> tuple[PayoutMethod, Bank | None]:
    if not catalogue.is_enabled():
        raise PayoutDisabled
    method = catalogue.method_of(new.network)
    method.check_amount(new.amount)
    bank = None
    if method.network == Network.BANK:
        bank = catalogue.find_bank(new.bank or "")
        if bank is None or settings.PAYOUT_PROVIDER not in bank.codes:
            raise ValidationFailed({"bankCanonicalId": "Is not a bank of GET /payout/methods."})
    _check_provider(method.network)
    return method, bank


def _check_provider(network: str) -> None:
    try:
        port = registry.PAYOUT.configured()
    except registry.UnknownProvider as error:
        raise PayoutProviderUnavailable from error
    if network not in port.networks() or breaker.is_open(PRODUCT.circuit(port.code)):
        raise PayoutProviderUnavailable


def _new_payout(method: PayoutMethod, bank: Bank | None, new: NewPayout, now: datetime) -> Payout:
    fee = method.fee_of(new.amount)
    debit, rate, spread = _price(new.amount + fee, new.currency, now)
    return Payout(
        amount=new.amount,
        fee_amount=fee,
        currency=new.currency,
        debit=debit,
        rate=rate,
        spread=spread,
        recipient_name=new.recipient_name,
        recipient_doc_type=new.recipient_doc_type,
        recipient_doc_number=new.recipient_doc_number,
        recipient_document=normalised_document(new.recipient_doc_number),
        network=method.network,
        bank=bank,
        bank_code=bank.codes[settings.PAYOUT_PROVIDER] if bank else "",
        account_type=(new.account_type or "") if bank else "",
        account_number=(new.account_number or "") if bank else "",
        key_type="" if bank else new.key_type or "",
        key_value="" if bank else new.key_value or "",
        description=new.description,
        provider=settings.PAYOUT_PROVIDER,
    )


def _price(
    total: Decimal, currency: str, now: datetime
) -> tuple[Decimal, Decimal | None, Decimal | None]:
    """Debit, rate and spread for `total` pesos, fixed now."""
    if currency == BalanceCurrency.COPM:
        return total, None, None
    quote = rates.payout_quote(amount_cop=total, currency=currency, now=now)
    return quote.debit, quote.rate, quote.spread


def _needs_approval(merchant: Merchant, amount: Decimal) -> bool:
    above = merchant.payout_approval_above
    return above is not None and amount > above
