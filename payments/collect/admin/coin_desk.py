"""The desk for refunds in coins: what an operator pays from their wallet, and its transaction."""

from typing import Any

from django import forms
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display
from unfold.widgets import UnfoldAdminTextInputWidget

from payments.chains.coin_refund import FORMER, LOOK
from payments.collect.models import Refund
from payments.collect.services.refunds import coin_refunds, contested
from payments.collect.services.refunds.coin_reports import is_paid_twice
from payments.collect.services.refunds.coin_transactions import is_on_desk
from payments.collect.services.refunds.destination_checks import is_stopped
from payments.collect.templatetags.pay import qr
from payments.console import tenancy
from payments.console.actions import ConfirmedAction, ReasonForm
from payments.console.cells import copy_button
from payments.console.detail_page import NextStep
from payments.console.formatting import amount
from payments.core import masking, money
from payments.providers.ports import Coin


class TransactionForm(ReasonForm):
    transaction = forms.CharField(
        label=_("Transaction"),
        max_length=100,
        widget=UnfoldAdminTextInputWidget(
            attrs={"autocomplete": "off", "spellcheck": "false", "autocapitalize": "none"}
        ),
        help_text=_("The hash or id that your wallet shows, as a whole."),
    )
    field_order = ["transaction", "reason"]


ENTER = ConfirmedAction(
    verb="pay",
    needs_reauthentication=True,
    title=_("Enter the transaction"),
    explanation=_(
        "Pay the amount from your wallet first. The service looks on the chain whether this"
        " transaction pays the address of the refund at least the amount. The refund is completed"
        " once the network holds the transaction for final."
    ),
    submit=_("Enter"),
    form_class=TransactionForm,
)


class CoinDesk:
    """Fields of the page of refunds."""

    @display(description=_("to pay in coins"))
    def coin_shown(self, refund: Refund) -> str:
        return to_pay(refund) or "-"

    @display(description=_("price of the coin"))
    def coin_rate_shown(self, refund: Refund) -> str:
        return amount(refund.coin_rate, money.FIAT)

    @display(description=_("address of the payer"))
    def coin_address(self, refund: Refund) -> str | SafeString:
        """In full only for operators, and not if it changed after the approval."""
        address = address_of(refund)
        if not address or is_stopped(refund):
            return "-"
        if tenancy.current_user_is_merchant():
            return masking.tail(address)
        if _is_to_pay(refund):
            return "-"  # in the next step
        shown = {"value": address, "label": gettext("Copy the address")}
        return render_to_string("admin/copy.html", shown)

    @display(description=_("transaction"))
    def transaction_shown(self, refund: Refund) -> str | SafeString:
        if not refund.transaction:
            return "-"
        if url := transaction_url(refund):
            return format_html(
                '<a class="desk-copied" href="{}" target="_blank" rel="noopener noreferrer">{}</a>',
                url,
                refund.transaction,
            )
        return refund.transaction


COIN_FIELDS = (
    ("coin_shown", "coin_rate_shown"),
    "coin_address",
    "transaction_shown",
)
COIN_FIELDS_OF_OPERATORS = frozenset({"coin_rate_shown"})


def without_coin_fields(fields: Any, refund: Refund | None) -> Any:
    """Of a refund in pesos."""
    return fields if refund is None or refund.coin else [f for f in fields if f not in COIN_FIELDS]


def is_waiting(refund: Refund) -> bool:
    return is_on_desk(refund) and not refund.transaction


def _is_to_pay(refund: Refund) -> bool:
    if not is_waiting(refund) or is_stopped(refund):
        return False
    return not contested.problem(refund.order, refund)


def to_pay(refund: Refund) -> str:
    """`12.5 USDT · Polygon (PoS)`. Without the amount before the approval."""
    if not refund.coin:
        return ""
    return f"{_amount_of(refund)} · {_network_of(refund)}"


def _network_of(refund: Refund) -> str:
    coin = coin_refunds.coin_of(refund)
    return coin.network_name if coin else refund.coin_network


def address_of(refund: Refund) -> str:
    return str(refund.destination.get("address", "")) if refund.coin else ""


def transaction_url(refund: Refund) -> str:
    port = coin_refunds.port_of(refund.provider)
    return port.chain.transaction_url(refund.transaction) if port and refund.transaction else ""


def summary(refund: Refund) -> list[str]:
    """For the pages of the actions."""
    if not refund.coin:
        return []
    lines = [gettext("To pay: %s") % to_pay(refund)]
    if refund.coin_amount is None and refund.currency != refund.coin:
        lines.append(gettext("The amount in coins is fixed when the refund is approved."))
    if address := address_of(refund):
        lines.append(gettext("Goes to: %s") % address)
    return lines


def next_step(refund: Refund) -> NextStep | None:
    """None for a refund that is not on the desk, or is as other refunds."""
    if not refund.coin:
        return None
    if refund.status == Refund.Status.COMPLETED and refund.needs_operator and is_paid_twice(refund):
        why = gettext("Two transactions pay this refund. Look for both in your wallet.")
        return NextStep(why=why, actions=("acknowledge",))
    if not is_on_desk(refund) or is_stopped(refund):
        return None
    if refund.transaction:
        return _of_transaction(refund)
    if why := contested.problem(refund.order, refund):
        return NextStep(why=gettext("Do not pay it.") + " " + gettext(why), actions=("resolve",))
    to_do = _what_to_pay(refund)
    if former := refund.provider_state.get(FORMER):
        gone = gettext(
            "But first make sure in your wallet that %s cannot arrive any more: the network has"
            " forgotten it. If your wallet replaced it, enter the new one."
        )
        to_do = format_html("{} {}", gone % former[-1], to_do)
    return NextStep(why=to_do, actions=("enter_transaction", "resolve"))


def _what_to_pay(refund: Refund) -> SafeString:
    """The amount, the network, the address and the code for the wallet."""
    address, coins = address_of(refund), refund.coin_amount
    shown = {
        "shown": _amount_of(refund),
        "network": _network_of(refund),
        "address": address,
        "copy_amount": copy_button(money.text(coins)) if coins is not None else "",
        "copy_address": gettext("Copy the address"),
        "code": qr(_uri(refund) or address),
    }
    return render_to_string("admin/coin_to_pay.html", shown)


def _of_transaction(refund: Refund) -> NextStep:
    look = refund.provider_state.get(LOOK, {})
    if look.get("missing_since"):
        why = gettext(
            "The network does not show the transaction any more. If your wallet replaced it, enter"
            " the new one."
        )
        return NextStep(why=why, actions=("enter_transaction", "ask_rail"))
    if (needed := look.get("needed")) is not None:
        counted = {"now": look.get("confirmations", 0), "needed": needed}
        why = gettext("The transaction has %(now)s of %(needed)s confirmations.") % counted
    else:
        why = gettext("The transaction waits until the network holds it for final.")
    return NextStep(why=why)


def _amount_of(refund: Refund) -> str:
    if refund.coin_amount is not None:
        return amount(refund.coin_amount, refund.coin)
    if refund.currency == refund.coin:
        return amount(refund.amount, refund.coin)
    return refund.coin


def _uri(refund: Refund) -> str:
    port = coin_refunds.port_of(refund.provider)
    coin: Coin | None = port.coin(refund.coin) if port else None
    if port is None or coin is None or refund.coin_amount is None:
        return ""
    return port.chain.payment_uri(coin, address_of(refund), refund.coin_amount)
