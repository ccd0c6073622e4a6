"""Mails the receipt of an order to its customer, once."""

import structlog
from django.conf import settings
from django.db import transaction

from payments.collect.models import Charge, Order
from payments.collect.services.orders import charge_bank, lookup, receipts
from payments.core import masking, receipt_codes
from payments.mail import outbox
from payments.mail.models import Mail

log = structlog.get_logger(__name__)


def key_of(order: Order) -> str:
    return f"receipt:{order.pk}"


def is_possible(order: Order) -> bool:
    """Whether a mail could reach the customer."""
    return outbox.is_configured() and outbox.is_address(order.customer_email)


def mailed_to(order: Order) -> str:
    """The masked address that gets the receipt without asking. Empty if none does."""
    if not order.merchant.receipts_by_mail or not is_possible(order):
        return ""
    return masking.email(order.customer_email)


def find(order: Order) -> Mail | None:
    return Mail.objects.filter(key=key_of(order)).first()


def send_if_wanted(order: Order, charge: Charge) -> None:
    """Called when the order becomes COMPLETED, with the order locked.

    No error of a mail may stop a payment, so errors are only logged.
    """
    if not order.merchant.receipts_by_mail or not outbox.is_address(order.customer_email):
        return
    try:
        with transaction.atomic():
            _send(order, charge, settings.LANGUAGE_CODE)
    except Exception:
        log.exception("receipt.not_mailed", order=order.pk)


@transaction.atomic
def send(*, order: Order, language: str) -> None:
    """The payer asks for it. Does nothing unless the order is COMPLETED, or if it was mailed."""
    if order.status == Order.Status.COMPLETED and is_possible(order):
        _send(order, lookup.settling_charge(order=order), language)


def _send(order: Order, charge: Charge | None, language: str) -> None:
    written = receipt_codes.written(receipts.get_code(order=order) or "")
    merchant = order.merchant
    legal = getattr(merchant, "legal_data", None)
    outbox.send(
        to=order.customer_email,
        template="receipt",
        context={
            "order": order,
            "charge": charge,
            "paid": receipts.paid_of(order),
            "bank": charge_bank.name_of(charge) if charge else "",
            "legal": legal,
            "is_test": receipts.uses_play_money(charge),
            "receipt_code": written,
            "receipt_url": f"{settings.PUBLIC_URL}/verify/{written}",
        },
        language=language,
        key=key_of(order),
        merchant_id=merchant.pk,
        reply_to=legal.contact_email if legal else merchant.email,
    )
