"""The page on which a payer names the account that a refund is paid to."""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from payments.collect.checkout import payer_fields, refund_address
from payments.collect.checkout.decorators import SeeOther, payer_page
from payments.collect.checkout.payer_fields import NOT_LISTED, searchable
from payments.collect.models import Order, Refund
from payments.collect.services.charges.payer_facts import DOCUMENT_TYPES
from payments.collect.services.errors import (
    RefundLinkExpired,
    RefundNotFound,
    RefundProviderUnavailable,
)
from payments.collect.services.orders.retention import FORGOTTEN
from payments.collect.services.refunds import refund_destinations
from payments.core import jsontext
from payments.outgoing import beneficiary_validation
from payments.providers.ports import PayoutNetwork

ACCOUNT_TYPES = {"SAVINGS": _("Savings"), "CHECKING": _("Checking")}
KEY_TYPES = {
    "PHONE": _("Mobile phone"),
    "ID": _("Document number"),
    "EMAIL": _("E-mail"),
    "ALPHANUMERIC": _("Alphanumeric key"),
}


KEY_SHAPES = {
    "PHONE": _("Enter the 10 digits of your mobile number. It starts with 3."),
    "ID": _("Enter your document number, without dots."),
    "EMAIL": _("Enter an e-mail such as maria@example.com."),
    "ALPHANUMERIC": _("This key is @ and 5 to 20 letters or digits."),
}


KEY_EXAMPLES = {
    "PHONE": "310 555 1234",
    "ID": "1020304050",
    "EMAIL": "maria@example.com",
    "ALPHANUMERIC": "@maria1234",
}


