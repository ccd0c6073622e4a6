"""The forms of an account: all that is enabled for it; of a new one also its legal data."""

from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminTextInputWidget

from merchants.admin import branding
from merchants.admin.collection_settings import CollectingForm, choices_field
from merchants.admin.event_choices import event_choices
from merchants.admin.legal_data import read_nit
from merchants.admin.outgoing_settings import OutgoingForm
from merchants.admin.self_service import WebhookUrlForm
from merchants.legal import services as legal
from merchants.models import SWITCH_HELP, SWITCHES, Merchant
from payments.console.actions import Cleaned, ReasonForm

_OF_COLLECTING = ("direct_api_enabled", "retry_enabled")
_OUTGOING = [name for name in SWITCHES if name not in _OF_COLLECTING]

# Only what is needed is open. The headings of the rest say with what the account begins.
FIELDSETS_OF_NEW: list[Any] = [
    (
        _("Basics"),
        {
            "fields": [("name", "email"), ("legal_name", "nit"), "reason"],
            "description": _(
                "Only the name and the reason are needed. The rest begins as its heading says, "
                "and can be changed later."
            ),
        },
    ),
    (
        _("Payments: all currencies and methods"),
        {
            "fields": [_OF_COLLECTING, "currencies", "methods"],
            "classes": ["collapse"],
        },
    ),
    (
        _("What the balance pays for by API: off"),
        {
            "fields": [tuple(_OUTGOING[:2]), (*_OUTGOING[2:], "payout_approval_above")],
            "classes": ["collapse"],
        },
    ),
    (
        _("Webhooks: without a URL they wait"),
        {"fields": ["webhook_url", "event_kinds"], "classes": ["collapse"]},
    ),
    (
        _("Payer's page: the colours of the service"),
        {"fields": branding.FIELDS, "classes": ["collapse"]},
    ),
]


class MerchantForm(branding.BrandingForm, ReasonForm, WebhookUrlForm, CollectingForm, OutgoingForm):
    """The account and what is enabled for it. Every save has a reason."""

    event_kinds = choices_field(Merchant._meta.get_field("event_kinds"), event_choices)

    class Meta:
        model = Merchant
        fields = [
            "name",
            "email",
            *SWITCHES,
            "currencies",
            "methods",
            "payout_approval_above",
            "webhook_url",
            "event_kinds",
            "brand_color",
        ]
        labels = {"email": _("E-mail")}
        help_texts = {
            **SWITCH_HELP,
            "payout_approval_above": _("Empty: no payout waits. Zero: every payout waits."),
        }
        widgets = {
            "payout_approval_above": UnfoldAdminTextInputWidget(
                attrs={"suffix": "COP", "inputmode": "decimal"}
            ),
        }

    def clean_payout_approval_above(self) -> Decimal | None:
        """Zero: every payout needs approval. Empty: no payout needs it."""
        above: Decimal | None = self.cleaned_data["payout_approval_above"]
        if above is not None and above < 0:
            raise forms.ValidationError(gettext("Zero or more, or empty."))
        return above


class NewMerchantForm(MerchantForm):
    """With the legal name and the NIT, which the merchant may also give later."""

    legal_name = forms.CharField(
        label=_("Legal name (razón social)"),
        max_length=200,
        required=False,
        widget=UnfoldAdminTextInputWidget(),
        help_text=_("Payers see it on the page and on the receipt."),
    )
    nit = forms.CharField(
        label="NIT",
        max_length=20,
        required=False,
        widget=UnfoldAdminTextInputWidget(attrs={"placeholder": "900.123.456-8"}),
        help_text=_("With its check digit. Both may be given later, too."),
    )

    def clean_nit(self) -> str:
        text: str = self.cleaned_data["nit"]
        return read_nit(text) if text else ""

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean()
        for name, other in (("legal_name", "nit"), ("nit", "legal_name")):
            if given.get(other) and not given.get(name) and name not in self.errors:
                self.add_error(name, gettext("The legal name and the NIT are given together."))
        return given


def keep_legal_data(merchant: Merchant, given: Cleaned, actor: str) -> None:
    """Of a new account, if the form has them."""
    if given["nit"]:
        data = legal.NewLegalData(legal_name=given["legal_name"], nit=given["nit"])
        legal.set_legal_data(merchant=merchant, data=data, actor=actor, reason=given["reason"])
