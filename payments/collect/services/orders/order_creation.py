"""Creates orders, PENDING, once for each idempotency key and each reference."""

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from decimal import Decimal

from django.conf import settings
from django.db import IntegrityError, connection, transaction

from merchants.models import Merchant, Method
from payments.api.idempotency import create_once, fingerprint
from payments.collect.models import Order
from payments.collect.services.errors import ReferenceTaken
from payments.core import money
from payments.core.compiled_inserts import CompiledInsert
from payments.core.errors import ValidationFailed
from payments.core.text import normalised_document


@dataclass(frozen=True, slots=True, kw_only=True)
class NewOrder:
    """A parsed request. Its fingerprint is made of these names and values.

    amount           what the merchant receives, in the order's currency.
    allowed_methods  None: the methods of the account.
    metadata         JSON text.

    Without a document the payer gives it on the payment page.
    """

    reference: str
    amount: Decimal
    currency: str
    description: str
    customer_name: str
    customer_email: str
    customer_doc_type: str
    customer_doc_number: str
    expiration_minutes: int
    callback_url: str | None
    allowed_methods: list[str] | None
    metadata: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Additions:
    """What a request of the API does not have. It is not part of the fingerprint."""

    link_id: str = ""
    customer_phone: str = ""


NO_ADDITIONS = Additions()
_NAMES = [field.name for field in fields(NewOrder)]
_ORDERS = CompiledInsert(Order)


def create_order(
    *,
    merchant: Merchant,
    new_order: NewOrder,
    now: datetime,
    idempotency_key: str | None = None,
    additions: Additions = NO_ADDITIONS,
) -> tuple[Order, bool]:
    """Creates a collection order, PENDING, with its fee on top (contract, Collection order).

    Returns the order and whether it was replayed. Raises IdempotencyKeyReused, ReferenceTaken, and
    ValidationFailed for a value that the account does not allow.
    """
    # Not `asdict`, which copies each value.
    print_ = fingerprint({name: getattr(new_order, name) for name in _NAMES})

    def find() -> Order | None:
        if not idempotency_key:
            return None
        return Order.objects.filter(merchant=merchant, idempotency_key=idempotency_key).first()

    def create() -> Order:
        _check_account(merchant, new_order)
        order = _build(merchant, new_order, now)
        order.idempotency_key, order.fingerprint = idempotency_key, print_
        order.link_id, order.customer_phone = additions.link_id, additions.customer_phone
        # A payment link has rules of its own about what it asks.
        order.document_by_payer = not (new_order.customer_doc_type or additions.link_id)
        _insert(order)
        return order

    return create_once(print_, find=find, create=create)


def _insert(order: Order) -> None:
    """Raises ReferenceTaken, and IntegrityError for other conflicts."""
    try:
        with _savepoint():
            _ORDERS.save(order)
    except IntegrityError:
        rows = Order.objects.filter(merchant=order.merchant, reference=order.reference)
        if (existing := rows.first()) is None:
            raise
        raise ReferenceTaken(existing.pk) from None


def _savepoint() -> AbstractContextManager[None]:
    """Undoes only the insert if it conflicts inside a transaction of the caller."""
    return transaction.atomic() if connection.in_atomic_block else nullcontext()


def _build(merchant: Merchant, new: NewOrder, now: datetime) -> Order:
    # Only the fee is rounded: the merchant receives exactly the requested amount.
    fee = money.percentage_fee(new.amount, settings.COLLECT_FEE_RATE, new.currency)
    expires_at = now + timedelta(minutes=new.expiration_minutes)
    return Order(
        merchant=merchant,
        reference=new.reference,
        currency=new.currency,
        base_amount=new.amount,
        fee_amount=fee,
        amount=new.amount + fee,
        description=new.description,
        customer_name=new.customer_name,
        customer_email=new.customer_email,
        customer_doc_type=new.customer_doc_type,
        customer_doc_number=new.customer_doc_number,
        customer_document=normalised_document(new.customer_doc_number),
        allowed_methods=new.allowed_methods or list(merchant.methods),
        callback_url=new.callback_url,
        metadata=new.metadata,
        expires_at=expires_at,
        expire_check_at=expires_at,
        created_at=now,
    )


def _check_account(merchant: Merchant, new: NewOrder) -> None:
    if new.currency not in merchant.currencies:
        raise ValidationFailed(
            {"currency": f"Must be one of the account's: {', '.join(merchant.currencies)}."}
        )
    methods = set(new.allowed_methods or merchant.methods)
    if not methods:
        raise ValidationFailed({"allowedMethods": "No method is enabled for the account."})
    if not methods <= set(merchant.methods):
        enabled = ", ".join(merchant.methods)
        raise ValidationFailed({"allowedMethods": f"Must be among the account's: {enabled}."})
    if new.currency != money.FIAT and Method.CRYPTO not in methods:
        message = f"An order in {new.currency} can only be paid by CRYPTO."
        raise ValidationFailed({"allowedMethods": message})
