"""Payments come into being: the row under its unique key and the hold, in one transaction."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, Protocol

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from merchants.models import Merchant
from payments.api.idempotency import IdempotencyKeyReused, fingerprint
from payments.core import jobs
from payments.core.errors import ServiceError
from payments.core.ids import is_id
from payments.ledger import recipes
from payments.outgoing.errors import PaymentNotFound
from payments.outgoing.models import OutgoingPayment
from payments.outgoing.product import P, Product

Status = OutgoingPayment.Status
# Runs in the reserving transaction before the row is written; may refuse, and may take locks.
Check = Callable[[P], None]


class Requester(Protocol):
    """Who asks for a payment: an API key, or an operator by name."""

    @property
    def pk(self) -> str:
        """What `requested_by` keeps."""


def create(
    product: Product[P],
    *,
    merchant: Merchant,
    key: Requester,
    idempotency_key: str,
    fields: Mapping[str, Any],
    build: Callable[[], P],
    now: datetime,
    check: Check[P] | None = None,
) -> tuple[P, bool]:
    """Reserves a payment once for each idempotency key; returns it and whether it was replayed.

    `fields` is the parsed request: the same key with others raises IdempotencyKeyReused. `build`
    makes the row without saving it, and may refuse, also after asking a provider: nothing is held
    yet, so that a refusal burns no key. A row that `build` leaves PENDING is sent by the engine;
    one that is PROCESSING is sent by the caller, at once. Raises InsufficientBalance.
    """
    print_ = fingerprint(fields)
    known = _by_key(product, merchant, idempotency_key)
    if known is not None:
        return _replay(known, print_), True
    try:
        payment = build()
        payment.merchant, payment.requested_by = merchant, key.pk
        payment.idempotency_key, payment.fingerprint = idempotency_key, print_
        payment.created_at = now
        _save_with_hold(product, payment, now, check)
    except (IntegrityError, ServiceError):
        # The first request with this key may have committed while we asked the rail, or waited for
        # its row. Then its payment is the answer: what refuses us may be of its own making.
        known = _by_key(product, merchant, idempotency_key)
        if known is None:
            raise
        return _replay(known, print_), True
    return payment, False


def begin_at_once(payment: OutgoingPayment, now: datetime) -> None:
    """Lets a new payment begin as PROCESSING: its rail is called inside the request.

    The scanner asks about it from the first of the reconcile delays on, if the request dies.
    """
    payment.status = Status.PROCESSING
    payment.sent_at = payment.last_sent_at = now
    payment.attempts = 1
    payment.next_action_at = now + timedelta(seconds=settings.OUTGOING_RECONCILE_DELAYS[0])


def find(product: Product[P], *, merchant: Merchant, payment_id: str, prefix: str) -> P:
    """The merchant's payment. Raises PaymentNotFound, the same for every reason."""
    found = None
    if is_id(payment_id, prefix):
        found = product.model._default_manager.filter(pk=payment_id, merchant=merchant).first()
    if found is None:
        raise PaymentNotFound
    return found


def page(
    product: Product[P],
    *,
    merchant: Merchant,
    limit: int,
    offset: int,
    status: str | None = None,
    created_from: datetime | None = None,
    created_to: datetime | None = None,
) -> tuple[list[P], int]:
    """One page of the merchant's payments, newest first, and how many match in all.

    `created_to` is excluded. Never from a replica that may lag: who lost the answer of a POST
    looks here for the payment, and would pay again.
    """
    wanted = {"status": status, "created_at__gte": created_from, "created_at__lt": created_to}
    given: dict[str, Any] = {name: value for name, value in wanted.items() if value is not None}
    found: QuerySet[P] = product.model._default_manager.filter(merchant=merchant, **given)
    rows = found.order_by("-created_at", "-id")[offset : offset + limit]
    return list(rows), found.count()


def notify_worker(product: Product[P], payment: P) -> None:
    """Asks a worker to send it soon; the scanner would find it anyhow."""
    jobs.enqueue(product.task, payment.pk)


@transaction.atomic
def _save_with_hold(product: Product[P], payment: P, now: datetime, check: Check[P] | None) -> None:
    """Key and effect commit together; a balance that is too small leaves neither."""
    if check is not None:
        check(payment)
    payment.save(force_insert=True)
    if payment.status == Status.PENDING and not payment.is_held_back:
        notify_worker(product, payment)
    # The balance's lock comes last: everyone who spends waits for it.
    recipes.outgoing_reserved(
        product.money(payment),
        rate=getattr(payment, "rate", None),
        spread=getattr(payment, "spread", None),
        now=now,
    )


def _by_key(product: Product[P], merchant: Merchant, key: str) -> P | None:
    rows = product.model._default_manager.filter(merchant=merchant, idempotency_key=key)
    return rows.first()


def _replay(payment: P, print_: bytes) -> P:
    if bytes(payment.fingerprint) != print_:
        raise IdempotencyKeyReused
    return payment
