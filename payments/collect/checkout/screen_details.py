"""What a screen of the payment page shows of its order, beside the context of every screen."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings

from merchants.models import Method
from payments.collect.checkout import coin_pages, own_qr
from payments.collect.checkout.view_models import seconds, shop_link
from payments.collect.models import Charge, Flow, Order, Refund, UnmatchedFunds
from payments.collect.services.orders import (
    charge_bank,
    charge_method,
    lookup,
    receipt_mail,
    receipts,
    retries,
)
from payments.core import masking, money, receipt_codes

# Coins have a price in pesos, so a few pesos are left over by rounding. They are a row of the
# receipt, and no news to act on.
ROUNDED_PESOS = 100
# During this time after the payment the receipt leads back to the shop.
JUST_PAID = timedelta(minutes=2)
# So long a payer waits for the bank's page without a way out.
SLOW_AFTER = timedelta(seconds=15)


@dataclass(frozen=True, slots=True)
class Shown:
    """`charge` is the order's open charge."""

    order: Order
    charge: Charge | None
    now: datetime
    summary: lookup.ChargesSummary


def build_details(screen: str, shown: Shown) -> dict[str, object]:
    if build := _OF_ORDERS.get(screen):
        return build(shown)
    if shown.charge and (of_charge := _OF_CHARGES.get(screen)):
        return {"charge": shown.charge, **of_charge(shown, shown.charge)}
    return {"charge": shown.charge}


def _completed(shown: Shown) -> dict[str, object]:
    order = shown.order
    charge = lookup.settling_charge(order=order)
    funds, coins = arrived_funds(order), _coins_of_receipt(order, charge)
    surplus = [one for one in funds if one.status == UnmatchedFunds.Status.OPEN]
    if charge is not None and charge.method == Method.CRYPTO:
        surplus = [
            one for one in surplus if one.amount > ROUNDED_PESOS or one.currency != money.FIAT
        ]
    is_new = order.paid_at is not None and shown.now - order.paid_at < JUST_PAID
    return {
        "charge": charge,
        "is_test": receipts.uses_play_money(charge),
        "bank_name": charge_bank.name_of(charge) if charge else "",
        # News of other money must be read before the page leaves by itself.
        "just_paid": is_new and not (surplus or coins.get("deposits") or order.refunded_amount),
        "verdict": receipts.verdict_of(order),
        "remaining": max(order.amount - order.refunded_amount, 0),
        "surplus": surplus,
        "paid": receipts.paid_of(order, funds),
        **_refunds(order),
        **coins,
        **_receipt(order),
        **_way_back(charge),
    }


def _failed(shown: Shown) -> dict[str, object]:
    refused = lookup.newest_charge(order=shown.order, status=Charge.Status.FAILED)
    return {
        "charge": refused,
        "bank_name": charge_bank.name_of(refused) if refused else "",
        "may_try_again": retries.may_try_again(order=shown.order, now=shown.now),
        **_arrived(shown),
        **_way_back(refused),
    }


def _ended(shown: Shown) -> dict[str, object]:
    return {"was_tried": shown.summary.charges > 0, **_arrived(shown)}


def _confirming(shown: Shown) -> dict[str, object]:
    return {
        "charge": shown.charge,
        "shop_url": shop_link(shown.order),
        "mailed_to": receipt_mail.mailed_to(shown.order),
        **coin_pages.confirming_context(shown.order, shown.summary.missing, shown.now),
    }


def _methods(shown: Shown) -> dict[str, object]:
    refused = retries.last_refusal(shown.order)
    return {
        "tried_before": shown.summary.charges > 0,
        "refused": refused,
        "refused_name": refused
        and (charge_bank.name_of(refused) or charge_method.name_of(refused)),
    }


def is_slow(charge: Charge, now: datetime) -> bool:
    """Whether the rail takes longer than usual to say where the payer goes."""
    return charge.created_at + SLOW_AFTER <= now


def _coming(shown: Shown, charge: Charge) -> dict[str, object]:
    return {"is_slow": is_slow(charge, shown.now)}


def _debit(shown: Shown, charge: Charge) -> dict[str, object]:
    until = charge.expires_at
    return {
        "may_continue": until is None or until > shown.now,
        "charge_seconds_left": until and seconds(until, shown.now),
        "bank_name": charge_bank.name_of(charge),
    }