class DestinationForm(forms.Form):
    """An account at a bank, or an instant key. The account must be the payer's own."""

    network = forms.ChoiceField(
        label=_("Where to"),
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose an account or a key."), **NOT_LISTED},
    )
    bank_code = forms.ChoiceField(
        label=_("Your bank"), widget=searchable(), error_messages=NOT_LISTED, required=False
    )
    account_type = forms.ChoiceField(  # None is chosen before: a wrong one sends the money back.
        label=_("Account type"),
        choices=ACCOUNT_TYPES,
        widget=forms.RadioSelect,
        error_messages=NOT_LISTED,
        required=False,
    )
    account_number = forms.CharField(
        label=_("Account number"),
        max_length=30,
        required=False,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
    )
    key_type = forms.ChoiceField(
        label=_("Kind of key"),
        choices=KEY_TYPES,
        error_messages=NOT_LISTED,
        required=False,
    )
    key_value = forms.CharField(
        label=_("Your Bre-B key"),
        max_length=100,
        required=False,
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "spellcheck": "false", "autocapitalize": "none"}
        ),
    )
    recipient_name = payer_fields.name_field(_("Full name"))
    document_type = payer_fields.document_type_field(_("Document type"))
    document_number = payer_fields.document_number_field(_("Document number"))
    consent = payer_fields.consent_field(of_refund=True)
    # Names the details that the payer has compared on the second page.
    compared = forms.CharField(required=False, widget=forms.HiddenInput())

    NEEDED = {
        PayoutNetwork.BANK.value: ("bank_code", "account_type", "account_number"),
        PayoutNetwork.BREB.value: ("key_type", "key_value"),
    }
    NOT_SENT = ("consent", "compared")
    MISSING = {
        "bank_code": _("Choose your bank."),
        "account_type": _("Choose the type of your account."),
        "account_number": _("Enter your account number."),
        "key_value": _("Enter your key."),
    }

    def __init__(
        self,
        data: QueryDict | None,
        *,
        networks: list[str],
        banks: dict[str, str],
        holder: str = "",
    ) -> None:
        super().__init__(data, initial={"recipient_name": holder})
        labels = {"BANK": _("Bank account"), "BREB": _("Bre-B key")}
        self._choices("network", [(one, labels[one]) for one in networks])
        self._choices("bank_code", [("", _("Choose your bank")), *banks.items()])
        self._choices("document_type", [("", _("Choose one")), *DOCUMENT_TYPES.items()])
        self.fields["key_value"].help_text = _examples_of_keys()
        if len(networks) == 1:
            self.initial["network"] = networks[0]
        self.networks, self._banks = networks, banks
        for network, names in self.NEEDED.items():
            for name in names:  # The list of errors shows those of the chosen way only.
                self.fields[name].way = network  # type: ignore[attr-defined]

    def _choices(self, name: str, choices: list[tuple[str, Any]]) -> None:
        self.fields[name].choices = choices  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Checks what the chosen way needs, and forgets the fields of the other one."""
        super().clean()
        payer_fields.check_document(self, "document_type", "document_number")
        for network, names in self.NEEDED.items():
            for name in names:
                if self.cleaned_data.get("network") != network:
                    self.cleaned_data[name] = ""
                    self.errors.pop(name, None)
                elif not self.cleaned_data.get(name) and name not in self.errors:
                    self.add_error(name, self.MISSING.get(name, _("Choose one.")))
        self._check_account()
        self._check_key()
        if "network" in self.errors:  # The fields of the holder open with the choice.
            for name in ("recipient_name", "document_type", "document_number"):
                self.errors.pop(name, None)
        return self.cleaned_data

    def _check_account(self) -> None:
        bank, typed = (self.cleaned_data.get(name, "") for name in ("bank_code", "account_number"))
        if not typed:
            return
        name = self._banks.get(bank, "")
        number = beneficiary_validation.account_number(typed, name)
        if number is None:
            is_mobile = beneficiary_validation.is_mobile_bank(name)
            digits = _("An account number has 6 to 20 digits.")
            self.add_error("account_number", KEY_SHAPES["PHONE"] if is_mobile else digits)
        else:
            self.cleaned_data["account_number"] = number

    def _check_key(self) -> None:
        kind, typed = (self.cleaned_data.get(name, "") for name in ("key_type", "key_value"))
        if not kind or not typed:
            return
        value = beneficiary_validation.key_value(typed, kind)
        if value is None:
            self.add_error("key_value", KEY_SHAPES[kind])
        else:
            self.cleaned_data["key_value"] = value

    def destination(self) -> dict[str, str]:
        known = self.cleaned_data.items()
        return {name: value for name, value in known if value and name not in self.NOT_SENT}

    def digest(self) -> str:
        """Of the details as they would be paid to: another separator is the same number."""
        text = jsontext.dumps(sorted(self.destination().items()))
        return salted_hmac("refund-destination", text).hexdigest()

    def sent(self) -> list[tuple[str, str]]:
        """What the payer filled in, for the hidden fields of the second page."""
        names = (name for name in self.fields if name != "compared" and name in self.data)
        return [(name, self.data[name]) for name in names]

    @property
    def is_compared(self) -> bool:
        return constant_time_compare(self.cleaned_data["compared"], self.digest())

    def shown(self) -> list[tuple[Any, str]]:
        """The details by their labels, as the payer compares them."""
        destination = self.destination()
        return [
            (field.label, self._in_words(name, destination[name]))
            for name, field in self.fields.items()
            if name in destination
        ]

    def _in_words(self, name: str, value: str) -> str:
        return str(dict(getattr(self.fields[name], "choices", ())).get(value, value))


def _examples_of_keys() -> SafeString:
    """Browsers with :has() show the one of the chosen kind, others all of them."""
    examples = [(kind, gettext("For example %s") % text) for kind, text in KEY_EXAMPLES.items()]
    return format_html_join(" ", '<span data-key="{}">{}</span>', examples)


@require_http_methods(["GET", "HEAD", "POST"])
@payer_page
def refund_destination(request: HttpRequest, order: Order, signed: str) -> HttpResponse:
    try:
        refund = refund_destinations.find_by_link(order=order, signed=signed)
    except RefundLinkExpired:
        return render(request, "pay/refund_expired.html", {"order": order}, status=410)
    except RefundNotFound:
        return render(request, "pay/not_found.html", status=404)
    page: dict[str, Any] = {"order": order, "refund": refund, "signed": signed}
    if not refund.needs_destination or refund.has_ended:
        return render(request, "pay/refund_known.html", page | refund_address.paid_by(refund))
    if refund.coin:
        return refund_address.name_address(request, order, refund, page)
    ways = refund_destinations.ways(refund)
    form = _form(request, order, ways)
    if form is None:
        return render(request, "pay/refund_away.html", page, status=503)
    if request.method == "POST" and form.is_valid():
        if form.is_compared:
            return _give(order, refund, signed, form, ways)
        if "change" not in request.POST:
            return render(request, "pay/refund_destination_check.html", {**page, "form": form})
    return render(request, "pay/refund_destination.html", {**page, "form": form})


def _form(request: HttpRequest, order: Order, ways: dict[str, str]) -> DestinationForm | None:
    """None while no rail can take a payout.

    The payer's name is filled in, because the receipt shows it to each reader of the link. The
    document is not: no page shows it after the payment.
    """
    bank = ways.get(PayoutNetwork.BANK.value)
    try:
        banks = refund_destinations.banks_of(bank) if bank else {}
    except RefundProviderUnavailable:
        banks = {}
    networks = [name for name in ways if name != PayoutNetwork.BANK.value or banks]
    if not networks:
        return None
    sent = request.POST if request.method == "POST" else None
    holder = "" if order.customer_name == FORGOTTEN else order.customer_name
    return DestinationForm(sent, networks=networks, banks=banks, holder=holder)


def _give(
    order: Order,
    refund: Refund,
    signed: str,
    form: DestinationForm,
    ways: dict[str, str],
) -> HttpResponse:
    destination = form.destination()
    refund_destinations.give_destination(
        refund=refund,
        account=ways[destination["network"]],
        destination=destination,
    )
    return SeeOther(f"/pay/{order.token}/refund/{signed}")
