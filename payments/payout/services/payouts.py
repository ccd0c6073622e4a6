"""Payouts: created with their money held, found, listed. The sending is in engine.py."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from merchants.models import ApiKey, Merchant
from payments.api.idempotency import IdempotencyKeyReused, fingerprint
from payments.core.errors import ValidationFailed
from payments.core.ids import is_id
from payments.core.text import normalised_document
from payments.ledger import recipes
from payments.payout.models import BalanceCurrency, Bank, Network, Payout, PayoutMethod
from payments.payout.services import catalogue, engine
from payments.payout.services.errors import (
    AmountAboveLimit,
    AmountBelowMinimum,
    PayoutDisabled,
    PayoutNotFound,
    PayoutProviderUnavailable,
)
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
    print_ = fingerprint(fields)
    known = _by_key(merchant, idempotency_key)
    if known is not None:
        return _replay(known, print_), True
    method, bank = _check_catalogue(fields)
    payout = _new_payout(merchant, method, bank, fields, now)
    payout.idempotency_key, payout.fingerprint = idempotency_key, print_
    payout.requested_by = key.pk
    payout.needs_approval = _needs_approval(merchant, payout.amount)
    payout.next_action_at = None if payout.needs_approval else now
    try:
        _save_with_hold(payout, now)
    except IntegrityError:
        # The first request with this key has committed while we waited for its row.
        known = _by_key(merchant, idempotency_key)
        if known is None:
            raise
        return _replay(known, print_), True
    return payout, False


def find_payout(*, merchant: Merchant, payout_id: str) -> Payout:
    """The merchant's payout. Raises PayoutNotFound, the same for every reason."""
    if not is_id(payout_id, "po"):
        raise PayoutNotFound
    payout = Payout.objects.filter(pk=payout_id, merchant=merchant).first()
    if payout is None:
        raise PayoutNotFound
    return payout


def list_payouts(
    *,
    merchant: Merchant,
    limit: int,
    offset: int,
    status: str | None = None,
    created_from: datetime | None = None,
    created_to: datetime | None = None,
) -> tuple[list[Payout], int]:
    """One page of the merchant's payouts, newest first, and how many match in all.

    `created_to` is excluded.
    """
    wanted = {"status": status, "created_at__gte": created_from, "created_at__lt": created_to}
    given: dict[str, Any] = {name: value for name, value in wanted.items() if value is not None}
    payouts: QuerySet[Payout] = Payout.objects.filter(merchant=merchant, **given)
    page = payouts.order_by("-created_at", "-id")[offset : offset + limit]
    return list(page), payouts.count()


@transaction.atomic
def _save_with_hold(payout: Payout, now: datetime) -> None:
    """Key and effect commit together; a balance that is too small leaves neither."""
    payout.save(force_insert=True)
    if not payout.needs_approval:
        engine.ring(payout)
    recipes.payout_reserved(
        merchant_id=payout.merchant_id,
        payout_id=payout.pk,
        currency=payout.currency,
        debit=payout.debit,
        rate=payout.rate,
        spread=payout.spread,
        now=now,
    )


def _check_catalogue(fields: Mapping[str, Any]) -> tuple[PayoutMethod, Bank | None]:
    if not catalogue.is_enabled():
        raise PayoutDisabled
    method = catalogue.method_of(fields["network"])
    if fields["amount"] > method.max_amount:
        raise AmountAboveLimit(method.max_amount)
    if method.min_amount is not None and fields["amount"] < method.min_amount:
        raise AmountBelowMinimum(method.min_amount)
    bank = None
    if method.network == Network.BANK:
        bank = catalogue.find_bank(fields["bank"])
        if bank is None or settings.PAYOUT_PROVIDER not in bank.codes:
            raise ValidationFailed({"bankCanonicalId": "Is not a bank of GET /payout/methods."})
    _check_provider(method.network)
    return method, bank


def _check_provider(network: str) -> None:
    try:
        port = registry.payout()
    except registry.UnknownProvider as error:
        raise PayoutProviderUnavailable from error
    if network not in port.networks() or breaker.is_open(port.code):
        raise PayoutProviderUnavailable


def _new_payout(
    merchant: Merchant,
    method: PayoutMethod,
    bank: Bank | None,
    fields: Mapping[str, Any],
    now: datetime,
) -> Payout:
    fee = catalogue.fee_of(method, fields["amount"])
    debit, rate, spread = _price(fields["amount"] + fee, fields["currency"], now)
    return Payout(
        merchant=merchant,
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
        created_at=now,
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


def _by_key(merchant: Merchant, key: str) -> Payout | None:
    return Payout.objects.filter(merchant=merchant, idempotency_key=key).first()


def _replay(payout: Payout, print_: bytes) -> Payout:
    if bytes(payout.fingerprint) != print_:
        raise IdempotencyKeyReused
    return payout
