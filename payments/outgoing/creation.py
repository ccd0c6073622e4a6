"""Creates payments: the row under its unique key and the hold, in one transaction."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from django.conf import settings
from django.db import transaction

from merchants.models import Merchant
from payments.api.idempotency import create_once, fingerprint
from payments.core import jobs
from payments.core.catalogue_versions import VERSIONS
from payments.core.compiled_inserts import CompiledInsert
from payments.core.compiled_queries import CompiledQuery
from payments.ledger import recipes
from payments.outgoing import calls, events
from payments.outgoing.models import OutgoingPayment
from payments.outgoing.product import P, Product

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Status = OutgoingPayment.Status
W = TypeVar("W", bound="DataclassInstance")
# Runs in the transaction of the hold before the row is saved. It may refuse and take locks.
Check = Callable[[P], None]


class Requester(Protocol):
    """An API key, or an operator by name."""

    @property
    def pk(self) -> str:
        """The text in `requested_by`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentRequest(Generic[W]):
    """`wanted` is the parsed body, a dataclass. The same key with another body is refused."""

    merchant: Merchant
    requester: Requester
    idempotency_key: str
    wanted: W


def create(
    product: Product[P],
    request: PaymentRequest[W],
    *,
    build: Callable[[str | None], P],
    now: datetime,
    check: Check[P] | None = None,
) -> tuple[P, bool]:
    """Reserves a payment once for each idempotency key. Returns it and whether it was replayed.

    `build` makes the row without saving it, and gets the versions of the catalogues
    (payments.core.catalogue_versions). It may query a provider and refuse. After a refusal
    nothing is held, and the key can be used again. If `build` leaves the row PENDING, the
    engine sends it. If the row is PROCESSING, the caller sends it. Raises IdempotencyKeyReused,
    InsufficientBalance.
    """
    key, print_ = request.idempotency_key, fingerprint(_written(request.wanted))
    versions: str | None = None

    def find() -> P | None:
        nonlocal versions
        versions, found = _with_key(product.model).first_with(
            VERSIONS, merchant=request.merchant.pk, key=key
        )
        return found

    def reserve() -> P:
        payment = build(versions)
        payment.merchant, payment.requested_by = request.merchant, request.requester.pk
        payment.idempotency_key, payment.fingerprint = key, print_
        payment.created_at = now
        _save_with_hold(product, payment, now, check)
        return payment

    return create_once(print_, find=find, create=reserve)


@cache
def _with_key(model: type[P]) -> CompiledQuery[P]:
    rows = model._default_manager
    return CompiledQuery(
        lambda merchant, key: rows.filter(merchant_id=merchant, idempotency_key=key)
    )


@cache
def _inserts(model: type[P]) -> CompiledInsert[P]:
    return CompiledInsert(model)


def _written(wanted: "DataclassInstance") -> dict[str, object]:
    """Fields of later releases have defaults and count only if they differ, so that a request of
    an earlier release is the same one when it is repeated."""
    values = {field: getattr(wanted, field.name) for field in fields(wanted)}
    return {field.name: value for field, value in values.items() if value != field.default}


def begin_at_once(payment: OutgoingPayment, now: datetime) -> None:
    """Begins as PROCESSING, because the rail is called inside the request.

    If the request dies, the scanner queries the rail after the first reconcile delay.
    """
    payment.status = Status.PROCESSING
    payment.sent_at = payment.last_sent_at = now
    payment.attempts = 1
    payment.next_action_at = now + timedelta(seconds=settings.OUTGOING_RECONCILE_DELAYS[0])


def notify_worker(product: Product[P], payment: P) -> None:
    """Makes a worker send the payment soon. Without it the scanner sends it later."""
    jobs.enqueue(product.task, payment.pk)


@transaction.atomic
def _save_with_hold(product: Product[P], payment: P, now: datetime, check: Check[P] | None) -> None:
    """Key and hold commit together, or not at all."""
    if check is not None:
        check(payment)
    if payment.status == Status.PROCESSING:
        payment.wire_reference = calls.wire_reference(payment, now)
    _inserts(product.model).save(payment)
    if payment.status == Status.PROCESSING:
        events.publish(product, payment, now)
    if payment.status == Status.PENDING and not payment.is_held_back:
        notify_worker(product, payment)
    # The balance is locked last, because all payments of the merchant wait for it.
    recipes.outgoing_reserved(
        product.money(payment),
        rate=getattr(payment, "rate", None),
        spread=getattr(payment, "spread", None),
        now=now,
    )
