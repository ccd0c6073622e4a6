"""Forms: the period of a statement, a tax rule, its last day."""

from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminRadioSelectWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
)

from merchants.models import Merchant
from payments.console.actions import ReasonForm
from payments.console.amount_field import PercentField
from payments.console.formatting import balance_name
from payments.console.widgets import DateWidget
from payments.core import clock
from payments.ledger.services.movements import CURRENCIES
from payments.settlement import days
from payments.settlement.models import TaxKind

# A longer list is of suggestions.
PICKED_MAX = 300
UNKNOWN_MERCHANT = _("There is no merchant with this id.")


class MerchantSuggestions(UnfoldAdminTextInputWidget):
    """A text with suggestions, which the browser narrows while a person types a name."""

    def __init__(self, named: list[tuple[str, str]]) -> None:
        super().__init__(attrs={"list": "merchants", "autocomplete": "off"})
        self._named = named

    def render(
        self, name: str, value: Any, attrs: dict[str, Any] | None = None, renderer: Any = None
    ) -> SafeString:
        options = format_html_join("", '<option value="{}">{}</option>', self._named)
        field = super().render(name, value, attrs, renderer)
        return format_html('{}<datalist id="merchants">{}</datalist>', field, options)


class MerchantField(forms.CharField):
    """A merchant by its id, because a list would have thousands of merchants."""

    default_error_messages = {"unknown": UNKNOWN_MERCHANT}

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"max_length": 32, "widget": UnfoldAdminTextInputWidget(), **kwargs})

    def clean(self, value: object) -> Merchant | None:
        """None when empty and not required."""
        if not (pk := super().clean(value)):
            return None
        merchant = Merchant.objects.defer("webhook_secret").filter(pk=pk).first()
        if merchant is None:
            raise forms.ValidationError(self.error_messages["unknown"], "unknown")
        return merchant


def _day(label: Any, **more: Any) -> forms.DateField:
    return forms.DateField(label=label, widget=DateWidget(), **more)


LINES, JOURNAL = _("One line for each operation"), _("Journal: every movement of the ledger")
FORMS: list[Any] = [
    (
        LINES,
        [
            ("lines", _("Page to print, or to save as PDF")),
            ("lines-xlsx", "Excel"),
            ("lines-csv", "CSV"),
        ],
    ),
    (JOURNAL, [("page", _("Journal, page to print")), ("csv", _("Journal, CSV"))]),
]


class PeriodForm(forms.Form):
    merchant = MerchantField(label=_("Merchant"))
    currency = forms.ChoiceField(
        label=_("Currency"),
        choices=[(name, name) for name in CURRENCIES],
        widget=UnfoldAdminSelectWidget(),
    )
    first = _day(_("First day"))
    last = _day(_("Last day"))
    form = forms.ChoiceField(
        label=_("Format"),
        choices=FORMS,
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


def _named(rows: QuerySet[Merchant]) -> list[tuple[str, str]]:
    return list(rows.order_by("name").values_list("pk", "name")[: PICKED_MAX + 1])


def _picker(named: list[tuple[str, str]], empty: str) -> forms.Widget:
    if len(named) > PICKED_MAX:
        return MerchantSuggestions(named)
    chosen: forms.Widget = UnfoldAdminSelectWidget(choices=[("", empty), *named])
    return chosen


def period_form(rows: QuerySet[Merchant]) -> type[PeriodForm]:
    """The form with a list of these merchants. Above PICKED_MAX the list is of suggestions."""
    named = _named(rows)
    widget = _picker(named, gettext("Choose…")) if len(named) > 1 else UnfoldAdminSelectWidget()

    class Picked(PeriodForm):
        merchant = MerchantField(label=_("Merchant"), widget=widget)

        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            names = [(code, balance_name(code)) for code in CURRENCIES]
            self.fields["currency"].choices = names  # type: ignore[attr-defined]
            if len(named) == 1:
                self.fields["merchant"].widget = forms.HiddenInput()
                self.initial["merchant"] = named[0][0]  # whatever the address names

    return Picked


class RuleForm(ReasonForm):
    name = forms.CharField(
        label=_("Name"),
        max_length=60,
        widget=UnfoldAdminTextInputWidget(),
        help_text=_("As the statement shows it, such as IVA or Retefuente."),
    )
    kind = forms.ChoiceField(
        label=_("Kind"),
        choices=[
            (
                TaxKind.INCLUDED,
                _("Part of our fee, as IVA: the merchant pays no more, and we owe this part"),
            ),
            (
                TaxKind.WITHHELD,
                _("Withholding, as Retefuente: stated in the settlement, and no money moves"),
            ),
        ],
        initial=TaxKind.INCLUDED,
        widget=UnfoldAdminRadioSelectWidget(),
    )
    rate = PercentField(
        label=_("Rate"),
        help_text=_("Of our fee without its taxes: 19 for IVA of 19 %. 0 exempts a merchant."),
    )
    merchant = MerchantField(
        label=_("Merchant"),
        required=False,
        help_text=_("A merchant's own rule replaces that of the same name for all."),
    )
    valid_from = _day(
        _("First day"),
        help_text=_("It counts from this day on, in Bogotá. Today at the earliest."),
    )
    valid_to = _day(_("Last day"), required=False, help_text=_("Empty: until it is ended."))

    field_order = ["name", "kind", "rate", "merchant", "valid_from", "valid_to", "reason"]


def rule_form(rows: QuerySet[Merchant]) -> type[RuleForm]:
    class Picked(RuleForm):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            self.fields["merchant"].widget = _picker(_named(rows), gettext("All merchants"))

    return Picked


class EndForm(ReasonForm):
    valid_to = _day(_("Last day"), help_text=_("Today at the earliest."))

    field_order = ["valid_to", "reason"]
