"""Orders: created, found, counted, expired, cancelled.

Money reaches an order through charges.py.
"""

import re
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db import IntegrityError, connection, transaction
from django.db.models import Count, Max, Sum

from merchants.models import Merchant, Method
from payments.api.idempotency import IdempotencyKeyReused, fingerprint
from payments.collect.models import Charge, Order
from payments.collect.services import events, unmatched
from payments.collect.services.errors import OrderNotFound, OrderNotPayable
from payments.core import money, states
from payments.core.compiled import Arg, Compiled
from payments.core.errors import ValidationFailed
from payments.core.ids import is_id
from payments.core.text import normalised_document

CLOCK = "clock"
_OF_MERCHANT = Compiled(lambda: Order.objects.filter(pk=Arg("order"), merchant=Arg("merchant")))
_TOKEN = re.compile(r"[A-Za-z0-9_-]{22}")  # what models.new_token makes


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


def find_order(*, merchant: Merchant, order_id: str) -> Order:
    """The merchant's order. Raises OrderNotFound, the same for every reason."""
    if not is_id(order_id, "col"):
        raise OrderNotFound
    order = _OF_MERCHANT.first(order=order_id, merchant=merchant.pk)
    if order is None:
        raise OrderNotFound
    return order


def find_by_token(*, token: str) -> Order:
    """The order behind a payment link, with its merchant. Raises OrderNotFound for any other."""
    if not _TOKEN.fullmatch(token):
        raise OrderNotFound
    found = Order.objects.filter(token=token).select_related("merchant__logo")
    # The secret would be decrypted for nothing, and the picture has an address of its own.
    order = found.defer("merchant__webhook_secret", "merchant__logo__content").first()
    if order is None:
        raise OrderNotFound
    return order


def live_state(*, token: str) -> dict[str, str]:
    """What a page that waits needs to know, in one query: the status, and a version that changes
    whenever something the payer sees does. Raises OrderNotFound.
    """
    if not _TOKEN.fullmatch(token):
        raise OrderNotFound
    found = Order.objects.filter(token=token).annotate(at=Max("charges__updated_at"))
    row = found.values_list("status", "selected_method", "at").first()
    if row is None:
        raise OrderNotFound
    return _state(*row)


@dataclass(frozen=True, slots=True)
class Tally:
    """What a page of the order needs to know of all its tries, in one query.

    state    as live_state: of the moment when `order` was read.
    missing  what still has to arrive, in the order's currency.
    tries    how many there were.
    """

    state: Mapping[str, str]
    missing: Decimal
    tries: int


def tally_of(*, order: Order) -> Tally:
    """Read it before the tries themselves: what changes meanwhile then counts as a change."""
    found = order.charges.aggregate(at=Max("updated_at"), sum=Sum("credited"), tries=Count("pk"))
    return Tally(
        state=_state(order.status, order.selected_method, found["at"]),
        missing=max(order.amount - (found["sum"] or Decimal(0)), Decimal(0)),
        tries=found["tries"],
    )


def newest_charge(*, order: Order, status: str) -> Charge | None:
    """The newest try of the order in that state, or None."""
    return order.charges.filter(status=status).order_by("-created_at", "-id").first()


def settling_charge(*, order: Order) -> Charge | None:
    """The try whose money completed the order: later successes credit nothing."""
    if order.settled_by_id is not None:
        return order.settled_by
    # Orders of earlier releases do not say.
    paid = order.charges.filter(method=order.selected_method, credited__gt=0)
    return paid.order_by("-created_at", "-id").first()


def lock_order(order_id: str) -> Order:
    """The order, locked until the transaction ends: always before its charges and balances."""
    # NO KEY UPDATE lets rows that refer to the order be inserted meanwhile. The merchant's webhook
    # secret stays out: a key that cannot be read must not keep money off the books.
    orders = Order.objects.select_related("merchant").defer("merchant__webhook_secret")
    return orders.select_for_update(no_key=True, of=("self",)).get(pk=order_id)


def check_not_over(order: Order, now: datetime) -> None:
    """Raises OrderNotPayable for an order that is final or past its deadline."""
    if order.is_final or order.expires_at <= now:
        raise OrderNotPayable


def expire_order(
    *, order: Order, now: datetime, actor: str = CLOCK, reason: str = "the deadline passed"
) -> None:
    """Moves a locked, unpaid order to EXPIRED and tells the merchant. Raises states.IllegalMove."""
    states.move(
        order, Order.Status.EXPIRED, now=now, actor=actor, reason=reason, expire_check_at=None
    )
    unmatched.release_partial(order=order, now=now)
    events.publish_expired(order=order, now=now)


def _unharmed() -> AbstractContextManager[None]:
    """A clash must not break a transaction of the caller; alone, one statement is a transaction."""
    return transaction.atomic() if connection.in_atomic_block else nullcontext()


def _state(status: str, method: str | None, changed_at: datetime | None) -> dict[str, str]:
    stamp = int(changed_at.timestamp() * 1_000_000) if changed_at else 0
    return {"status": status, "version": f"{status}.{method}.{stamp}"}


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
