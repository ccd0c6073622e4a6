"""Another try after a refusal: a sibling order with the same data (docs/gaps.md, Try again).

FAILED is final, so the refused order does not change. All siblings name the first order. While one
of them can be paid, or has been paid, no other is made; a unique constraint enforces it.
"""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q

from payments.api.idempotency import fingerprint
from payments.collect.hooks import retry_checks
from payments.collect.models import Charge, Order, UnmatchedFunds
from payments.collect.services.errors import OrderNotRetryable
from payments.collect.services.orders.lookup import lock_order
from payments.collect.services.orders.retention import FORGOTTEN
from payments.core import audit

PAYER = "payer"
MAX_REFERENCE = 100
COPIED = (
    "merchant",
    "currency",
    "base_amount",
    "fee_amount",
    "amount",
    "description",
    "customer_name",
    "customer_email",
    "customer_doc_type",
    "customer_doc_number",
    "customer_document",
    "document_by_payer",
    "callback_url",
    "metadata",
    "link_id",
    "customer_phone",
)


def find_live_sibling(order: Order) -> Order | None:
    """The sibling that can be paid, or that was paid. None for an order that never failed."""
    if not _may_have_siblings(order):
        return None
    return _live(_first_id(order))


def may_try_again(*, order: Order, now: datetime) -> bool:
    """For display: retry_order decides under a lock. It expects no live sibling."""
    first = order.retry_of or order
    return order.status == Order.Status.FAILED and _is_open_to_retries(first, now)


def last_refusal(order: Order) -> Charge | None:
    """What a sibling is another try of. None for a first order."""
    if order.retry_of_id is None:
        return None
    family = Q(order=order.retry_of_id) | Q(order__retry_of=order.retry_of_id)
    refused = Charge.objects.filter(family, status=Charge.Status.FAILED)
    return refused.order_by("-created_at", "-id").first()


@transaction.atomic
def retry_order(*, order: Order, now: datetime) -> Order:
    """Returns the live sibling, and makes it if there is none. Raises OrderNotRetryable."""
    first = lock_order(_first_id(order))
    if not _may_have_siblings(order):
        raise OrderNotRetryable
    if (live := _live(first.pk)) is not None:
        return live
    if not _is_open_to_retries(first, now):
        raise OrderNotRetryable
    sibling = _insert(_build(first, now))
    audit.record(actor=PAYER, action="order.repeated", subject=first, sibling=sibling.pk)
    return sibling


def _insert(sibling: Order) -> Order:
    try:
        with transaction.atomic():
            sibling.save(force_insert=True)
    except IntegrityError:  # The merchant has just taken the reference.
        raise OrderNotRetryable from None
    return sibling


def _first_id(order: Order) -> str:
    return order.retry_of_id or order.pk


def _may_have_siblings(order: Order) -> bool:
    """The first order has FAILED. A sibling may have expired, too."""
    failed = order.status == Order.Status.FAILED
    return failed or (order.retry_of_id is not None and order.status == Order.Status.EXPIRED)


def _live(first_id: str) -> Order | None:
    over = (Order.Status.FAILED, Order.Status.EXPIRED)
    return Order.objects.filter(retry_of=first_id).exclude(status__in=over).first()


def _is_open_to_retries(first: Order, now: datetime) -> bool:
    until = first.expires_at + timedelta(seconds=settings.COLLECT_RETRY_SECONDS)
    allowed = _is_switched_on(first) and first.merchant.is_active and now < until
    if not allowed or first.customer_name == FORGOTTEN or not _methods(first):
        return False
    if first.currency not in first.merchant.currencies:
        return False
    siblings = list(Order.objects.filter(retry_of=first.pk).only("pk", "cancelled_at"))
    if len(siblings) >= settings.COLLECT_MAX_RETRIES or any(one.cancelled_at for one in siblings):
        return False
    family = [first.pk, *(one.pk for one in siblings)]
    return not _has_money(family) and all(check(first) for check in retry_checks)


def _is_switched_on(first: Order) -> bool:
    return bool(first.link_id) or first.merchant.retry_enabled


def _has_money(order_ids: list[str]) -> bool:
    """Whether money came that did not pay: the payer must not send it twice."""
    kept = UnmatchedFunds.objects.filter(order__in=order_ids)
    if kept.exclude(status=UnmatchedFunds.Status.RETURNED).exists():
        return True
    return Order.objects.filter(pk__in=order_ids, charges__unconfirmed__gt=0).exists()


def _methods(first: Order) -> list[str]:
    return [method for method in first.allowed_methods if method in first.merchant.methods]


def _build(first: Order, now: datetime) -> Order:
    expires_at = now + (first.expires_at - first.created_at)
    reference = _free_reference(first)
    return Order(
        **{name: getattr(first, name) for name in COPIED},
        allowed_methods=_methods(first),
        reference=reference,
        retry_of=first,
        expires_at=expires_at,
        expire_check_at=expires_at,
        created_at=now,
        fingerprint=fingerprint({"retry_of": first.pk, "reference": reference}),
    )


def _free_reference(first: Order) -> str:
    """`<reference>-2` and so on: the first that no order of the merchant has."""
    numbers = range(2, 2 * settings.COLLECT_MAX_RETRIES + 4)
    names = [_numbered(first.reference, number) for number in numbers]
    same = Order.objects.filter(merchant=first.merchant_id, reference__in=names)
    taken = set(same.values_list("reference", flat=True))
    free = next((name for name in names if name not in taken), None)
    if free is None:
        raise OrderNotRetryable
    return free


def _numbered(reference: str, number: int) -> str:
    ending = f"-{number}"
    return reference[: MAX_REFERENCE - len(ending)] + ending
