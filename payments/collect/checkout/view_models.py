"""Chooses the screen of the payment page for an order, and prepares its context.

Reads only. URLs, forms and cookies are in views.py, the HTML in templates/pay/.
"""

from datetime import datetime
from decimal import Decimal
from urllib.parse import urlencode, urlsplit, urlunsplit

from merchants.models import Method
from payments.api.fields import is_browser_url
from payments.collect.checkout import coin_pages
from payments.collect.checkout.payer_fields import in_sentence
from payments.collect.models import Charge, Flow, Order
from payments.collect.services.charges import direct_methods, payin_accounts
from payments.collect.services.orders import (
    lookup,
)
from payments.providers import ports
from payments.rails.services.routing import RouteTable

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


def _is_past(charge: Charge, now: datetime) -> bool:
    return charge.expires_at is not None and charge.expires_at <= now


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
        "seconds_left": seconds(order.expires_at, now),
        "shop_url": shop_url(order),
        **(_coins(order, table) if screen in ("methods", "crypto", "coin") and table else {}),
    }


def _coins(order: Order, table: RouteTable) -> dict[str, object]:
    """`only_coin` is set where there is nothing to choose."""
    coins = [coin for coin, _account in payin_accounts.coin_options(order, table)]
    return {
        "coin_codes": list(dict.fromkeys(coin.code for coin in coins)),
        "only_coin": coins[0] if len(coins) == 1 else None,
    }


def _may_change(order: Order, summary: lookup.ChargesSummary) -> bool:
    """Money of a payment that was started may still arrive for an order that ended unpaid."""
    return not order.is_final or (order.status != Order.Status.COMPLETED and summary.charges > 0)


def _choices(
    order: Order,
    now: datetime,
    missing: Decimal,
    routes: RouteTable,
    most: Decimal | None = None,
) -> tuple[list[str], list[ports.DirectMethod]]:
    others = direct_methods.list_page_methods(
        order=order, now=now, missing=missing, most=most, table=routes
    )
    return payin_accounts.offered_methods(order, routes), others


def method_names(order: Order, now: datetime, most: Decimal | None = None) -> list[str]:
    """As the choice of methods names them, in its order. The order may be unsaved.

    With `most` its amount is still open: from that of the order to this one.
    """
    table = payin_accounts.load_routes()
    methods, others = _choices(order, now, order.amount, table, most)
    own = [str(Method(one).label) for one in methods if one != Method.CRYPTO]
    coins = [str(Method.CRYPTO.label)] if Method.CRYPTO in methods else []
    names = [*own, *(str(one.label) for one in others)]
    # templates/pay/methods.html: coins stand last, unless the order names them first.
    return [*coins, *names] if methods[:1] == [Method.CRYPTO] else [*names, *coins]


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
    if not is_browser_url(url):
        return None
    parts = urlsplit(url)
    facts = {"id": order.pk, "reference": order.reference, "status": order.status}
    ours = urlencode({**facts, "confirmation": "webhook"})
    query = f"{parts.query}&{ours}" if parts.query else ours
    return urlunsplit(parts._replace(query=query))


def seconds(until: datetime, now: datetime) -> int:
    """Until then, rounded up; 0 if it is past."""
    return max(0, int((until - now).total_seconds()) + 1)
