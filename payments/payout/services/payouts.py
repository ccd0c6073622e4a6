"""Payouts: priced and checked against the catalogue, found, listed. What they share with other
outgoing payments is in payments.outgoing.
"""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from functools import partial
from typing import Any

from django.conf import settings

from merchants.models import ApiKey, Merchant
from payments.core.errors import ValidationFailed
from payments.core.text import normalised_document
from payments.outgoing import creation
from payments.outgoing.models import BalanceCurrency
from payments.outgoing.terms import check_amount, fee_of
from payments.payout.models import Bank, Network, Payout, PayoutMethod
from payments.payout.services import catalogue
from payments.payout.services.engine import PRODUCT
from payments.payout.services.errors import PayoutDisabled, PayoutProviderUnavailable
from payments.providers import breaker, registry
from payments.rates import services as rates


def create_payout(
    *, merchant: Merchant, key: ApiKey, idempotency_key: str, now: datetime, **fields: Any
) -> tuple[Payout, bool]:
    """Creates a payout, PENDING, and holds amount and fee in the same transaction.

    Returns it and whether it was replayed: the same key never makes a second one. Raises
    IdempotencyKeyReused, PayoutDisabled, PayoutProviderUnavailable, PayoutMethodNotAvailable,
    AmountAboveLimit, AmountBelowMinimum, ValidationFailed (bank), StaleRate, InsufficientBalance.
    """
    return creation.create(
        PRODUCT,
        merchant=merchant,
        key=key,
        idempotency_key=idempotency_key,
        fields=fields,
        build=partial(_build, merchant, fields, now),
        now=now,
    )


def find_payout(*, merchant: Merchant, payout_id: str) -> Payout:
    """The merchant's payout. Raises PaymentNotFound, the same for every reason."""
    return creation.find(PRODUCT, merchant=merchant, payment_id=payout_id, prefix="po")


def list_payouts(*, merchant: Merchant, **filters: Any) -> tuple[list[Payout], int]:
    """One page of the merchant's payouts, newest first: see creation.page."""
    return creation.page(PRODUCT, merchant=merchant, **filters)


def _build(merchant: Merchant, fields: Mapping[str, Any], now: datetime) -> Payout:
    method, bank = _check_catalogue(fields)
    payout = _new_payout(method, bank, fields, now)
    payout.needs_approval = _needs_approval(merchant, payout.amount)
    payout.next_action_at = None if payout.needs_approval else now
    return payout


def _check_catalogue(fields: Mapping[str, Any]) -> tuple[PayoutMethod, Bank | None]:
    if not catalogue.is_enabled():
        raise PayoutDisabled
    method = catalogue.method_of(fields["network"])
    check_amount(method, fields["amount"])
    bank = None
    if method.network == Network.BANK:
        bank = catalogue.find_bank(fields["bank"])
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


def _new_payout(
    method: PayoutMethod, bank: Bank | None, fields: Mapping[str, Any], now: datetime
) -> Payout:
    fee = fee_of(method, fields["amount"])
    debit, rate, spread = _price(fields["amount"] + fee, fields["currency"], now)
    return Payout(
        amount=fields["amount"],
        fee_amount=fee,
        currency=fields["currency"],
        debit=debit,
        rate=rate,
        spread=spread,
        recipient_name=fields["recipient_name"],
        recipient_doc_type=fields["recipient_doc_type"],
        recipient_doc_number=fields["recipient_doc_number"],
        recipient_document=normalised_document(fields["recipient_doc_number"]),
        network=method.network,
        bank=bank,
        bank_code=bank.codes[settings.PAYOUT_PROVIDER] if bank else "",
        account_type=fields["account_type"] if bank else "",
        account_number=fields["account_number"] if bank else "",
        key_type="" if bank else fields["key_type"],
        key_value="" if bank else fields["key_value"],
        description=fields["description"],
        provider=settings.PAYOUT_PROVIDER,
    )


def _price(
    total: Decimal, currency: str, now: datetime
) -> tuple[Decimal, Decimal | None, Decimal | None]:
    """What leaves the balance for `total` pesos: fixed now, whatever the rate does later."""
    if currency == BalanceCurrency.COPM:
        return total, None, None
    quote = rates.payout_quote(amount_cop=total, currency=currency, now=now)
    return quote.debit, quote.rate, quote.spread


def _needs_approval(merchant: Merchant, amount: Decimal) -> bool:
    above = merchant.payout_approval_above
    return above is not None and amount > above
