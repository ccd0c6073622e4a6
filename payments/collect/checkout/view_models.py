"""Chooses the screen of the payment page for an order, and prepares its context.

Reads only. URLs, forms and cookies are in views.py, the HTML in templates/pay/.
"""

from datetime import datetime, timedelta
from decimal import Decimal
from urllib.parse import urlencode, urlsplit, urlunsplit

from django.conf import settings

from merchants.models import Method
from payments.collect.checkout import coin_pages, own_qr
from payments.collect.checkout.payer_fields import in_sentence
from payments.collect.models import Charge, Flow, Order, UnmatchedFunds
from payments.collect.services.charges import direct_methods, payin_accounts
from payments.collect.services.orders import (
    charge_bank,
    charge_method,
    lookup,
    receipt_mail,
    receipts,
    retries,
)
from payments.core import masking, receipt_codes
from payments.providers import ports
from payments.rails.services.routing import RouteTable

# During this time after the payment the receipt leads back to the shop.
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
    if order.status == Order.Status.PROCESSING and (
        on_its_way := list(Charge.objects.on_its_way(order))
    ):
        asks_for_rest = order.expires_at > now and [charge] == on_its_way
        return "coin" if asks_for_rest and coin_pages.is_short(on_its_way[0]) else "confirming"
    if order.expires_at <= now:
        return "expired"
    if charge is None:
        return "methods"
    if not charge.is_answered:
        return "checking"
    if charge.flow == Flow.KEY:
        return "key"
    if charge.flow == Flow.QR:
        return "coming" if charge.is_code_missing and not _is_past(charge, now) else "qr"
    return "coin" if charge.method == Method.CRYPTO else "account"


def _debit_screen(charge: Charge) -> str:
    if charge.flow == Flow.PUSH:
        return "push" if charge.is_answered else "checking"
    if charge.redirect_url:
        return "bank"
    return "coming" if charge.is_answered else "checking"


def build_details(
    screen: str, order: Order, charge: Charge | None, now: datetime, summary: lookup.ChargesSummary
) -> dict[str, object]:
    match screen:
        case "completed":
            paid_now = order.paid_at is not None and now - order.paid_at < JUST_PAID
            charge = lookup.settling_charge(order=order)
            surplus, coins = _surplus(order), _coins_of_receipt(order, charge)
            return {
                "charge": charge,
                "is_test": receipts.uses_play_money(charge),
                "bank_name": charge_bank.name_of(charge) if charge else "",
                # News of money that came in beside must be read before the page leaves by itself.
                "just_paid": paid_now and not surplus and not coins.get("deposits"),
                "surplus": surplus,
                **coins,
                **_receipt(order),
                **_way_back(charge),
            }
        case "failed":
            refused = lookup.newest_charge(order=order, status=Charge.Status.FAILED)
            return {
                "charge": refused,
                "may_try_again": retries.may_try_again(order=order, now=now),
                **_arrived(order, summary),
                **_way_back(refused),
            }
        case "cancelled" | "expired":
            return {"was_tried": summary.charges > 0, **_arrived(order, summary)}
        case "confirming":
            return {
                "charge": charge,
                "shop_url": shop_link(order),
                "mailed_to": receipt_mail.mailed_to(order),
                **coin_pages.confirming_context(order, summary.missing, now),
            }
        case "methods":
            return {"tried_before": summary.charges > 0}
        case "bank" | "push" if charge:
            until = charge.expires_at
            return {
                "charge": charge,
                "may_continue": until is None or until > now,
                "charge_seconds_left": until and _seconds(until, now),
                "bank_name": charge_bank.name_of(charge),
            }
        case "coin" if charge:
            until = charge.quote_expires_at
            return {
                "charge": charge,
                "charge_seconds_left": until and _seconds(until, now),
                "mailed_to": receipt_mail.mailed_to(order) if charge.unconfirmed else "",
                **coin_pages.instructions_context(order, charge, summary.missing, now),
            }
        case "account" | "key" | "qr" if charge:
            until, to_send = charge.expires_at, charge.amount - charge.received
            return {
                "charge": charge,
                "to_send": to_send,
                "may_use_key": to_send <= settings.BREB_MAX_AMOUNT,
                "own_qr": own_qr.code_shown(charge.instructions, to_send),
                "charge_label": charge_method.name_of(charge) if screen == "qr" else None,
                "is_over": until is not None and until <= now,
                "charge_seconds_left": until and _seconds(until, now),
            }
    return {"charge": charge}


def _is_past(charge: Charge, now: datetime) -> bool:
    return charge.expires_at is not None and charge.expires_at <= now


def _way_back(charge: Charge | None) -> dict[str, object]:
    """The shop that sent the payer to our page with a QR code may have named where to go next."""
    if charge and charge.flow == Flow.QR and charge.return_url != charge.order.return_url:
        return {"shop_url": charge.return_url}
    return {}