def _coin(shown: Shown, charge: Charge) -> dict[str, object]:
    until = charge.quote_expires_at
    return {
        "charge_seconds_left": until and seconds(until, shown.now),
        "mailed_to": receipt_mail.mailed_to(shown.order) if charge.unconfirmed else "",
        "shop_url": shop_link(shown.order),
        **coin_pages.instructions_context(shown.order, charge, shown.summary.missing, shown.now),
    }


def _transfer(shown: Shown, charge: Charge) -> dict[str, object]:
    until, to_send = charge.expires_at, charge.amount - charge.received
    return {
        "to_send": to_send,
        "may_use_key": to_send <= settings.BREB_MAX_AMOUNT,
        "own_qr": own_qr.code_shown(charge.instructions, to_send),
        "is_over": until is not None and until <= shown.now,
        "charge_seconds_left": until and seconds(until, shown.now),
    }


def _key(shown: Shown, charge: Charge) -> dict[str, object]:
    """Its end stands beside it, so that the order's is left out."""
    return {**_transfer(shown, charge), "has_own_end": charge.expires_at is not None}


def _code(shown: Shown, charge: Charge) -> dict[str, object]:
    return {
        **_key(shown, charge),
        "charge_label": charge_method.name_of(charge),
        "code": own_qr.code_of_rail(charge.qr_text, charge.amount - charge.received),
    }


_OF_ORDERS: dict[str, Callable[[Shown], dict[str, object]]] = {
    "completed": _completed,
    "failed": _failed,
    "cancelled": _ended,
    "expired": _ended,
    "confirming": _confirming,
    "methods": _methods,
}
_OF_CHARGES: dict[str, Callable[[Shown, Charge], dict[str, object]]] = {
    "bank": _debit,
    "coming": _coming,
    "checking": _debit,
    "push": _debit,
    "coin": _coin,
    "account": _transfer,
    "key": _key,
    "qr": _code,
}


def _way_back(charge: Charge | None) -> dict[str, object]:
    """The shop that sent the payer to our page with a QR code may have named where to go next."""
    if charge and charge.flow == Flow.QR and charge.return_url != charge.order.return_url:
        return {"shop_url": charge.return_url}
    return {}


def _receipt(order: Order) -> dict[str, object]:
    """The code and URL by which others can check the receipt."""
    code = receipts.get_code(order=order)
    if code is None:
        return {}
    written = receipt_codes.written(code)
    return {
        "receipt_code": written,
        "receipt_url": f"{settings.PUBLIC_URL}/verify/{written}",
        **_mailed_receipt(order),
    }


def _mailed_receipt(order: Order) -> dict[str, object]:
    if not receipt_mail.is_possible(order):
        return {}
    return {
        "masked_email": masking.email(order.customer_email),
        "is_mailed": receipt_mail.find(order) is not None,
    }


def _refunds(order: Order) -> dict[str, object]:
    """When the newest refund was paid, and the approved ones that are not paid yet."""
    refunds = list(order.refunds.order_by("created_at", "id"))
    times = [one.completed_at for one in refunds if one.status == Refund.Status.COMPLETED]
    return {
        "returned_at": max((at for at in times if at), default=None),
        "coming_refunds": [one for one in refunds if not one.has_ended and not one.is_held_back],
    }


def _coins_of_receipt(order: Order, charge: Charge | None) -> dict[str, object]:
    """The transactions that paid, and others that are on their way."""
    if charge is None or charge.method != Method.CRYPTO:
        return {}
    charges = receipts.paying_charges(order, charge)
    return {
        "coin_charges": charges,
        "transactions": coin_pages.paying_transactions(charges),
        "deposits": (deposits := coin_pages.under_way(order)),
        "wait_seconds": coin_pages.wait_seconds(deposits),
    }


def _arrived(shown: Shown) -> dict[str, object]:
    deposits = coin_pages.under_way(shown.order) if shown.summary.coins else []
    return {
        "funds": arrived_funds(shown.order),
        "deposits": deposits,
        "wait_seconds": coin_pages.wait_seconds(deposits),
    }


def arrived_funds(order: Order) -> list[UnmatchedFunds]:
    """Money that arrived for the order but did not pay it, with its charges.

    Still shown after an operator's decision.
    """
    return list(order.unmatched_funds.select_related("charge").order_by("created_at"))
