"""Which screen of the payment page shows an order, and what that screen needs to know.

Reads only. URLs, forms and cookies are in views.py, the HTML in templates/pay/.
"""

from datetime import datetime, timedelta
from urllib.parse import urlencode, urlsplit, urlunsplit

from django.conf import settings

from merchants.models import Method
from payments.collect.models import Charge, Flow, Order, UnmatchedFunds
from payments.collect.services.charges import direct_methods
from payments.collect.services.orders import lookup, receipts
from payments.core import masking, money, receipt_codes

# A receipt that was just earned leads back to the shop; one that is opened later does not.
JUST_PAID = timedelta(minutes=2)
FINAL = {
    Order.Status.COMPLETED: "completed",
    Order.Status.FAILED: "failed",
    Order.Status.EXPIRED: "expired",
}
FORMS = {Method.PSE.value: "pse", Method.CRYPTO.value: "crypto"}


def choose_screen(order: Order, charge: Charge | None, now: datetime) -> str:
    """The name of the template. `charge` is the order's open charge."""
    if order.cancelled_at is not None:
        return "cancelled"
    if order.is_final:
        return FINAL[Order.Status(order.status)]
    if charge and charge.is_debit:
        return _debit_screen(charge)
    if order.status == Order.Status.PROCESSING and Charge.objects.on_its_way(order).exists():
        return "confirming"
    if order.expires_at <= now:
        return "expired"
    if charge is None:
        return "methods"
    if not charge.is_answered:
        return "checking"
    if charge.flow == Flow.KEY:
        return "key"
    return "coin" if charge.method == Method.CRYPTO else "account"


def _debit_screen(charge: Charge) -> str:
    if charge.flow == Flow.PUSH:
        return "push" if charge.is_answered else "checking"
    return "bank" if charge.redirect_url else "checking"


def build_details(
    screen: str, order: Order, charge: Charge | None, now: datetime, summary: lookup.ChargesSummary
) -> dict[str, object]:
    match screen:
        case "completed":
            paid_now = order.paid_at is not None and now - order.paid_at < JUST_PAID
            charge = lookup.settling_charge(order=order)
            label = direct_methods.get_label(charge) if charge and charge.direct_method else None
            return {
                "charge": charge,
                "just_paid": paid_now,
                "method_label": label,
                "surplus": _surplus(order),
                **_receipt(order),
            }
        case "failed":
            refused = lookup.newest_charge(order=order, status=Charge.Status.FAILED)
            return {"charge": refused, "funds": arrived_funds(order)}
        case "cancelled" | "expired":
            return {"was_tried": summary.charges > 0, "funds": arrived_funds(order)}
        case "methods":
            return {"tried_before": summary.charges > 0}
        case "bank" | "push" if charge:
            may_continue = charge.expires_at is None or charge.expires_at > now
            return {"charge": charge, "may_continue": may_continue}
        case "account" | "coin" | "key" if charge:
            until = charge.quote_expires_at if screen == "coin" else charge.expires_at
            return {
                "charge": charge,
                "to_send": charge.amount - charge.received,
                "is_over": until is not None and until <= now,
                "charge_seconds_left": until and _seconds(until, now),
            }
    return {"charge": charge}


def _receipt(order: Order) -> dict[str, object]:
    """What makes a receipt checkable by others; the payer is masked, as on their page."""
    code = receipts.get_code(order=order)
    if code is None:
        return {}
    written = receipt_codes.written(code)
    return {
        "receipt_code": written,
        "receipt_url": f"{settings.PUBLIC_URL}/verify/{written}",
        "masked_payer": masking.full_name(order.customer_name),
    }


def _surplus(order: Order) -> list[UnmatchedFunds]:
    """Money that came beside what paid the order, and waits for a decision."""
    return list(order.unmatched_funds.filter(status=UnmatchedFunds.Status.OPEN))


def arrived_funds(order: Order) -> list[UnmatchedFunds]:
    """Money that came for the order and did not pay it, whatever was decided about it."""
    return list(order.unmatched_funds.order_by("created_at"))


def build_context(
    screen: str, order: Order, now: datetime, watch: str, summary: lookup.ChargesSummary
) -> dict[str, object]:
    """What every screen shows. `watch` names the part of the live state that makes it stale."""
    missing = order.amount if order.is_final else summary.missing
    methods = offered_methods(order)
    others = direct_methods.list_page_methods(order=order, now=now, missing=missing)
    return {
        "order": order,
        "screen": screen,
        "watch": watch,
        "seen": None if order.is_final else summary.state[watch],
        "missing": missing,
        "arrived": order.amount - missing,
        "methods": methods,
        "direct_methods": others,
        "has_choice": len(methods) + len(others) > 1,
        "only_form": None if others else only_form(order),
        "seconds_left": _seconds(order.expires_at, now),
        "shop_url": shop_url(order),
    }


def offered_methods(order: Order) -> list[str]:
    """Pesos go over every rail; a coin only over its own network."""
    if order.currency == money.FIAT:
        return list(order.allowed_methods)
    return [method for method in order.allowed_methods if method == Method.CRYPTO]


def only_form(order: Order) -> str | None:
    """The path of the only method's form, where there is nothing to choose."""
    offered = offered_methods(order)
    return FORMS.get(offered[0]) if len(offered) == 1 else None


def shop_url(order: Order) -> str | None:
    """The merchant's callbackUrl with what happened, its own query kept.

    `confirmation=webhook` says what this is not: only the signed webhook confirms a payment.
    """
    url = order.callback_url or ""
    if not order.is_final or not url.startswith("https://"):
        return None
    parts = urlsplit(url)
    ours = urlencode(
        {
            "id": order.pk,
            "reference": order.reference,
            "status": order.status,
            "confirmation": "webhook",
        }
    )
    query = f"{parts.query}&{ours}" if parts.query else ours
    return urlunsplit(parts._replace(query=query))


def _seconds(until: datetime, now: datetime) -> int:
    return max(0, int((until - now).total_seconds()) + 1)
