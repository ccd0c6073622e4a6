"""Mails to the customer of an order: the receipt, once, and each refund that was paid."""

from decimal import Decimal

import structlog
from django.conf import settings
from django.db import transaction

from merchants.models import Method
from payments.collect.models import Charge, Order, Refund
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
    if not _is_wanted(order):
        return
    try:
        with transaction.atomic():
            _send(order, charge, settings.LANGUAGE_CODE)
    except Exception:
        log.exception("receipt.not_mailed", order=order.pk)


def send_refund_if_wanted(order: Order, refund: Refund) -> None:
    """Called when the refund becomes COMPLETED, with the order locked. Errors are only logged."""
    if _is_wanted(order):
        _send_refund(order, refund, _refund_key(refund))


def correct_refund(order: Order, refund: Refund) -> None:
    """Called when a refund that was COMPLETED came back to us, so that the mail is not left as the
    last word.
    """
    if Mail.objects.filter(key=_refund_key(refund)).exists():
        _send_refund(order, refund, f"refund-back:{refund.pk}", has_come_back=True)


def _refund_key(refund: Refund) -> str:
    return f"refund:{refund.pk}"


def _send_refund(order: Order, refund: Refund, key: str, *, has_come_back: bool = False) -> None:
    facts = {
        "refund": refund,
        "has_come_back": has_come_back,
        "is_test": receipts.uses_play_money(order.settled_by),
        "remaining": max(order.amount - order.refunded_amount, Decimal(0)),
    }
    try:
        with transaction.atomic():
            receipt = find(order)
            language = receipt.language if receipt else settings.LANGUAGE_CODE
            _write(order, "refund", key, language, **facts)
    except Exception:
        log.exception("refund.not_mailed", order=order.pk, refund=refund.pk)


def _is_wanted(order: Order) -> bool:
    return order.merchant.receipts_by_mail and outbox.is_address(order.customer_email)


@transaction.atomic
def send(*, order: Order, language: str) -> None:
    """The payer asks for it. Does nothing unless the order is COMPLETED, or if it was mailed."""
    if order.status == Order.Status.COMPLETED and is_possible(order):
        _send(order, lookup.settling_charge(order=order), language)


def _send(order: Order, charge: Charge | None, language: str) -> None:
    is_coins = charge is not None and charge.method == Method.CRYPTO
    facts = {
        "charge": charge,
        "paid": receipts.paid_of(order),
        "bank": charge_bank.name_of(charge) if charge else "",
        "coin_charges": receipts.paying_charges(order, charge) if is_coins else [],
        "returned_at": receipts.refunded_at(order) if order.refunded_amount else None,
        "is_test": receipts.uses_play_money(charge),
        "verdict": receipts.verdict_of(order),
    }
    _write(order, "receipt", key_of(order), language, **facts)


def _write(order: Order, template: str, key: str, language: str, **facts: object) -> None:
    written = receipt_codes.written(receipts.get_code(order=order) or "")
    merchant = order.merchant
    legal = getattr(merchant, "legal_data", None)
    outbox.send(
        to=order.customer_email,
        template=template,
        context={
            "order": order,
            "legal": legal,
            "receipt_code": written,
            "receipt_url": f"{settings.PUBLIC_URL}/verify/{written}",
            **facts,
        },
        language=language,
        key=key,
        merchant_id=merchant.pk,
        reply_to=legal.contact_email if legal else merchant.email,
    )
