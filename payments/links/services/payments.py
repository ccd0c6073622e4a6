"""A payer makes an order with a link."""

import re
import secrets
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from decimal import Decimal

from django.conf import settings
from django.db import transaction

from payments.api.idempotency import fingerprint
from payments.collect.models import Charge, Order
from payments.collect.services.endings import cancellation
from payments.collect.services.errors import OrderNotCancellable, ReferenceTaken
from payments.collect.services.orders import order_creation
from payments.collect.services.orders.order_creation import Additions, NewOrder
from payments.core import clock, jsontext
from payments.core.errors import ValidationFailed
from payments.core.reasons import MoveReason, ReasonCode
from payments.links.models import CODE_ALPHABET, CODE_LENGTH, PaymentLink
from payments.links.services import rules
from payments.links.services.availability import (
    GIVEN_BACK,
    Availability,
    figures,
    find_availability,
)
from payments.links.services.errors import LinkNotFound, LinkNotPayable

METADATA_BYTES = 1024
PAYER = "payer"
# Orders that the merchant's API makes at the same moment may take the number that was free.
_TRIES = 5
_LOOK_AHEAD = 100
_JUMP = 1_000_000
# PostgreSQL refuses some characters, such as NUL, that an address or a cookie may have.
_CODE = re.compile(f"[{CODE_ALPHABET}]{{{CODE_LENGTH}}}")
_TOKEN = re.compile(r"[\w-]{1,64}", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPayment:
    """What the payer filled in. What was not asked is empty.

    amount     of an open amount; None where it is fixed.
    answers    to the merchant's own questions, by their names.
    form_key   names one display of the form: the same form sent twice makes one order.
    """

    form_key: str
    amount: Decimal | None = None
    name: str = ""
    email: str = ""
    phone: str = ""
    document_type: str = ""
    document_number: str = ""
    answers: tuple[tuple[str, str], ...] = ()


class FormChanged(Exception):
    """The form was sent before with other values. Send it again with a new key."""


def find_by_code(*, code: str) -> PaymentLink:
    """The link of a payer's page, with its merchant. Raises LinkNotFound."""
    if not _CODE.fullmatch(code.lower()):
        raise LinkNotFound
    found = PaymentLink.objects.filter(code=code.lower())
    link = (
        found.select_related("merchant__logo", "image")
        .defer("merchant__webhook_secret", "merchant__logo__content", "image__content")
        .first()
    )
    if link is None:
        raise LinkNotFound
    return link


@transaction.atomic
def pay(*, link: PaymentLink, payment: NewPayment, now: datetime) -> Order:
    """Makes an ordinary order, or returns the one that the same form made before.

    The link is locked, so that concurrent payers never make more orders than it has uses. Raises
    LinkNotPayable, ValidationFailed, and FormChanged.
    """
    locked = _lock(link.pk)
    if (known := _made_before(locked, payment)) is not None:
        return known
    availability = find_availability(locked, figures(locked), now)
    if availability is not Availability.PAYABLE:
        raise LinkNotPayable(availability)
    order = _make(locked, payment, now)
    locked.save(update_fields=["last_number"])  # no updated_at: merchants see no change
    return order


def find_open_order(*, link: PaymentLink, token: str, now: datetime) -> Order | None:
    """The order of the link that this payer began, if it can still be paid."""
    if not _TOKEN.fullmatch(token):
        return None
    order = Order.objects.filter(token=token, link_id=link.pk).first()
    return order if order and not order.is_final and order.expires_at > now else None


def may_take_another_use(order: Order) -> bool:
    """Whether a refused order of a link may be tried again: the sibling takes a use.

    The link stays locked until the transaction of the caller ends.
    """
    if not order.link_id:
        return True
    with transaction.atomic():
        link = _lock(order.link_id)
        return find_availability(link, figures(link), clock.now()) is Availability.PAYABLE


def is_of_form(order: Order, payment: NewPayment) -> bool:
    return order.idempotency_key == _key(payment)


def may_be_replaced(order: Order) -> bool:
    """Whether no payment of it was started."""
    is_pending = order.status == Order.Status.PENDING
    return is_pending and not Charge.objects.filter(order=order).exists()


def abandon(*, order: Order, now: datetime) -> None:
    """Cancels an order that its payer replaces by another one, so that it gives its use back.

    An order with a payment that was started is left as it is. Never call it inside a transaction.
    """
    if not may_be_replaced(order):
        return
    try:
        why = MoveReason(ReasonCode.PAYER_BEGAN_AGAIN)
        cancellation.cancel_order(order=order, now=now, actor=PAYER, reason=why)
    except OrderNotCancellable:
        pass  # a payment was started at this moment


def _make(link: PaymentLink, payment: NewPayment, now: datetime) -> Order:
    """With the next number whose reference is free: the merchant's API may have used some."""
    link.last_number += 1
    for _each in range(_TRIES):
        try:
            order, _replayed = order_creation.create_order(
                merchant=link.merchant,
                new_order=_new_order(link, payment),
                now=now,
                idempotency_key=_key(payment),
                additions=Additions(link_id=link.pk, customer_phone=payment.phone),
            )
        except ReferenceTaken:
            link.last_number = _free_number(link)
        else:
            return order
    raise LinkNotPayable(Availability.BUSY)


def _free_number(link: PaymentLink) -> int:
    """Beyond a long run of used numbers a random one, so that no run stops the link."""
    numbers = range(link.last_number + 1, link.last_number + 1 + _LOOK_AHEAD)
    references = [_reference(link, number) for number in numbers]
    same = Order.objects.filter(merchant=link.merchant_id, reference__in=references)
    taken = set(same.values_list("reference", flat=True))
    free = (number for number in numbers if _reference(link, number) not in taken)
    return next(free, numbers[-1] + secrets.randbelow(_JUMP) + 1)


def _reference(link: PaymentLink, number: int) -> str:
    return f"{link.code}-{number}"


def _lock(link_id: str) -> PaymentLink:
    rows = PaymentLink.objects.select_related("merchant").defer("merchant__webhook_secret")
    return rows.select_for_update(no_key=True, of=("self",)).get(pk=link_id)


def _key(payment: NewPayment) -> str:
    return f"link:{payment.form_key}"


def _made_before(link: PaymentLink, payment: NewPayment) -> Order | None:
    """Raises FormChanged for other values, and if the order has ended unpaid."""
    known = Order.objects.filter(merchant=link.merchant, idempotency_key=_key(payment)).first()
    if known is None:
        return None
    same = replace(_new_order(link, payment), reference=known.reference)
    is_same = fingerprint(asdict(same)) == bytes(known.fingerprint)
    if not is_same or known.link_id != link.pk or known.status in GIVEN_BACK:
        raise FormChanged
    return known


def _new_order(link: PaymentLink, payment: NewPayment) -> NewOrder:
    held = link.limit is not None
    return NewOrder(
        reference=_reference(link, link.last_number),
        amount=_amount(link, payment),
        currency=link.currency,
        description=link.title,
        customer_name=payment.name,
        customer_email=payment.email,
        customer_doc_type=payment.document_type,
        customer_doc_number=payment.document_number,
        expiration_minutes=(
            settings.LINK_HELD_ORDER_MINUTES if held else settings.LINK_ORDER_MINUTES
        ),
        callback_url=link.callback_url,
        allowed_methods=None,
        metadata=_metadata(payment),
    )


def _amount(link: PaymentLink, payment: NewPayment) -> Decimal:
    if link.amount is not None:
        return link.amount
    if payment.amount is None:
        raise ValidationFailed({"amount": "This field is required."})
    if (problem := rules.problem_of_amount(link, payment.amount)) is not None:
        raise ValidationFailed({"amount": str(problem)})
    return payment.amount


def _metadata(payment: NewPayment) -> str:
    """The answers. Raises ValidationFailed if they are longer than an order's metadata."""
    text = jsontext.dumps(dict(payment.answers))
    if len(text.encode()) > METADATA_BYTES:
        raise ValidationFailed({"fields": "The answers are too long."})
    return text
