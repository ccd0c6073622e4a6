"""The legal data of a merchant, which its administrators and operators change."""

from dataclasses import replace
from typing import Any

from django import forms
from django.core.validators import URLValidator
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action, display
from unfold.widgets import UnfoldAdminTextInputWidget

from merchants.legal import services, tax_ids
from merchants.legal.models import LegalData
from merchants.models import Merchant
from payments.console.actions import Cleaned, ConfirmedAction, ReasonForm, right_to
from payments.console.formatting import actor, lines
from payments.console.model_admins import ConsoleAdmin
from payments.core.text import colombian_phone


def _text(label: Any, length: int, required: bool = False, **attrs: str) -> forms.CharField:
    widget = UnfoldAdminTextInputWidget(attrs=attrs)
    return forms.CharField(label=label, max_length=length, required=required, widget=widget)


def read_nit(text: str) -> str:
    """Without its check digit. Raises ValidationError."""
    try:
        return tax_ids.parse(text)
    except tax_ids.NotANit as error:
        if error.digit:
            wrong = gettext("The check digit does not fit: for this number it is %s.")
            raise forms.ValidationError(wrong % error.digit) from None
        wrong = gettext("Write the NIT with its check digit: 900.123.456-8.")
        raise forms.ValidationError(wrong) from None


class LegalDataForm(ReasonForm):
    legal_name = _text(_("Legal name (razón social)"), 200, True, autocomplete="organization")
    nit = _text("NIT", 20, True, inputmode="text", placeholder="900.123.456-8")
    address = _text(_("Address"), 200, autocomplete="street-address")
    city = _text(_("City"), 100)
    contact_email = forms.EmailField(
        label=_("Contact e-mail"),
        required=False,
        widget=UnfoldAdminTextInputWidget(attrs={"type": "email"}),
        help_text=_("Payers see it, and the alerts of the service go there."),
    )
    contact_phone = _text(_("Contact phone"), 30, inputmode="tel", placeholder="601 555 1234")
    data_policy_url = _text(_("Data policy (Law 1581)"), 500, inputmode="url")
    field_order = [
        *("legal_name", "nit", "address", "city", "contact_email", "contact_phone"),
        *("data_policy_url", "reason"),
    ]

    def clean_nit(self) -> str:
        return read_nit(self.cleaned_data["nit"])

    def clean_contact_phone(self) -> str:
        phone: str = self.cleaned_data["contact_phone"]
        if phone and not colombian_phone(phone):
            raise forms.ValidationError(gettext("Ten digits, such as 3001234567 or 6015551234."))
        return phone

    def clean_data_policy_url(self) -> str:
        url: str = self.cleaned_data["data_policy_url"]
        if url:
            text = gettext("The whole address, beginning with https://.")
            URLValidator(schemes=["https"], message=text)(url)
        return url


LEGAL = ConfirmedAction(
    verb="legal",
    needs_reauthentication=True,
    title=_("Set legal data"),
    explanation=_(
        "Payers see these data on the payment page and on receipts, and they are on the "
        "statement. A withdrawal needs a bank account of the same NIT."
    ),
    submit=_("Save"),
    form_class=LegalDataForm,
)


class LegalPages(ConsoleAdmin):
    legal_actions = frozenset({"set_legal_data"})
    has_legal_permission = right_to("legal")

    @display(description=_("legal data"))
    def legal_shown(self, merchant: Merchant) -> str | SafeString:
        data = services.find(merchant) if merchant.pk else None
        return lines(_parts(data)) if data else gettext("Not given yet.")

    @action(description=LEGAL.title, icon="gavel", permissions=["legal"])
    def set_legal_data(self, request: HttpRequest, object_id: str) -> HttpResponse:
        merchant = self.get_record(request, object_id)

        def perform(form: Cleaned) -> HttpResponse:
            reason = form.pop("reason")
            data = services.NewLegalData(**form)
            services.set_legal_data(
                merchant=merchant, data=data, actor=actor(request), reason=reason
            )
            return self.done(request, merchant, LEGAL, gettext("The legal data are saved."))

        confirmed = replace(LEGAL, initial=_initial(services.find(merchant)))
        return self.confirm_first(request, merchant, confirmed, perform)


def _initial(data: LegalData | None) -> dict[str, object]:
    if data is None:
        return {}
    names = [name for name in LegalDataForm.field_order if name != "reason"]
    return {name: getattr(data, name) for name in names} | {"nit": data.nit_shown}


def _parts(data: LegalData) -> list[str | SafeString]:
    contact = " · ".join(text for text in (data.contact_email, data.contact_phone) if text)
    policy = data.data_policy_url
    address = '<a class="text-primary-600" href="{}" rel="noopener noreferrer">{}</a>'
    link = format_html(address, policy, policy) if policy else ""
    parts = [data.legal_name, f"NIT {data.nit_shown}", data.place, contact, link]
    return [part for part in parts if part]
