"""Orders are created here, PENDING, once for each idempotency key and reference."""

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import IntegrityError, connection, transaction

from merchants.models import Merchant, Method
from payments.api.idempotency import IdempotencyKeyReused, fingerprint
from payments.collect.models import Order
from payments.core import money
from payments.core.errors import ValidationFailed
from payments.core.text import normalised_document


def create_order(
    *, merchant: Merchant, now: datetime, idempotency_key: str | None = None, **fields: Any
) -> tuple[Order, bool]:
    """Creates a collection order, PENDING, with its fee on top (contract, Collection order).

    Returns the order and whether it was replayed. Raises ValidationFailed (what the account
    narrows, duplicate reference) and IdempotencyKeyReused.
    """
    print_ = fingerprint(fields)
    if idempotency_key and (known := _by_key(merchant, idempotency_key)):
        return _replay(known, print_), True
    _check_account(merchant, fields)
    order = _new_order(merchant, fields, now)
    order.idempotency_key, order.fingerprint = idempotency_key, print_
    try:
        with _unharmed():
            order.save(force_insert=True)
    except IntegrityError as error:
        return _explain_clash(order, error), True
    return order, False


def _unharmed() -> AbstractContextManager[None]:
    """A clash must not break a transaction of the caller; alone, one statement is a transaction."""
    return transaction.atomic() if connection.in_atomic_block else nullcontext()


def _new_order(merchant: Merchant, fields: Mapping[str, Any], now: datetime) -> Order:
    # The merchant receives the requested amount in full: it is not rounded, only the fee is.
    base = fields["amount"]
    fee = money.percentage_fee(fields["amount"], settings.COLLECT_FEE_RATE, fields["currency"])
    expires_at = now + timedelta(minutes=fields["expiration_minutes"])
    return Order(
        merchant=merchant,
        reference=fields["reference"],
        currency=fields["currency"],
        base_amount=base,
        fee_amount=fee,
        amount=base + fee,
        description=fields["description"],
        customer_name=fields["customer_name"],
        customer_email=fields["customer_email"],
        customer_doc_type=fields["customer_doc_type"],
        customer_doc_number=fields["customer_doc_number"],
        customer_document=normalised_document(fields["customer_doc_number"]),
        allowed_methods=fields["allowed_methods"] or list(merchant.methods),
        callback_url=fields["callback_url"],
        metadata=fields["metadata"],
        expires_at=expires_at,
        expire_check_at=expires_at,
        created_at=now,
    )


def _check_account(merchant: Merchant, fields: Mapping[str, Any]) -> None:
    if fields["currency"] not in merchant.currencies:
        raise ValidationFailed({"currency": "This currency is not enabled for the account."})
    methods = set(fields["allowed_methods"] or merchant.methods)
    if not methods:
        raise ValidationFailed({"allowedMethods": "No method is enabled for the account."})
    if not methods <= set(merchant.methods):
        raise ValidationFailed({"allowedMethods": "Names a method not enabled for the account."})
    if fields["currency"] != money.FIAT and Method.CRYPTO not in methods:
        message = f"An order in {fields['currency']} can only be paid by CRYPTO."
        raise ValidationFailed({"allowedMethods": message})


def _by_key(merchant: Merchant, key: str) -> Order | None:
    return Order.objects.filter(merchant=merchant, idempotency_key=key).first()


def _replay(order: Order, print_: bytes) -> Order:
    if bytes(order.fingerprint) != print_:
        raise IdempotencyKeyReused
    return order


def _explain_clash(order: Order, error: IntegrityError) -> Order:
    """A unique constraint said no: a concurrent request with the same key, or the reference."""
    if order.idempotency_key and (known := _by_key(order.merchant, order.idempotency_key)):
        return _replay(known, bytes(order.fingerprint))
    existing = Order.objects.filter(merchant=order.merchant, reference=order.reference).first()
    if existing is None:
        raise error
    raise ValidationFailed(
        {"reference": "An order with this reference exists already."}, existingId=existing.pk
    )