def _receipt(order: Order) -> dict[str, object]:
    """The code and URL by which others can check the receipt. They see the payer's name masked."""
    code = receipts.get_code(order=order)
    if code is None:
        return {}
    written = receipt_codes.written(code)
    return {
        "receipt_code": written,
        "receipt_url": f"{settings.PUBLIC_URL}/verify/{written}",
        "masked_payer": masking.full_name(order.customer_name),
        **_mailed_receipt(order),
    }


def _mailed_receipt(order: Order) -> dict[str, object]:
    if not receipt_mail.is_possible(order):
        return {}
    return {
        "masked_email": masking.email(order.customer_email),
        "is_mailed": receipt_mail.find(order) is not None,
    }


def _coins_of_receipt(order: Order, charge: Charge | None) -> dict[str, object]:
    """The transactions that paid, and others that are on their way."""
    if charge is None or charge.method != Method.CRYPTO:
        return {}
    paid = coin_pages.deposits_of(charge)
    return {
        "transactions": [one for one in paid if one.state is coin_pages.State.FINAL],
        "deposits": coin_pages.under_way(order),
    }


def _arrived(order: Order, summary: lookup.ChargesSummary) -> dict[str, object]:
    return {
        "funds": arrived_funds(order),
        "deposits": coin_pages.under_way(order) if summary.coins else [],
    }


def _surplus(order: Order) -> list[UnmatchedFunds]:
    """Money that was more than the order's amount and waits for an operator."""
    return list(order.unmatched_funds.filter(status=UnmatchedFunds.Status.OPEN))


def arrived_funds(order: Order) -> list[UnmatchedFunds]:
    """Money that arrived for the order but did not pay it.

    Still shown after an operator's decision.
    """
    return list(order.unmatched_funds.order_by("created_at"))


def build_context(
    screen: str,
    order: Order,
    now: datetime,
    watch: str,
    summary: lookup.ChargesSummary,
    routes: RouteTable | None = None,
) -> dict[str, object]:
    """The context of every screen.

    The page reloads when `watch`, a key of the live state, changes.
    """
    missing = order.amount if order.is_final else summary.missing
    table = None if order.is_final else routes or payin_accounts.load_routes()
    methods, others = _choices(order, now, missing, table) if table else ([], [])
    return {
        "order": order,
        "screen": screen,
        "watch": watch,
        "seen": summary.state[watch] if _may_change(order, summary) else None,
        "missing": missing,
        "arrived": order.amount - missing,
        "methods": methods,
        "direct_methods": others,
        "pse_documents": _pse_documents(order, methods, table),
        "has_choice": len(methods) + len(others) > 1,
        "only_form": None if others else only_form(methods),
        "seconds_left": _seconds(order.expires_at, now),
        "shop_url": shop_url(order),
        **(_coins(order, table) if screen in ("methods", "crypto") and table else {}),
    }


def _coins(order: Order, table: RouteTable) -> dict[str, object]:
    """`only_coin` is set where there is nothing to choose."""
    coins = [coin for coin, _account in payin_accounts.coin_options(order, table)]
    return {
        "coin_codes": list(dict.fromkeys(coin.code for coin in coins)),
        "only_coin": coins[0] if len(coins) == 1 else None,
    }


def _may_change(order: Order, summary: lookup.ChargesSummary) -> bool:
    """Coins may still arrive for an order that ended unpaid."""
    return not order.is_final or (order.status != Order.Status.COMPLETED and summary.coins > 0)


def _choices(
    order: Order, now: datetime, missing: Decimal, routes: RouteTable
) -> tuple[list[str], list[ports.DirectMethod]]:
    others = direct_methods.list_page_methods(order=order, now=now, missing=missing, table=routes)
    return payin_accounts.offered_methods(order, routes), others


def _pse_documents(order: Order, methods: list[str], table: RouteTable | None) -> str:
    """The documents that PSE takes, if the customer's is not one of them."""
    if table is None or Method.PSE.value not in methods:
        return ""
    return in_sentence(payin_accounts.taken_documents(order, Method.PSE, table))


def only_form(offered: list[str]) -> str | None:
    """The path of the form if the order has only one method."""
    return FORMS.get(offered[0]) if len(offered) == 1 else None


def shop_url(order: Order) -> str | None:
    """The merchant's callbackUrl with its own query and our parameters.

    The parameter `confirmation=webhook` reminds developers that only the signed webhook
    confirms a payment.
    """
    return shop_link(order) if order.is_final else None


def shop_link(order: Order) -> str | None:
    """As `shop_url`, also for an order that waits for the network."""
    url = order.callback_url or ""
    if not url.startswith("https://"):
        return None
    parts = urlsplit(url)
    facts = {"id": order.pk, "reference": order.reference, "status": order.status}
    ours = urlencode({**facts, "confirmation": "webhook"})
    query = f"{parts.query}&{ours}" if parts.query else ours
    return urlunsplit(parts._replace(query=query))


def _seconds(until: datetime, now: datetime) -> int:
    return max(0, int((until - now).total_seconds()) + 1)
