"""Forms: the period of a statement, a tax rule, its last day."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminDateWidget,
    UnfoldAdminDecimalFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
)

from merchants.models import Merchant
from payments.console.actions import ReasonForm
from payments.core import clock
from payments.ledger.services.movements import CURRENCIES
from payments.settlement import days
from payments.settlement.models import TaxKind

UNKNOWN_MERCHANT = _("There is no merchant with this id.")


class MerchantField(forms.CharField):
    """A merchant by its id, because a list would have thousands of merchants."""

    default_error_messages = {"unknown": UNKNOWN_MERCHANT}

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=32, widget=UnfoldAdminTextInputWidget(), **kwargs)

    def clean(self, value: object) -> Merchant | None:
        """None when empty and not required."""
        if not (pk := super().clean(value)):
            return None
        merchant = Merchant.objects.defer("webhook_secret").filter(pk=pk).first()
        if merchant is None:
            raise forms.ValidationError(self.error_messages["unknown"], "unknown")
        return merchant


def _day(label: Any, **more: Any) -> forms.DateField:
    return forms.DateField(label=label, widget=UnfoldAdminDateWidget(), **more)


class PeriodForm(forms.Form):
    merchant = MerchantField(label=_("Id of the merchant"))
    currency = forms.ChoiceField(
        label=_("Currency"),
        choices=[(name, name) for name in CURRENCIES],
        widget=UnfoldAdminSelectWidget(),
    )
    first = _day(_("First day"))
    last = _day(_("Last day"))
    form = forms.ChoiceField(
        label=_("As"),
        choices=[("page", _("Page to print")), ("csv", "CSV")],
        widget=UnfoldAdminSelectWidget(),
    )

    def clean(self) -> dict[str, Any]:
        super().clean()
        first, last = self.cleaned_data.get("first"), self.cleaned_data.get("last")
        if first and last and last < first:
            self.add_error("last", gettext("It is before the first day."))
        if last and last > days.day_of(clock.now()):
            self.add_error("last", gettext("It is after today."))
        return self.cleaned_data


class RuleForm(ReasonForm):
    name = forms.CharField(
        label=_("Name"),
        max_length=60,
        widget=UnfoldAdminTextInputWidget(),
        help_text=_("As the statement shows it, such as IVA or Retefuente."),
    )
    kind = forms.ChoiceField(
        label=_("Kind"), choices=TaxKind.choices, widget=UnfoldAdminSelectWidget()
    )
    rate = forms.DecimalField(
        label=_("Rate"),
        min_value=0,
        max_digits=9,
        decimal_places=8,
        widget=UnfoldAdminDecimalFieldWidget(),
        help_text=_("A part of our fee: 0.19 is 19%. 0 exempts a merchant."),
    )
    merchant = MerchantField(
        label=_("Id of the merchant"),
        required=False,
        help_text=_("Empty: all merchants. Its own rule replaces that of the same name for all."),
    )
    valid_from = _day(_("First day"), help_text=_("Today at the earliest."))
    valid_to = _day(_("Last day"), required=False, help_text=_("Empty: until it is ended."))

    field_order = ["name", "kind", "rate", "merchant", "valid_from", "valid_to", "reason"]


class EndForm(ReasonForm):
    valid_to = _day(_("Last day"), help_text=_("Today at the earliest."))

    field_order = ["valid_to", "reason"]
