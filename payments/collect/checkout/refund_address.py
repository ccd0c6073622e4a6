"""The page on which a payer names the address that a refund in coins is paid to."""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from payments.collect.checkout import payer_fields
from payments.collect.checkout.decorators import SeeOther
from payments.collect.models import Order, Refund
from payments.collect.services.refunds import coin_refunds, refund_destinations

# What people compare of an address.
ENDS = 6


class AddressForm(forms.Form):
    address = forms.CharField(
        label=_("Your address"),
        max_length=120,
        validators=[payer_fields.no_controls],
        error_messages={"required": _("Enter your address.")},
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "spellcheck": "false", "autocapitalize": "none"}
        ),
    )
    consent = payer_fields.consent_field(of_refund=True)
    # The address that the payer has compared on the second page.
    compared = forms.CharField(required=False, widget=forms.HiddenInput())

    def __init__(self, *args: Any, port: coin_refunds.CoinRefund, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._port = port

    def clean_address(self) -> str:
        address: str = self.cleaned_data["address"]
        if problem := coin_refunds.problem_of_address(self._port, address):
            raise forms.ValidationError(gettext(problem))
        return address

    @property
    def is_compared(self) -> bool:
        return bool(self.cleaned_data["compared"] == self.cleaned_data["address"])


def name_address(
    request: HttpRequest, order: Order, refund: Refund, page: dict[str, Any]
) -> HttpResponse:
    port, coin = coin_refunds.port_of(refund.provider), coin_refunds.coin_of(refund)
    if port is None or coin is None:
        return render(request, "pay/refund_away.html", page, status=503)
    page |= {"coin": coin}
    form = AddressForm(request.POST if request.method == "POST" else None, port=port)
    if request.method != "POST" or not form.is_valid():
        return render(request, "pay/refund_address.html", {**page, "form": form})
    address = form.cleaned_data["address"]
    if not form.is_compared:
        parts = {"first": address[:ENDS], "middle": address[ENDS:-ENDS], "last": address[-ENDS:]}
        shown = {**page, "form": form, "address": address, "parts": parts}
        return render(request, "pay/refund_address_check.html", shown)
    refund_destinations.give_destination(
        refund=refund,
        account=refund.provider,
        destination={"network": refund.coin_network, "address": address},
    )
    return SeeOther(f"/pay/{order.token}/refund/{page['signed']}")


def paid_by(refund: Refund) -> dict[str, str]:
    """The transaction and its page in an explorer, once an operator has paid."""
    port = coin_refunds.port_of(refund.provider) if refund.transaction else None
    if port is None:
        return {}
    url = port.chain.transaction_url(refund.transaction)
    return {"transaction": refund.transaction, "transaction_url": url}
